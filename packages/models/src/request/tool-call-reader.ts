import type { SharedV4ProviderMetadata } from "@ai-sdk/provider";
import { defined, errorMessage, parseExactJson, wellFormed } from "@openclaw/foundation";
import type { AgentMessage, JsonValue } from "@openclaw/plugin-sdk/tools";
import type { MalformedToolCall, ModelToolCall } from "./event.js";
import { excessOf } from "./json-shape.js";
import { providerData } from "./provider-data.js";

/**
 * Maximum number of tool calls of one reply that may run; one more is answered on behalf of all that follow,
 * which are left out.
 */
const MOST_CALLS = 64;
/** Maximum length of the arguments of one call, in UTF-16 code units. */
const LONGEST_ARGUMENTS = 256 * 1024;
/** Maximum length of the arguments of all calls of a reply together. */
const LONGEST_OF_REPLY = 1024 * 1024;
/** Length of unparsed arguments kept for the conversation, in UTF-16 code units. */
const KEPT_ARGUMENTS = 1000;

/** Tool call in the form of a model's stream, with unparsed arguments. */
export interface RawToolCall {
  toolCallId: string;
  toolName: string;
  input: string;
  providerMetadata?: SharedV4ProviderMetadata;
}

/** Reads one call; undefined for a call that is left out. */
type ToolCallReader = (call: RawToolCall) => ModelToolCall | MalformedToolCall | undefined;

/**
 * Creates the reader of one reply's tool calls. It gives every call an ID that is unique in the
 * conversation, so a result belongs to exactly one call: a missing ID becomes `call`, a repeated one gets a
 * numeric suffix. Number, length and nesting are bounded, so that no reply keeps the host busy for longer
 * than a moment: at most 64 calls, each with arguments of at most 256 Ki characters, 10,000 values and 64
 * levels.
 * @param messages - the conversation so far
 * @returns a function that reads one call
 */
export function createToolCallReader(messages: readonly AgentMessage[]): ToolCallReader {
  let ids: CallIds | undefined;
  let calls = 0;
  let left = LONGEST_OF_REPLY;
  return (raw) => {
    const { toolCallId, toolName, input, providerMetadata } = wellFormed(raw);
    calls += 1;
    if (calls > MOST_CALLS + 1) return undefined;
    // Most replies have no call, and the conversation may be long.
    ids ??= new CallIds(messages);
    const id = ids.take(toolCallId.trim() || "call");
    const name = toolName.trim();
    const malformed = (problem: string, rawParams = input) => ({
      toolCallId: id,
      toolName: name || "unnamed",
      rawParams,
      problem,
    });
    if (calls > MOST_CALLS) {
      const problem = `The reply has more than ${MOST_CALLS} tool calls. This call and all after it were left out and did not run. Call at most ${MOST_CALLS} tools at once.`;
      return malformed(problem, input.slice(0, KEPT_ARGUMENTS));
    }
    if (name === "") {
      return malformed(
        "The call names no tool. Call one of the offered tools by its name.",
        input.slice(0, KEPT_ARGUMENTS),
      );
    }
    left -= input.length;
    if (input.length > LONGEST_ARGUMENTS || left < 0) {
      const problem = `The arguments have ${input.length} characters; at most ${LONGEST_ARGUMENTS} for one call and ${LONGEST_OF_REPLY} for all calls of a reply are read. The tool did not run. Split the work over several calls.`;
      return malformed(problem, input.slice(0, KEPT_ARGUMENTS));
    }
    const call = {
      toolCallId: id,
      toolName: name,
      ...defined({ providerData: providerData(providerMetadata) }),
    };
    // A call without arguments often has an empty string.
    if (input.trim() === "") return { ...call, params: {} };
    const excess = excessOf(input);
    if (excess !== undefined) {
      const problem = `The arguments have more than ${excess}. The tool did not run. Call it again with simpler arguments.`;
      return malformed(problem, input.slice(0, KEPT_ARGUMENTS));
    }
    try {
      return { ...call, params: parseArguments(input) };
    } catch (error) {
      const reason = errorMessage(error);
      return malformed(
        `The arguments are not usable as JSON: ${reason}. ` +
          "The tool did not run. Call it again with one complete JSON object.",
      );
    }
  };
}

/** IDs of the calls of a conversation. */
class CallIds {
  readonly #used: Set<string>;
  /** Last numeric suffix that was added to an ID. */
  readonly #numbers = new Map<string, number>();

  constructor(messages: readonly AgentMessage[]) {
    this.#used = usedIds(messages);
  }

  take(wanted: string): string {
    let id = wanted;
    while (this.#used.has(id)) {
      const number = (this.#numbers.get(wanted) ?? 1) + 1;
      this.#numbers.set(wanted, number);
      id = `${wanted}-${number}`;
    }
    this.#used.add(id);
    return id;
  }
}

function usedIds(messages: readonly AgentMessage[]): Set<string> {
  const used = new Set<string>();
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    for (const part of message.content) if (part.type === "toolCall") used.add(part.toolCallId);
  }
  return used;
}

function parseArguments(input: string): JsonValue {
  const parsed = parseExactJson(input, (key, value) => {
    // The only key that JSON.parse keeps as a property and that a later copy of the object would turn into a
    // prototype.
    if (key === "__proto__") throw new SyntaxError('the key "__proto__" is not allowed');
    return value;
  });
  // An escape can stand for half of a character, which no later request could contain.
  return wellFormed(parsed);
}
