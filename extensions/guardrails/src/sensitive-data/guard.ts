import { isRecord } from "@openclaw/plugin-sdk/kit";
import { type Static, Type } from "typebox";
import { GuardConfigInvalidError } from "../errors.js";
import { defineGuard } from "../guard.js";
import { mapStrings } from "../json-strings.js";
import { LAST } from "../order.js";
import { UNCHANGED } from "../preview.js";
import { type RedactedText, SensitiveDataDetector } from "./detector.js";
import { KIND_NAMES, KINDS, type SensitiveKind } from "./kind.js";
import { isCountry, PhoneNumbers } from "./phone.js";
import { sensitiveDataPreview } from "./preview.js";

const ACTIONS = ["redact", "block", "off"] as const;
type Action = (typeof ACTIONS)[number];

/** Effect where the configuration has none: parameters of tools often need addresses and numbers. */
const DEFAULTS: Readonly<
  Record<SensitiveKind, { readonly messages: Action; readonly tools: Action }>
> = {
  secret: { messages: "redact", tools: "block" },
  iban: { messages: "redact", tools: "block" },
  card: { messages: "redact", tools: "block" },
  email: { messages: "redact", tools: "off" },
  phone: { messages: "redact", tools: "off" },
};

const action = Type.Enum([...ACTIONS]);
const kindSchema = (description: string) =>
  Type.Optional(
    Type.Union(
      [
        action,
        Type.Object(
          { messages: Type.Optional(action), tools: Type.Optional(action) },
          { additionalProperties: false },
        ),
      ],
      { description },
    ),
  );

const schema = Type.Object(
  {
    secret: kindSchema("Secrets by the leak rules of the host: keys, tokens, passwords in URLs."),
    iban: kindSchema("Bank account numbers with correct check digits."),
    card: kindSchema("Payment card numbers with a correct check digit."),
    email: kindSchema("Email addresses."),
    phone: kindSchema("Phone numbers."),
    phoneCountries: Type.Array(Type.String({ pattern: "^[A-Z]{2}$" }), {
      default: ["US"],
      description:
        "Countries whose phone numbers are found without the code of the country, for example DE; numbers with a code are always found.",
    }),
  },
  { additionalProperties: false },
);

type KindSetting = Static<typeof schema>[SensitiveKind];
type Actions = ReadonlyMap<SensitiveKind, Exclude<Action, "off">>;

/** Removes secrets and personal data from replies and parameters of tools, or blocks them (DHOOK-038). */
export const sensitiveDataRedactor = defineGuard({
  name: "sensitive_data_redactor",
  schema,
  install(settings, { api, counters }) {
    const unknown = settings.phoneCountries.filter((code) => !isCountry(code));
    if (unknown.length > 0) {
      const problem = `phoneCountries has ${unknown.join(", ")}, which is not the code of a country with a known numbering plan`;
      throw new GuardConfigInvalidError("sensitive_data_redactor", [problem]);
    }
    const detector = new SensitiveDataDetector({
      findSecrets: (text) => api.runtime.safety.findSecrets(text),
      phones: new PhoneNumbers(settings.phoneCountries),
    });
    const messages = actionsOf(settings, "messages");
    const tools = actionsOf(settings, "tools");
    const options = {
      mode: "fail-closed",
      priority: LAST.secrets,
      id: "sensitive_data_redactor",
    } as const;
    const kinds = new Set(messages.keys());
    // A reply that can be blocked is not shown before it is complete.
    const blocksReplies = [...messages.values()].includes("block");
    let lastClean: string | undefined;
    const check = (text: string) => {
      // A reply passes twice, before it is stored and before it is sent.
      if (text === lastClean) return undefined;
      const verdict = decide(detector.redact(text, kinds), messages);
      if (verdict === undefined) lastClean = text;
      return verdict;
    };

    api.on(
      "message_sending",
      ({ content }) =>
        counters.run(() => {
          const verdict = check(content);
          if (verdict === undefined) return undefined;
          if ("blocked" in verdict) {
            counters.blocked();
            return {
              cancel: true,
              cancelReason: `sensitive_data_redactor: the message contains ${verdict.blocked}`,
            };
          }
          counters.changed();
          return { content: verdict.text };
        }),
      {
        ...options,
        preview: () =>
          blocksReplies
            ? undefined
            : sensitiveDataPreview((text, from) => detector.redact(text, kinds, from).text),
      },
    );
    api.on(
      "transform_response",
      ({ content }) =>
        counters.run(() => {
          const verdict = check(content);
          if (verdict === undefined) return undefined;
          if ("text" in verdict) {
            counters.changed();
            return { content: verdict.text };
          }
          counters.blocked();
          return { content: `[The reply was removed because it contains ${verdict.blocked}.]` };
        }),
      // The preview of what is sent removes the same data.
      { ...options, preview: () => (blocksReplies ? undefined : UNCHANGED) },
    );
    if (tools.size === 0) return;
    const toolKinds = new Set(tools.keys());
    api.on(
      "before_tool_call",
      ({ params }) =>
        counters.run(() => {
          const found = new Set<SensitiveKind>();
          const mapped = mapStrings(params, (text) => {
            const clean = detector.redact(text, toolKinds);
            for (const kind of clean.found) found.add(kind);
            return clean.text;
          });
          const blocking = [...found].filter((kind) => tools.get(kind) === "block");
          if (blocking.length > 0 || mapped.isTooDeep) {
            counters.blocked();
            const what = mapped.isTooDeep
              ? "parameters that are nested too deeply to be read"
              : named(blocking);
            return {
              block: true,
              blockReason: `sensitive_data_redactor: the parameters contain ${what}; leave it out, or use a reference to a stored secret`,
            };
          }
          if (!mapped.isChanged || !isRecord(mapped.value)) return undefined;
          counters.changed();
          return { params: mapped.value };
        }),
      options,
    );
  },
});

/** Returns the effect by kind, without those that are off. */
function actionsOf(settings: Static<typeof schema>, place: "messages" | "tools"): Actions {
  return new Map(
    KINDS.flatMap((kind) => {
      const chosen = actionOf(settings[kind], place) ?? DEFAULTS[kind][place];
      return chosen === "off" ? [] : [[kind, chosen] as const];
    }),
  );
}

function actionOf(setting: KindSetting, place: "messages" | "tools"): Action | undefined {
  return typeof setting === "object" ? setting[place] : setting;
}

type Verdict = { readonly text: string } | { readonly blocked: string } | undefined;

function decide({ text, found }: RedactedText, actions: Actions): Verdict {
  if (found.size === 0) return undefined;
  const blocking = [...found].filter((kind) => actions.get(kind) === "block");
  return blocking.length > 0 ? { blocked: named(blocking) } : { text };
}

function named(kinds: readonly SensitiveKind[]): string {
  return [...new Set(kinds)].map((kind) => KIND_NAMES[kind]).join(" and ");
}
