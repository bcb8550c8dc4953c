import type { GetPromptResult } from "@modelcontextprotocol/client";
import { toolResult } from "../tools/result.js";

/**
 * Returns the text of a prompt for the agent. Messages in the name of the assistant are named as such; images and other files
 * are described by a line.
 * @param result - answer of the server
 */
export function promptText({ messages }: GetPromptResult): string {
  const hasAssistant = messages.some(({ role }) => role === "assistant");
  return messages
    .map(({ role, content }) => {
      const { content: parts } = toolResult({ content: [content] }, { server: "", tool: "" });
      const text = parts
        .map((part) => (part.type === "text" ? part.text : `[${part.type}]`))
        .join("\n");
      return hasAssistant ? `${role}: ${text}` : text;
    })
    .join("\n\n");
}
