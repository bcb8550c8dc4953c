import { readFileSync } from "node:fs";

/** A run of the command of a hook. */
export interface HookCall {
  /** Event with a number, for example `PreToolUse-1`. */
  readonly name: string;
  readonly cwd: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
  /** Names of the variables of its bundle. */
  readonly variables: readonly string[];
}

/** Result of a tool call as the model received it. */
export interface SeenResult {
  readonly text: string;
  readonly isError: boolean;
}

/** Behaviour of a host with a bundle and a script of its model. */
export interface Observation {
  readonly calls: readonly HookCall[];
  /** Results by the ID of their call. */
  readonly results: Readonly<Record<string, SeenResult>>;
  /** Text of the conversation in the last request to the model; empty when none was sent. */
  readonly conversation: string;
  readonly requests: number;
  /** Reply to the user. */
  readonly reply: string;
  /** Files of the workspace by their path. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Reads what the recorder noted.
 * @param path - its file
 */
export function readCalls(path: string): readonly HookCall[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): HookCall => JSON.parse(line));
}

/**
 * Reads the results of tool calls and the text of a request of the Messages API.
 * @param body - the request; absent when the model was not asked
 */
export function readConversation(
  body: Readonly<Record<string, unknown>> | undefined,
): Pick<Observation, "results" | "conversation"> {
  const results: Record<string, SeenResult> = {};
  const texts: string[] = [];
  const read = (value: unknown): string => {
    if (typeof value === "string") return value;
    if (Array.isArray(value)) return value.map(read).join("\n");
    const block: Record<string, unknown> = isObject(value) ? value : {};
    if (block.type !== "tool_result") return String(block.text ?? "");
    const text = read(block.content);
    results[String(block.tool_use_id)] = { text, isError: block.is_error === true };
    return text;
  };
  const messages = Array.isArray(body?.messages) ? body.messages : [];
  for (const message of messages) texts.push(read(isObject(message) ? message.content : ""));
  texts.push(read(body?.system));
  return { results, conversation: texts.join("\n") };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
