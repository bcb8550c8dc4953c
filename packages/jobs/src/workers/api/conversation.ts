import { sha256 } from "@openclaw/foundation";
import type { AgentMessage, AssistantMessage, JsonValue } from "@openclaw/plugin-sdk/tools";
import type { WorkerMessage, WorkerModelAnswer, WorkerToolCall } from "./requests.js";

/**
 * The conversation of a worker with its model. The host keeps the replies of the model as they came, because a worker
 * sends back their text and calls alone, and providers recognise their replies by more.
 */
export class WorkerConversation {
  readonly #replies = new Map<string, AssistantMessage>();
  readonly #guard: (toolName: string, text: string) => string;
  readonly #now: () => number;

  /**
   * @param guard - passes results of tools through the safety pipeline
   * @param now - returns milliseconds since the epoch
   */
  constructor(guard: (toolName: string, text: string) => string, now: () => number) {
    this.#guard = guard;
    this.#now = now;
  }

  /** Returns the messages of a request as models receive them. */
  read(messages: readonly WorkerMessage[]): {
    readonly system: string;
    readonly messages: readonly AgentMessage[];
  } {
    const system: string[] = [];
    const read: AgentMessage[] = [];
    const timestamp = this.#now();
    for (const message of messages) {
      const { role, content } = message;
      if (role === "system") system.push(content);
      else if (role === "user") {
        read.push({ role, content: [{ type: "text", text: content }], timestamp });
      } else if (role === "tool") {
        const { tool_call_id: toolCallId = "", name: toolName = "" } = message;
        const text = this.#guard(toolName, content);
        read.push({
          ...{ role: "toolResult", toolCallId, toolName, isError: false, timestamp },
          content: [{ type: "text", text }],
        });
      } else read.push(this.#reply(message, timestamp));
    }
    return { system: system.join("\n\n"), messages: read };
  }

  /**
   * Returns the answer to a request, and keeps the reply.
   * @param message - reply of the model
   * @param usage - tokens that it used
   */
  answer(
    message: AssistantMessage,
    { input = 0, output = 0 }: NonNullable<AssistantMessage["usage"]>,
  ): WorkerModelAnswer {
    const texts: string[] = [];
    const calls: WorkerToolCall[] = [];
    for (const part of message.content) {
      if (part.type === "text") texts.push(part.text);
      else if (part.type === "toolCall") {
        calls.push({ id: part.toolCallId, name: part.toolName, arguments: part.params });
      }
    }
    const content = texts.join("\n");
    this.keep(message);
    return {
      ...{ content, tool_calls: calls, finish_reason: message.stopReason },
      ...{ input_tokens: input, output_tokens: output },
    };
  }

  /**
   * Keeps a reply as the model gave it.
   * @param message - reply of the model
   */
  keep(message: AssistantMessage): void {
    this.#replies.set(keyOfReply(message), message);
  }

  /**
   * Returns messages as models receive them, when a worker sends them in their form: guarded results, with the names of
   * their tools, and replies as they came.
   * @param messages - messages of the worker
   */
  restore(messages: readonly AgentMessage[]): readonly AgentMessage[] {
    const names = new Map<string, string>();
    return messages.map((message) => {
      if (message.role === "assistant") {
        for (const part of message.content) {
          if (part.type === "toolCall") names.set(part.toolCallId, part.toolName);
        }
        return this.#replies.get(keyOfReply(message)) ?? message;
      }
      if (message.role !== "toolResult") return message;
      const toolName = names.get(message.toolCallId) ?? message.toolName;
      const content = message.content.map((part) =>
        part.type === "text" ? { ...part, text: this.#guard(toolName, part.text) } : part,
      );
      return { ...message, toolName, content };
    });
  }

  #reply({ content, tool_calls: calls = [] }: WorkerMessage, timestamp: number): AssistantMessage {
    const kept = this.#replies.get(keyOf(content, calls));
    if (kept !== undefined) return kept;
    const text = content === "" ? [] : [{ type: "text" as const, text: content }];
    return {
      ...{ role: "assistant", provider: "", model: "", stopReason: "stop", timestamp },
      content: [
        ...text,
        ...calls.map(({ id, name, arguments: params }) => ({
          ...{ type: "toolCall" as const, toolCallId: id, toolName: name },
          params: jsonOf(params),
        })),
      ],
    };
  }
}

function keyOfReply({ content }: AssistantMessage): string {
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const calls = content.flatMap((part) =>
    part.type === "toolCall" ? [{ id: part.toolCallId, name: part.toolName }] : [],
  );
  return keyOf(texts.join("\n"), calls);
}

function keyOf(content: string, calls: readonly Pick<WorkerToolCall, "id" | "name">[]): string {
  return sha256(JSON.stringify([content, calls.map(({ id, name }) => [id, name])]));
}

/** Returns a value that a request contained, and which is therefore JSON. */
function jsonOf(value: unknown): JsonValue {
  const copy: JsonValue = JSON.parse(JSON.stringify(value ?? {}));
  return copy;
}
