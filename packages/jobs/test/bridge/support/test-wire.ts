import type { AgentMessage, AssistantMessage } from "@openclaw/plugin-sdk/tools";
import type { MessagesWire } from "../../../src/workers/model-port.js";

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: object;
  readonly tool_use_id?: string;
  readonly content?: string;
  readonly is_error?: boolean;
}

/** The part of the Messages API that the fake Claude Code uses; the host has the whole. */
export const testWire: MessagesWire = async (context, complete) => {
  const body: {
    readonly max_tokens: number;
    readonly messages: readonly { readonly role: string; readonly content: string | Block[] }[];
  } = await context.req.json();
  const reply = await complete({
    ...{ system: "", tools: [], maxOutputTokens: body.max_tokens },
    messages: body.messages.flatMap(({ role, content }) => messagesOf(role, content)),
  });
  if ("status" in reply) return context.json(reply, reply.status);
  const events = reply.message.content.flatMap((part, index): object[] => {
    if (part.type === "text") {
      const delta = { type: "text_delta", text: part.text };
      return [
        { type: "content_block_start", index, content_block: { type: "text", text: "" } },
        { type: "content_block_delta", index, delta },
      ];
    }
    if (part.type !== "toolCall") return [];
    const block = { type: "tool_use", id: part.toolCallId, name: part.toolName, input: {} };
    const delta = { type: "input_json_delta", partial_json: JSON.stringify(part.params) };
    return [
      { type: "content_block_start", index, content_block: block },
      { type: "content_block_delta", index, delta },
    ];
  });
  return context.body(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
};

function messagesOf(role: string, content: string | readonly Block[]): AgentMessage[] {
  const timestamp = 0;
  if (typeof content === "string") {
    return [{ role: "user", content: [{ type: "text", text: content }], timestamp }];
  }
  if (role === "assistant") {
    const parts = content.map((block): AssistantMessage["content"][number] =>
      block.type === "text"
        ? { type: "text", text: block.text ?? "" }
        : {
            ...{ type: "toolCall", toolCallId: block.id ?? "", toolName: block.name ?? "" },
            params: JSON.parse(JSON.stringify(block.input)),
          },
    );
    return [
      {
        ...{ role: "assistant", provider: "api", model: "caller", stopReason: "stop", timestamp },
        content: parts,
      },
    ];
  }
  return content.map((block) => ({
    ...{ role: "toolResult", toolCallId: block.tool_use_id ?? "", toolName: "unknown", timestamp },
    ...{ isError: block.is_error === true },
    content: [{ type: "text", text: block.content ?? "" }],
  }));
}
