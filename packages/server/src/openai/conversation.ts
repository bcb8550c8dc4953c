import type { AgentMessage, ImagePart, TextPart } from "@openclaw/plugin-sdk/tools";
import type { ChatCompletionMessage } from "@openclaw/protocol";

/** Messages of a request in the form that a turn takes. */
export interface RequestedConversation {
  /** Text of the last user message. */
  readonly text: string;
  /** True when that message also contains an image. */
  readonly hasImage: boolean;
  /** Messages before it, without instructions; undefined when the request contains none. */
  readonly history: AgentMessage[] | undefined;
  /** System and developer messages, joined. */
  readonly instructions: string | undefined;
}

/**
 * Reads the messages of a chat completion request: instructions are added to the system prompt of this turn,
 * earlier messages replace the stored history, and the last message is the input (GW-035).
 * @param messages - messages, at least one
 * @param now - timestamp of the messages, milliseconds since the epoch
 * @returns the conversation; undefined when the last message is not a user's
 */
export function readConversation(
  messages: readonly ChatCompletionMessage[],
  now: number,
): RequestedConversation | undefined {
  const last = messages.at(-1);
  if (last?.role !== "user") return undefined;
  const instructions: string[] = [];
  const history: AgentMessage[] = [];
  const toolNames = new Map<string, string>();
  for (const message of messages.slice(0, -1)) {
    if (isInstruction(message)) instructions.push(plainText(message.content));
    else history.push(toAgentMessage(message, toolNames, now));
  }
  return {
    text: plainText(last.content),
    hasImage: typeof last.content !== "string" && last.content.some(isImage),
    history: history.length === 0 ? undefined : history,
    instructions: instructions.length === 0 ? undefined : instructions.join("\n\n"),
  };
}

type InstructionMessage = Extract<ChatCompletionMessage, { role: "system" | "developer" }>;
type SpokenMessage = Exclude<ChatCompletionMessage, InstructionMessage>;

function isInstruction(message: ChatCompletionMessage): message is InstructionMessage {
  return message.role === "system" || message.role === "developer";
}

function toAgentMessage(
  message: SpokenMessage,
  toolNames: Map<string, string>,
  timestamp: number,
): AgentMessage {
  switch (message.role) {
    case "user":
      return { role: "user", content: userParts(message.content), timestamp };
    case "assistant": {
      const text = plainText(message.content ?? "");
      const calls = message.tool_calls ?? [];
      for (const call of calls) toolNames.set(call.id, call.function.name);
      return {
        role: "assistant",
        content: [
          ...(text === "" ? [] : [{ type: "text" as const, text }]),
          ...calls.map((call) => ({
            type: "toolCall" as const,
            toolCallId: call.id,
            toolName: call.function.name,
            params: parseArguments(call.function.arguments),
          })),
        ],
        provider: "api",
        model: "caller",
        stopReason: calls.length > 0 ? "tool-calls" : "stop",
        timestamp,
      };
    }
    case "tool":
      return {
        role: "toolResult",
        toolCallId: message.tool_call_id,
        toolName: toolNames.get(message.tool_call_id) ?? "unknown",
        content: [{ type: "text", text: plainText(message.content) }],
        isError: false,
        timestamp,
      };
  }
}

type ContentPart =
  | { type: "text"; text: string }
  | { type: "image_url"; image_url: { url: string } };
type Content = string | readonly ContentPart[];

function isImage({ type }: ContentPart): boolean {
  return type === "image_url";
}

function plainText(content: Content): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function userParts(content: Content): (TextPart | ImagePart)[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content.map((part) => (part.type === "text" ? part : imagePart(part.image_url.url)));
}

/** Converts an image, which must be a data URL; the host does not fetch URLs that a caller supplies. */
function imagePart(url: string): TextPart | ImagePart {
  const match = /^data:(image\/[a-z0-9.+-]+);base64,([A-Za-z0-9+/=]+)$/.exec(url);
  const [, mimeType, data] = match ?? [];
  return mimeType === undefined || data === undefined
    ? { type: "text", text: "[image given by URL, not fetched]" }
    : { type: "image", mimeType, data };
}

function parseArguments(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
