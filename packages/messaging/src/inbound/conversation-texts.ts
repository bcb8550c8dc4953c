import type { ClientRequest } from "@openclaw/agent";
import type { AgentMessage, JsonValue, TextPart } from "@openclaw/plugin-sdk/tools";
import { DistinctNames } from "@openclaw/safety";
import type { InboundMessage } from "../messages/inbound.js";

/** Part of a message, other than its text, that its caller sends to the model. */
export type ConversationPart = "history" | "instructions" | "tool results" | "tools";

/**
 * Returns the replacement of a text.
 * @param text - text of the conversation
 * @param part - part that contains the text
 */
type Rewrite = (text: string, part: ConversationPart) => string;

/** The conversation that a caller sends with a message. */
type BroughtConversation = Pick<InboundMessage, "extraInstructions" | "history" | "client">;

/**
 * Rewrites the text of the conversation that a caller sends with a message: its instructions, and in its
 * history the text of each role and the parameters of tool calls, including their keys; the results of the
 * client's tools, and the descriptions of these tools.
 * @param conversation - instructions, history and the client's part
 * @param rewrite - returns the replacement of a text; not called for an empty one
 */
export function rewriteConversation(
  { extraInstructions, history, client }: BroughtConversation,
  rewrite: Rewrite,
): BroughtConversation {
  const inHistory = (text: string) => (text === "" ? text : rewrite(text, "history"));
  return {
    extraInstructions: extraInstructions && rewrite(extraInstructions, "instructions"),
    history: history?.map((message) => rewriteMessage(message, inHistory)),
    client: client && rewriteClient(client, rewrite),
  };
}

function rewriteClient(client: ClientRequest, rewrite: Rewrite): ClientRequest {
  const inResult = (text: string) => (text === "" ? text : rewrite(text, "tool results"));
  const inTool = (text: string) => (text === "" ? text : rewrite(text, "tools"));
  const { results, tools } = client;
  return {
    ...client,
    results: results?.map((result) => ({
      ...result,
      content: rewriteParts(result.content, inResult),
    })),
    tools: tools?.map((tool) => ({ ...tool, description: inTool(tool.description) })),
  };
}

function rewriteMessage(message: AgentMessage, rewrite: (text: string) => string): AgentMessage {
  if (message.role === "assistant") {
    const content = message.content.map((part) =>
      part.type === "toolCall"
        ? { ...part, params: rewriteJson(part.params, rewrite) }
        : { ...part, text: rewrite(part.text) },
    );
    return { ...message, content };
  }
  return message.role === "user"
    ? { ...message, content: rewriteParts(message.content, rewrite) }
    : { ...message, content: rewriteParts(message.content, rewrite) };
}

function rewriteParts<Part extends { readonly type: string }>(
  parts: readonly (Part | TextPart)[],
  rewrite: (text: string) => string,
): (Part | TextPart)[] {
  return parts.map((part) => (isText(part) ? { ...part, text: rewrite(part.text) } : part));
}

function isText(part: { readonly type: string }): part is TextPart {
  return part.type === "text";
}

function rewriteJson(value: JsonValue, rewrite: (text: string) => string): JsonValue {
  if (typeof value === "string") return rewrite(value);
  if (Array.isArray(value)) return value.map((member) => rewriteJson(member, rewrite));
  if (typeof value !== "object" || value === null) return value;
  const names = new DistinctNames();
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      names.take(rewrite(key)),
      rewriteJson(member, rewrite),
    ]),
  );
}
