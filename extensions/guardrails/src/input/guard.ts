import { errorMessage } from "@openclaw/plugin-sdk/kit";
import type { LinearPattern, RuntimePatterns } from "@openclaw/plugin-sdk/services";
import { type Static, Type } from "typebox";
import { nearestName } from "../configuration/nearest-name.js";
import { GuardConfigInvalidError } from "../errors.js";
import { defineGuard } from "../guard.js";
import { FIRST } from "../order.js";
import { describeProblems, type InputRules, InputValidator } from "./validator.js";

const NAME = "input_validator";
const patterns = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), { default: [], description });

/** Schema of the configuration of the guard. */
export const inputSchema = Type.Object(
  {
    action: Type.Enum(["block", "warn"], {
      default: "block",
      description: "block rejects the input and names the field; warn only logs it.",
    }),
    messages: Type.Boolean({ default: true, description: "False does not check messages." }),
    tools: Type.Boolean({
      default: true,
      description: "False does not check parameters of tools.",
    }),
    maxLength: Type.Integer({
      minimum: 1,
      maximum: 10_000_000,
      default: 32_000,
      description: "Maximum number of characters of a message.",
    }),
    maxParameterLength: Type.Integer({
      minimum: 1,
      maximum: 100_000_000,
      default: 1_000_000,
      description: "Maximum number of characters of a string in the parameters of a tool.",
    }),
    characters: Type.Boolean({
      default: true,
      description: "False accepts control, hidden and misleading characters.",
    }),
    floods: Type.Boolean({
      default: true,
      description: "False accepts messages that only repeat a few characters.",
    }),
    languages: Type.Optional(
      Type.Array(Type.String({ pattern: "^[a-z]{2}$" }), {
        minItems: 1,
        description: "Accepted languages of messages, for example en; all when absent.",
      }),
    ),
    scripts: Type.Optional(
      Type.Array(Type.String({ pattern: "^[A-Z][A-Za-z_]+$" }), {
        minItems: 1,
        description: "Accepted scripts of letters in messages, for example Latin; all when absent.",
      }),
    ),
    require: patterns("Patterns (RE2) of which a message must match each."),
    forbid: patterns(
      "Patterns (RE2) of which no message and no parameter of a tool may match one.",
    ),
    attachments: Type.Object(
      {
        types: Type.Optional(
          Type.Array(Type.String({ minLength: 1 }), {
            description: "Accepted MIME types, for example image/*; all when absent.",
          }),
        ),
        maxBytes: Type.Integer({ minimum: 0, default: 26_214_400, description: "Maximum size." }),
        executables: Type.Boolean({
          default: false,
          description: "True accepts files that run when they are opened.",
        }),
      },
      { additionalProperties: false, default: {} },
    ),
  },
  { additionalProperties: false },
);

/** Rejects messages, attachments and parameters of tools that no user would write (DHOOK-040). */
export const inputValidator = defineGuard({
  name: NAME,
  schema: inputSchema,
  async install(settings, { api, counters, notices }) {
    const validator = new InputValidator(await inputRules(settings, api.runtime.patterns));
    const isBlocking = settings.action === "block";
    const options = { mode: "fail-closed", priority: FIRST.input, id: NAME } as const;
    const report = (
      problem: string,
      where: { readonly sessionKey?: string; readonly senderId?: string },
    ) => {
      const { sessionKey, senderId } = where;
      api.logger.warn(`${NAME}: ${problem}`, { sessionKey, senderId });
      notices.publish({ event: NAME, severity: "warning", text: problem, sessionKey, senderId });
      if (isBlocking) counters.blocked();
    };
    if (settings.messages) {
      api.on(
        "message_receiving",
        ({ content, attachments }, context) =>
          counters.run(() => {
            const problems = validator.message(content, attachments);
            if (problems.length === 0) return undefined;
            const problem = describeProblems(problems);
            report(problem, context);
            if (!isBlocking) return undefined;
            const reply = `Your message was not processed: ${problem}.`;
            return { cancel: true, cancelReason: `${NAME}: ${problem}`, reply };
          }),
        options,
      );
    }
    if (settings.tools) {
      api.on(
        "before_tool_call",
        ({ params }, context) =>
          counters.run(() => {
            const problems = validator.params(params);
            if (problems.length === 0) return undefined;
            const problem = describeProblems(problems);
            report(problem, context);
            return isBlocking ? { block: true, blockReason: `${NAME}: ${problem}` } : undefined;
          }),
        options,
      );
    }
  },
});

/**
 * Returns the rules of a configuration.
 * @param settings - complete configuration
 * @param patterns - compiles regular expressions that run in linear time
 * @throws GuardConfigInvalidError for an unknown language or script, or an invalid pattern
 */
export async function inputRules(
  settings: Static<typeof inputSchema>,
  patterns: Pick<RuntimePatterns, "compile">,
): Promise<InputRules> {
  const compile = (key: string) => (source: string, index: number) =>
    compiled(patterns, source, `${key}[${index}]`);
  return {
    maxLength: settings.maxLength,
    maxParameterLength: settings.maxParameterLength,
    characters: settings.characters,
    floods: settings.floods,
    scripts: settings.scripts === undefined ? undefined : otherScripts(settings.scripts),
    languages:
      settings.languages === undefined ? undefined : await acceptedLanguages(settings.languages),
    require: settings.require.map(compile("require")),
    forbid: settings.forbid.map(compile("forbid")),
    attachments: { types: undefined, ...settings.attachments },
  };
}

function compiled(
  patterns: Pick<RuntimePatterns, "compile">,
  source: string,
  key: string,
): LinearPattern {
  // RE2 has flags only at the beginning of a pattern or a group.
  try {
    return patterns.compile(source);
  } catch (error) {
    const message = errorMessage(error);
    throw new GuardConfigInvalidError(NAME, [`${key}: ${message}`]);
  }
}

/** Returns a pattern of letters that are of none of the scripts. */
function otherScripts(scripts: readonly string[]): RegExp {
  for (const script of scripts) {
    if (!isScript(script)) {
      const problem = `scripts has ${script}, which is not a script of Unicode; for example Latin, Cyrillic or Han`;
      throw new GuardConfigInvalidError(NAME, [problem]);
    }
  }
  const accepted = scripts.map((script) => `\\p{Script_Extensions=${script}}`).join("");
  return new RegExp(`(?=\\p{L})[^${accepted}]`, "u");
}

function isScript(name: string): boolean {
  try {
    return new RegExp(`\\p{Script=${name}}`, "u").unicode;
  } catch {
    return false;
  }
}

/** Loads the recognition of languages, which takes a moment, only where it is configured. */
async function acceptedLanguages(languages: readonly string[]): Promise<InputRules["languages"]> {
  const { knownLanguages, languageOf } = await import("./language.js");
  const known = knownLanguages();
  for (const language of languages) {
    if (known.includes(language)) continue;
    const near = nearestName(language, known);
    const hint = near === undefined ? `known are ${known.join(", ")}` : `did you mean ${near}?`;
    throw new GuardConfigInvalidError(NAME, [
      `languages has ${language}, which cannot be recognised; ${hint}`,
    ]);
  }
  return { accepted: new Set(languages), languageOf };
}
