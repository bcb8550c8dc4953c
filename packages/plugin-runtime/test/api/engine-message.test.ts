import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it } from "vitest";
import { readEngineMessage } from "../../src/api/engine-message.js";

const call = { toolCallId: "c1", toolName: "read", params: { path: "a" } };

describe("message of a context engine", () => {
  it("[PLUG-117] keeps a message of this host as it is", () => {
    const messages: AgentMessage[] = [
      { role: "user", content: [{ type: "text", text: "hi" }], timestamp: 1 },
      {
        role: "assistant",
        content: [
          { type: "thinking", text: "hm" },
          { type: "toolCall", ...call },
        ],
        provider: "p",
        model: "m",
        stopReason: "tool-calls",
        deliveredText: "other",
        timestamp: 2,
      },
      {
        role: "toolResult",
        toolCallId: "c1",
        toolName: "read",
        content: [{ type: "image", data: "aa", mimeType: "image/png" }],
        isError: false,
        details: { a: 1 },
        timestamp: 3,
      },
    ];
    expect(messages.map(readEngineMessage)).toEqual(messages);
  });

  it("[PLUG-117] reads the content and the field names of older plugins", () => {
    expect(readEngineMessage({ role: "user", content: "hi" })).toEqual({
      role: "user",
      content: [{ type: "text", text: "hi" }],
      timestamp: 0,
    });
    const content = [
      { type: "thinking", thinking: "hm" },
      { type: "toolCall", id: "c1", name: "read", arguments: { path: "a" } },
      { type: "toolCall", id: "c1", name: "read", input: { path: "a" } },
      { type: "toolCall", id: "c2", name: "now" },
    ];
    expect(readEngineMessage({ role: "assistant", content })).toMatchObject({
      content: [
        { type: "thinking", text: "hm" },
        { type: "toolCall", ...call },
        { type: "toolCall", ...call },
        { type: "toolCall", toolCallId: "c2", toolName: "now", params: {} },
      ],
      stopReason: "stop",
    });
    expect(readEngineMessage({ role: "toolResult", toolCallId: "c1", content: "x" })).toMatchObject(
      {
        toolName: "unknown",
        isError: false,
        content: [{ type: "text", text: "x" }],
      },
    );
  });

  it.each([
    ["another role", { role: "system", content: "x" }],
    ["no content", { role: "user" }],
    ["a result without its call", { role: "toolResult", content: "x" }],
    ["a part of another role", { role: "user", content: [{ type: "toolCall", ...call }] }],
    ["a call without a name", { role: "assistant", content: [{ type: "toolCall", id: "c1" }] }],
    ["a text that is not a string", { role: "user", content: [{ type: "text", text: 7 }] }],
    ["an inherited part", { role: "user", content: [{ type: "constructor" }] }],
    ["a time that is not a number", { role: "user", content: "x", timestamp: "now" }],
    ["nothing", null],
  ])("[PLUG-117] rejects %s", (_what, value) => {
    expect(readEngineMessage(value)).toBeUndefined();
  });
});
