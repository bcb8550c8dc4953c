import { Check } from "typebox/schema";
import { describe, expect, it } from "vitest";
import { chatCompletionRequestSchema } from "../../src/openai.js";

const hello = [{ role: "user", content: "hello" }];
const isRequest = (value: unknown) => Check(chatCompletionRequestSchema, value);

describe("chatCompletionRequestSchema", () => {
  it.each([
    { model: "openclaw", messages: hello },
    { model: "openclaw", messages: hello, stream: true, stream_options: { include_usage: true } },
    { model: "openclaw", messages: hello, stream: null, stream_options: null, tools: null },
    { model: "openclaw", messages: hello, user: "alice", temperature: 0.2, n: 1 },
    {
      model: "openclaw",
      messages: [
        { role: "system", content: [{ type: "text", text: "Be brief." }] },
        { role: "developer", content: "Be kind." },
        { role: "user", content: [{ type: "image_url", image_url: { url: "data:" } }], name: "a" },
        { role: "assistant", content: null, refusal: null },
        {
          role: "assistant",
          tool_calls: [{ id: "1", type: "function", function: { name: "f", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "1", content: "done" },
        ...hello,
      ],
    },
  ])("accepts %j", (request) => {
    expect(isRequest(request)).toBe(true);
  });

  it.each([
    null,
    [],
    {},
    { model: "openclaw" },
    { model: "", messages: hello },
    { model: "openclaw", messages: [] },
    { model: "openclaw", messages: {} },
    { model: "openclaw", messages: [{ role: "user" }] },
    { model: "openclaw", messages: [{ role: "robot", content: "x" }] },
    { model: "openclaw", messages: [{ role: "user", content: [{ type: "audio" }] }] },
    { model: "openclaw", messages: [{ role: "tool", content: "x" }] },
    { model: "openclaw", messages: hello, stream: "yes" },
    { model: "openclaw", messages: hello, user: 3 },
    { model: "openclaw", messages: hello, tools: {} },
  ])("rejects %j", (request) => {
    expect(isRequest(request)).toBe(false);
  });
});
