import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ChatAnswer } from "./turn-state.js";

/**
 * Returns the answer to a message as the result of the tool.
 * @param answer - answer of the agent
 */
export function chatResult(answer: ChatAnswer): CallToolResult {
  const { status, text } = answer;
  return {
    content: [{ type: "text", text }],
    structuredContent: { ...answer },
    isError: status === "failed" || status === "interrupted",
  };
}
