import { defined } from "@openclaw/plugin-sdk/plugin-entry";
import { type Static, Type } from "typebox";
import { defineGuard } from "../guard.js";
import { LAST } from "../order.js";
import { UNCHANGED } from "../preview.js";
import { DIALECTS, FORMATS, type Format, formatOfChannel } from "./dialect.js";
import { render } from "./render.js";
import { splitText } from "./split.js";
import { cleanWhiteSpace } from "./white-space.js";

const NAME = "response_formatter";
const SHORTEST_LIMIT = 100;

const fields = {
  format: Type.Optional(
    Type.Enum([...FORMATS], {
      description: "Markup of replies; that of the channel when absent.",
    }),
  ),
  maxLength: Type.Optional(
    Type.Integer({
      minimum: SHORTEST_LIMIT,
      maximum: 1_000_000,
      description: "Maximum number of characters of a message; a longer reply becomes several.",
    }),
  ),
  signature: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1000, description: "Text below each reply." }),
  ),
  whiteSpace: Type.Optional(
    Type.Boolean({ description: "False leaves superfluous white space; default true." }),
  ),
};

const schema = Type.Object(
  {
    ...fields,
    channels: Type.Record(Type.String(), Type.Object(fields, { additionalProperties: false }), {
      default: {},
      description: "Values for single channels, by their names.",
    }),
  },
  { additionalProperties: false },
);

type Settings = Static<typeof schema>;

/** Writes replies in the markup of their channel, and divides long ones (DHOOK-041). */
export const responseFormatter = defineGuard({
  name: NAME,
  schema,
  install(settings, { api, counters }) {
    const options = { priority: LAST.format, id: NAME } as const;
    api.on(
      "transform_response",
      ({ content, channel }, { messageProvider }) =>
        counters.run(() => {
          const formatted = formatReply(
            content,
            formattingOf(settings, channel ?? messageProvider),
          );
          if (formatted === content) return undefined;
          counters.changed();
          return { content: formatted };
        }),
      {
        ...options,
        // Markup and white space of a block depend on the text that follows.
        preview: ({ messageProvider }) =>
          isUnchanged(formattingOf(settings, messageProvider)) ? UNCHANGED : undefined,
      },
    );
    if (!dividesReplies(settings)) return;
    api.on(
      "reply_dispatch",
      ({ payloads, ctx, originatingChannel }, { dispatcher }) =>
        counters.run(async () => {
          const { maxLength } = formattingOf(settings, originatingChannel ?? ctx.channel);
          const isLong = payloads.some(({ text = "" }) => text.length > (maxLength ?? Infinity));
          if (dispatcher === undefined || maxLength === undefined || !isLong) return undefined;
          counters.changed();
          for (const [place, payload] of payloads.entries()) {
            const { text = "", attachments, replyToId } = payload;
            const parts = splitText(text, maxLength);
            for (const [index, part] of parts.entries()) {
              const isLast = index === parts.length - 1;
              const message = {
                text: part,
                ...defined({ replyToId }),
                ...(isLast && attachments !== undefined ? { attachments: [...attachments] } : {}),
              };
              if (isLast && place === payloads.length - 1) await dispatcher.sendFinal(message);
              else await dispatcher.sendBlock(message);
            }
          }
          return { handled: true, queuedFinal: true };
        }),
      options,
    );
  },
});

/** Formatting of one channel. */
export interface Formatting {
  readonly format: Format;
  readonly maxLength?: number | undefined;
  readonly signature?: string | undefined;
  readonly whiteSpace: boolean;
}

/** Returns the formatting of a channel: its own values, then the general ones, then what the channel shows. */
function formattingOf({ channels, ...general }: Settings, channel = ""): Formatting {
  const own = Object.hasOwn(channels, channel) ? channels[channel] : undefined;
  return {
    format: own?.format ?? general.format ?? formatOfChannel(channel),
    maxLength: own?.maxLength ?? general.maxLength,
    signature: own?.signature ?? general.signature,
    whiteSpace: own?.whiteSpace ?? general.whiteSpace ?? true,
  };
}

/** Returns true for a formatting that leaves every reply as it is. */
function isUnchanged({ format, signature, whiteSpace }: Formatting): boolean {
  return format === "markdown" && signature === undefined && !whiteSpace;
}

function dividesReplies({ maxLength, channels }: Settings): boolean {
  return (
    maxLength !== undefined || Object.values(channels).some((own) => own.maxLength !== undefined)
  );
}

/**
 * Formats a reply. A second formatting adds no second signature.
 * @param content - Markdown of a model
 * @param formatting - formatting of the channel
 */
export function formatReply(
  content: string,
  { format, signature, whiteSpace }: Formatting,
): string {
  const rendered = format === "markdown" ? content : render(content, DIALECTS[format]);
  const cleaned = whiteSpace ? cleanWhiteSpace(rendered) : rendered;
  if (signature === undefined || cleaned.trim() === "" || cleaned.trimEnd().endsWith(signature)) {
    return cleaned;
  }
  return `${cleaned.trimEnd()}\n\n${signature}`;
}
