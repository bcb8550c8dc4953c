import { errorMessage } from "@openclaw/foundation";
import type { AgentMessage, JsonValue } from "@openclaw/plugin-sdk/tools";
import type { MalformedToolCall, ModelToolCall } from "./event.js";

/** A tool call as a model's stream gives it: the arguments are still text. */
export interface RawToolCall {
  toolCallId: string;
  toolName: string;
  input: string;
}

/**
 * Makes the reader of one reply's tool calls. It gives every call an id that no other call of the
 * conversation has, so a result belongs to exactly one call: an id that is missing becomes
 * `call`, one that was used before gets a number behind it.
 * @param messages - the conversation so far
 * @returns a function that reads one call
 */
export function createToolCallReader(
  messages: readonly AgentMessage[],
): (call: RawToolCall) => ModelToolCall | MalformedToolCall {
  const used = usedIds(messages);
  return ({ toolCallId, toolName, input }) => {
    const id = freeId(toolCallId.trim() || "call", used);
    used.add(id);
    const name = toolName.trim();
    if (name === "") {
      const problem = "The call names no tool. Call one of the offered tools by its name.";
      return { toolCallId: id, toolName: "unnamed", rawParams: input, problem };
    }
    // A call without arguments often comes as an empty text.
    if (input.trim() === "") return { toolCallId: id, toolName: name, params: {} };
    try {
      return { toolCallId: id, toolName: name, params: parseArguments(input) };
    } catch (error) {
      const reason = errorMessage(error);
      const problem =
        `The arguments are not usable as JSON: ${reason}. ` +
        "The tool did not run. Call it again with one complete JSON object.";
      return { toolCallId: id, toolName: name, rawParams: input, problem };
    }
  };
}

function usedIds(messages: readonly AgentMessage[]): Set<string> {
  const used = new Set<string>();
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    for (const part of message.content) if (part.type === "toolCall") used.add(part.toolCallId);
  }
  return used;
}

function freeId(wanted: string, used: ReadonlySet<string>): string {
  if (!used.has(wanted)) return wanted;
  let number = 2;
  while (used.has(`${wanted}-${number}`)) number += 1;
  return `${wanted}-${number}`;
}

function parseArguments(input: string): JsonValue {
  const parsed: JsonValue = JSON.parse(input, (key, value) => {
    // The one key that JSON.parse keeps and a later copy of the object would turn into a prototype.
    if (key === "__proto__") throw new SyntaxError('the key "__proto__" is not allowed');
    return value;
  });
  return parsed;
}
