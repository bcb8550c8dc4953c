import type { JsonObject, JsonValue, ToolRequester } from "@openclaw/plugin-sdk/tools";
import type { PointName } from "./point.js";

/** Event at a point, in the form that is the same for all actions. */
export interface HookInput {
  readonly point: PointName;
  readonly channel?: string | undefined;
  readonly sender?: string | undefined;
  readonly session?: string | undefined;
  readonly tool?: string | undefined;
  /** Text of a message or reply; absent where an event has none. */
  readonly content?: string | undefined;
  /** Parameters of a tool call. */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  /** Other fields of the event, for example the reason of a session's end. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  /** Sender of the message of the turn, with whose rights a hook of a bundle calls tools. */
  readonly requester?: ToolRequester | undefined;
}

/**
 * Returns the text that patterns are matched with: the content, or the canonical JSON of the parameters (DHOOK-012).
 * @param input - the event
 */
export function textOf({ content, params }: HookInput): string {
  if (content !== undefined) return content;
  return params === undefined ? "" : canonical(params);
}

/**
 * Returns the event as programs and servers receive it (DHOOK-021).
 * @param input - the event
 */
export function eventJson(input: HookInput, hook: string): string {
  const { point, channel, sender, session, tool, content, params, data } = input;
  const event = { ...data, point, hook, channel, sender, session, tool, content, params };
  return JSON.stringify(event);
}

/** JSON with sorted keys, so that equal parameters have one text. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(
      Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)),
    );
  });
}

/**
 * Reads an event that a user wrote, for `openclaw hooks test`.
 * @param point - point of the event
 * @param fields - fields of the event; unknown ones are passed to the action
 */
export function inputOf(point: PointName, fields: JsonObject): HookInput {
  const { channel, sender, session, tool, content, params, point: _point, ...data } = fields;
  return {
    point,
    ...{ channel: text(channel), sender: text(sender), session: text(session) },
    ...{ tool: text(tool), content: text(content) },
    params: isObject(params) ? params : undefined,
    data,
  };
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
