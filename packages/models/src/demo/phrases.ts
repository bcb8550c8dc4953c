import { errorMessage } from "@openclaw/foundation";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";

/** Intent that the demo model found in a message. */
export type DemoIntent =
  | { kind: "call"; toolName: string; params: JsonObject }
  | { kind: "bad-call"; toolName: string; problem: string }
  | { kind: "help" };

type Groups = Record<string, string>;

interface Rule {
  /** Must match the whole request; named groups become parameters. */
  pattern: RegExp;
  /** True when the request ends with content, so that its last full stop is kept. */
  verbatim?: boolean;
  intent(groups: Groups): DemoIntent;
}

const PATH = String.raw`(?:[\`"'](?<quoted>[^\`"']+)[\`"']|(?<path>[^\s\`"':]+))`;
const HERE = "(?:in )?(?:here|(?:this|the current|the) (?:folder|directory|workspace))";
const FOLDER = `(?:${HERE}|(?:in|of|under) (?:the (?:folder|directory) )?${PATH})`;

const RULES: readonly Rule[] = [
  {
    pattern: request("help|\\?|what can you do"),
    intent: () => ({ kind: "help" }),
  },
  {
    pattern: request("use (?<tool>[A-Za-z0-9_-]{1,64})(?<json>\\s+\\S[^]*)?"),
    verbatim: true,
    intent: exactCall,
  },
  {
    pattern: request(`(?:list|show|ls)(?: me)?(?: all)?(?: the)? files(?: ${FOLDER})?`),
    intent: listCall,
  },
  {
    pattern: request(`(?:what|which) files?(?: are| is)?(?: there)?(?: ${FOLDER})?`),
    intent: listCall,
  },
  { pattern: request(`what(?:'s| is) ${FOLDER}`), intent: listCall },
  { pattern: request(`(?:list|ls|dir)(?: (?:${FOLDER}|\\.))?`), intent: listCall },
  {
    pattern: request("what time is it(?: now)?|what(?:'s| is) the (?:time|date)|what day is it"),
    intent: () => call("time", { operation: "now" }),
  },
  {
    pattern: request("(?:run|execute)\\s*:?\\s*`(?<command>[^`]+)`"),
    intent: ({ command = "" }) => call("exec", { command }),
  },
  {
    pattern: request(
      "(?:run|execute)(?:\\s*:|\\s+(?!(?:the|a|an|my|this|that|it|all)\\b))(?<command>[^]+)",
    ),
    verbatim: true,
    intent: ({ command = "" }) => call("exec", { command: command.trim() }),
  },
  {
    pattern: request(
      `(?:write|create|save)(?: the| a)?(?: file)? ${PATH}\\s*:\\s?(?<content>[^]*)`,
    ),
    verbatim: true,
    intent: (groups) => call("write", { path: path(groups), content: groups.content ?? "" }),
  },
  {
    pattern: request(
      "(?:fetch|get|open|download|visit|read)(?: the page)? <?(?<url>https?://[^\\s<>]+)>?",
    ),
    intent: ({ url = "" }) => call("web_fetch", { url }),
  },
  {
    pattern: request(`(?:read|show|open|cat|print)(?: me)?(?: the)?(?: file)? ${PATH}`),
    intent: (groups) => call("read", { path: path(groups) }),
  },
];

/**
 * Parses a plain request by fixed rules: reading, listing and writing files, the time, a command, a URL, `use
 * <tool> <json>`, and help. A message that matches no rule is tried again with its last paragraph, because
 * hosts put context in front.
 * @param message - text of a user message
 * @returns the intent; undefined when no rule matches
 */
export function demoIntent(message: string): DemoIntent | undefined {
  const whole = message.trim();
  const lastParagraph = whole.split(/\n\s*\n/).at(-1) ?? whole;
  return firstMatch(whole) ?? firstMatch(lastParagraph);
}

function firstMatch(text: string): DemoIntent | undefined {
  const asked = text.replace(/^(?:please|(?:can|could|would) you(?: please)?)\s+/i, "");
  const bare = asked.replace(/(?:,? please)?[\s.?!]*$/i, "") || asked;
  for (const { pattern, verbatim, intent } of RULES) {
    const match = pattern.exec(verbatim ? asked : bare);
    if (match) return intent(match.groups ?? {});
  }
  return undefined;
}

function exactCall({ tool = "", json = "" }: Groups): DemoIntent {
  if (json.trim() === "") return call(tool, {});
  try {
    const params: unknown = JSON.parse(json);
    if (isJsonObject(params)) return call(tool, params);
    return { kind: "bad-call", toolName: tool, problem: "they are not a JSON object" };
  } catch (error) {
    const problem = errorMessage(error);
    return { kind: "bad-call", toolName: tool, problem };
  }
}

function listCall(groups: Groups): DemoIntent {
  return call("list", { path: path(groups) || "." });
}

function call(toolName: string, params: JsonObject): DemoIntent {
  return { kind: "call", toolName, params };
}

function path({ quoted, path }: Groups): string {
  return quoted ?? path ?? "";
}

function request(source: string): RegExp {
  return new RegExp(`^(?:${source})$`, "i");
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
