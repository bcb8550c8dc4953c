import type { GatewayMethodParameters } from "@openclaw/protocol";
import { text } from "./messages.js";

/** Filter of the gateway. */
export type UsageFilter = NonNullable<GatewayMethodParameters<"usage.query">["filter"]>;

/** Parameters by the key that a person writes. */
const PARAMETERS = {
  agent: "agentId",
  session: "sessionKey",
  model: "model",
  sender: "sender",
  job: "jobId",
} as const;

/** Key of a filter. */
export type FilterKey = keyof typeof PARAMETERS;

const KEYS = Object.keys(PARAMETERS).join(", ");

/**
 * Reads a filter that a person wrote: `key:value` with spaces between them; a value with spaces is in quotes.
 * @param written - text of the field
 * @returns the filter, or the problem that a person is told
 */
export function readFilter(
  written: string,
): { readonly filter: UsageFilter } | { readonly problem: string } {
  const filter: { -readonly [Key in keyof UsageFilter]: string } = {};
  for (const [word, key, quoted, plain = ""] of written.matchAll(
    /([^\s:]+):(?:"((?:[^"\\]|\\.)*)"|(\S*))|\S+/g,
  )) {
    if (key === undefined) return { problem: text.noColon(word, KEYS) };
    if (!isFilterKey(key)) return { problem: text.unknownKey(key, KEYS) };
    filter[PARAMETERS[key]] = quoted?.replaceAll(/\\(.)/g, "$1") ?? plain;
  }
  return { filter };
}

/**
 * Returns the text of a filter with one more value; it takes the place of another value of the same key.
 * @param written - text of the field
 */
export function withFilter(written: string, key: FilterKey, value: string): string {
  const others = [...written.matchAll(/[^\s:]+:(?:"(?:[^"\\]|\\.)*"|\S*)/g)]
    .map(([word]) => word)
    .filter((word) => !word.startsWith(`${key}:`));
  const isPlain = /^[^\s"\\]+$/.test(value);
  const shown = isPlain ? value : `"${value.replaceAll(/["\\]/g, "\\$&")}"`;
  return [...others, `${key}:${shown}`].join(" ");
}

/** Returns true for the key of a filter. */
export function isFilterKey(key: string): key is FilterKey {
  return Object.hasOwn(PARAMETERS, key);
}
