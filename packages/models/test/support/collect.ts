import type { AgentMessage, AssistantMessage, JsonValue } from "@openclaw/plugin-sdk/tools";
import {
  type LanguageModelV4,
  type ModelEvent,
  type ModelRequest,
  ModelRequestError,
  streamModel,
} from "../../src/index.js";

export function request(overrides: Partial<ModelRequest> = {}): ModelRequest {
  return { messages: [user("hi")], tools: [], ...overrides };
}

export function user(text: string): AgentMessage {
  return { role: "user", content: [{ type: "text", text }], timestamp: 0 };
}

export function assistant(
  content: AssistantMessage["content"],
  stopReason: AssistantMessage["stopReason"] = "stop",
): AgentMessage {
  return { role: "assistant", content, provider: "p", model: "m", stopReason, timestamp: 0 };
}

export function toolCall(toolCallId: string, toolName: string, params: JsonValue = {}) {
  return { type: "toolCall" as const, toolCallId, toolName, params };
}

export function toolResult(
  toolCallId: string,
  text: string,
  options: { toolName?: string; isError?: boolean; details?: JsonValue } = {},
): AgentMessage {
  const { toolName = "read", isError = false, ...details } = options;
  const content = [{ type: "text" as const, text }];
  return { role: "toolResult", toolCallId, toolName, content, isError, timestamp: 0, ...details };
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export async function events(
  model: LanguageModelV4,
  asked: ModelRequest = request(),
): Promise<ModelEvent[]> {
  return collect(streamModel(model, asked));
}

/** Returns the visible text of a reply. */
export async function reply(model: LanguageModelV4, asked: ModelRequest): Promise<string> {
  const all = await events(model, asked);
  return all.map((event) => (event.type === "text" ? event.delta : "")).join("");
}

/** Returns the error of a failed request, and the events before it. */
export async function failure(
  model: LanguageModelV4,
  asked: ModelRequest = request(),
): Promise<{ error: ModelRequestError; before: ModelEvent[] }> {
  const before: ModelEvent[] = [];
  try {
    for await (const event of streamModel(model, asked)) before.push(event);
  } catch (error) {
    if (ModelRequestError.isInstance(error)) return { error, before };
    throw error;
  }
  throw new Error(`expected a failure, got ${JSON.stringify(before)}`);
}
