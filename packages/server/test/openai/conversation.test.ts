import type { ChatCompletionMessage } from "@openclaw/protocol";
import { describe, expect, it } from "vitest";
import { readConversation } from "../../src/openai/conversation.js";

const NOW = 1_700_000_000_000;
const read = (...messages: ChatCompletionMessage[]) => readConversation(messages, NOW);
const PIXEL = "data:image/png;base64,iVBORw0KGgo=";

describe("readConversation", () => {
  it("returns the text of a single message", () => {
    expect(read({ role: "user", content: "hello" })).toEqual({
      text: "hello",
      hasImage: false,
      history: undefined,
      instructions: undefined,
    });
  });

  it("collects instructions from any position", () => {
    expect(
      read(
        { role: "system", content: "Be brief." },
        { role: "user", content: "one" },
        {
          role: "developer",
          content: [
            { type: "text", text: "Be kind." },
            { type: "text", text: "Be true." },
          ],
        },
        { role: "user", content: "two" },
      ),
    ).toMatchObject({ text: "two", instructions: "Be brief.\n\nBe kind.\nBe true." });
  });

  it("converts messages to history with calls, results and images", () => {
    const conversation = read(
      {
        role: "user",
        content: [
          { type: "text", text: "what is this" },
          { type: "image_url", image_url: { url: PIXEL } },
          { type: "image_url", image_url: { url: "https://example.com/cat.png" } },
        ],
      },
      {
        role: "assistant",
        content: "I look.",
        tool_calls: [
          { id: "1", type: "function", function: { name: "look", arguments: '{"at":"it"}' } },
          { id: "2", type: "function", function: { name: "look", arguments: "not json" } },
        ],
      },
      { role: "tool", tool_call_id: "1", content: "a cat" },
      { role: "tool", tool_call_id: "9", content: [{ type: "text", text: "nobody asked" }] },
      { role: "assistant", content: null },
      {
        role: "user",
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      },
    );
    expect(conversation?.text).toBe("a\nb");
    expect(conversation?.history).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "what is this" },
          { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" },
          { type: "text", text: expect.stringContaining("not fetched") },
        ],
        timestamp: NOW,
      },
      {
        role: "assistant",
        content: [
          { type: "text", text: "I look." },
          { type: "toolCall", toolCallId: "1", toolName: "look", params: { at: "it" } },
          { type: "toolCall", toolCallId: "2", toolName: "look", params: "not json" },
        ],
        provider: "api",
        model: "caller",
        stopReason: "tool-calls",
        timestamp: NOW,
      },
      {
        role: "toolResult",
        toolCallId: "1",
        toolName: "look",
        content: [{ type: "text", text: "a cat" }],
        isError: false,
        timestamp: NOW,
      },
      expect.objectContaining({ toolCallId: "9", toolName: "unknown" }),
      expect.objectContaining({ role: "assistant", content: [], stopReason: "stop" }),
    ]);
  });

  it("reports whether the last message contains an image", () => {
    expect(
      read({ role: "user", content: [{ type: "image_url", image_url: { url: PIXEL } }] }),
    ).toMatchObject({ text: "", hasImage: true });
  });

  it.each<ChatCompletionMessage>([
    { role: "assistant", content: "hello" },
    { role: "system", content: "Be brief." },
    { role: "tool", tool_call_id: "1", content: "a cat" },
  ])("requires a user message at the end, not %j", (last) => {
    expect(read({ role: "user", content: "hello" }, last)).toBeUndefined();
  });
});
