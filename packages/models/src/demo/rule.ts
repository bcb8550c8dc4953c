import type { JsonObject } from "@openclaw/plugin-sdk/tools";

/** Intent that the demo model found in a message. */
export type DemoIntent =
  | { kind: "call"; toolName: string; params: JsonObject }
  | { kind: "bad-call"; toolName: string; problem: string }
  /** The request cannot be carried out as it is; the text says why and what works. */
  | { kind: "advice"; text: string }
  | { kind: "help" };

/** Named groups of a match. */
export type Groups = Record<string, string>;

/** Pattern of a plain request, and its intent. */
export interface Rule {
  /** Must match the whole request; named groups become parameters. */
  readonly pattern: RegExp;
  /** True when the request ends with content, so that its last full stop is kept. */
  readonly verbatim?: boolean;
  intent(groups: Groups): DemoIntent;
}

/** Path in a request, quoted or a single word. */
export const PATH = String.raw`(?:[\`"'](?<quoted>[^\`"']+)[\`"']|(?<path>[^\s\`"':]+))`;
/** Name of a file with an extension, which a word of a sentence does not have. */
export const FILE = String.raw`(?:[\`"'](?<quoted>[^\`"']+)[\`"']|(?<path>[^\s\`"':,]*[^\s\`"':,.]\.[A-Za-z0-9]{1,8}))`;

/**
 * Returns a pattern that matches whole requests.
 * @param source - source of the pattern
 */
export function request(source: string): RegExp {
  return new RegExp(`^(?:${source})$`, "i");
}

/**
 * Returns the intent of a call.
 * @param params - its parameters
 */
export function call(toolName: string, params: JsonObject): DemoIntent {
  return { kind: "call", toolName, params };
}

/**
 * Returns the path of a request; the groups of further alternatives have a prefix.
 * @param groups - groups of the match
 */
export function pathOf(groups: Groups): string {
  const found = ["quoted", "path"].flatMap((name) =>
    ["", "said_", "in_", "at_"].flatMap((prefix) => groups[`${prefix}${name}`] ?? []),
  );
  const [path = ""] = found;
  return /^readme$/i.test(path) ? "README.md" : path;
}

/**
 * Returns text without quotation marks around it.
 * @param text - text of a request
 */
export function unquoted(text: string): string {
  return /^([`"'])(.*)\1$/s.exec(text.trim())?.[2] ?? text.trim();
}
