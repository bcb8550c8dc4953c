import type { AgentMessage, AssistantMessage, ToolResultMessage } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it } from "vitest";
import { standIn } from "../../src/conversation/message-replacement.js";

const result: ToolResultMessage = {
  role: "toolResult",
  toolCallId: "call-1",
  toolName: "work",
  isError: false,
  content: [{ type: "text", text: "work ran" }],
  timestamp: 0,
};
const reply: AssistantMessage = {
  role: "assistant",
  content: [{ type: "toolCall", toolCallId: "call-1", toolName: "work", params: {} }],
  provider: "scripted",
  model: "script",
  stopReason: "tool-calls",
  timestamp: 0,
};

describe("standIn", () => {
  it.each<[string, AgentMessage]>([
    [
      "a result with an image",
      { ...result, content: [{ type: "image", data: "aGk=", mimeType: "image/png" }] },
    ],
    ["a result without content", { ...result, content: [] }],
    [
      "a reply with every kind of part",
      {
        ...reply,
        content: [{ type: "thinking", text: "hm" }, { type: "text", text: "ok" }, ...reply.content],
      },
    ],
    ["a user's text", { role: "user", content: [{ type: "text", text: "hi" }], timestamp: 0 }],
  ])("takes %s, as a copy", (_what, message) => {
    expect(standIn(message, message)).toEqual(message);
    expect(standIn(message, message)).not.toBe(message);
  });

  it("omits what JSON cannot hold", () => {
    const replacement = { ...result, details: { when: new Date(0), run: () => 1 } };
    expect(standIn(result, replacement as unknown as AgentMessage)).toEqual({
      ...result,
      details: { when: "1970-01-01T00:00:00.000Z" },
    });
  });

  const cycle: unknown[] = [];
  cycle.push(cycle);

  it.each<[string, Record<string, unknown>]>([
    ["of another role", { role: "user" }],
    ["for another call", { toolCallId: "call-7" }],
    ["that JSON cannot hold", { details: cycle }],
    ["with a part that is null", { content: [null] }],
    ["with a part that is a text", { content: ["text"] }],
    ["with a text part without text", { content: [{ type: "text" }] }],
    ["with a thought without text", { content: [{ type: "thinking", text: 1 }] }],
    ["with an image without bytes", { content: [{ type: "image", mimeType: "image/png" }] }],
    ["with an image without a type", { content: [{ type: "image", data: "aGk=" }] }],
    ["with a call without an id", { content: [{ type: "toolCall", toolName: "work" }] }],
    ["with a call without a name", { content: [{ type: "toolCall", toolCallId: "call-1" }] }],
    ["with a part of no known type", { content: [{ type: "video" }] }],
  ])("rejects a message %s", (_what, changes) => {
    // Plugins need not be typed.
    const replacement = { ...result, ...changes } as unknown as AgentMessage;
    expect(standIn(result, replacement)).toBeUndefined();
  });
});
