import { Hono } from "hono";
import { expect, it } from "vitest";
import { createModelCallRoute, type RequestedModelCall } from "../../src/anthropic/model-call.js";

function openWire(fails = false) {
  const calls: RequestedModelCall[] = [];
  const route = createModelCallRoute(() => 7);
  const app = new Hono();
  app.post("/v1/messages", (context) =>
    route(context, async (call) => {
      calls.push(call);
      if (fails) {
        const failure = { status: 502, type: "server_error", code: "MODEL_FAILED" } as const;
        return { ...failure, message: "it is down", shouldRetry: false };
      }
      return {
        message: {
          ...{ role: "assistant", provider: "p", model: "m", stopReason: "tool-calls" },
          timestamp: 0,
          content: [
            { type: "text", text: "I look." },
            { type: "toolCall", toolCallId: "c1", toolName: "Read", params: { file_path: "a" } },
          ],
        },
        usage: { input: 5, output: 2, cacheRead: 1 },
      };
    }),
  );
  const send = (body: object) =>
    app.request("/v1/messages", { method: "POST", body: JSON.stringify(body) });
  return { calls, send };
}

const REQUEST = {
  ...{ model: "sonnet", max_tokens: 100, system: "be brief" },
  messages: [
    { role: "user", content: "go" },
    { role: "assistant", content: [{ type: "tool_use", id: "c0", name: "Bash", input: {} }] },
    {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "c0", content: "a", is_error: true }],
    },
  ],
  tools: [{ name: "Read", description: "reads", input_schema: { type: "object" } }],
};

it("[JOB-531] a request of the Messages API is one model call, with the tools of its client alone", async () => {
  const { calls, send } = openWire();
  const response = await send(REQUEST);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    ...{ type: "message", role: "assistant", model: "sonnet", stop_reason: "tool_use" },
    content: [
      { type: "text", text: "I look." },
      { type: "tool_use", id: "c1", name: "Read", input: { file_path: "a" } },
    ],
    usage: { input_tokens: 4, output_tokens: 2, cache_read_input_tokens: 1 },
  });
  expect(calls).toMatchObject([
    {
      ...{ system: "be brief", maxOutputTokens: 100 },
      tools: [{ name: "Read", description: "reads", parameters: { type: "object" } }],
      messages: [
        { role: "user" },
        { role: "assistant", content: [{ type: "toolCall", toolCallId: "c0", toolName: "Bash" }] },
        { role: "toolResult", toolCallId: "c0", isError: true },
      ],
    },
  ]);
});

it("[JOB-531] a request with stream gets the events of a whole message", async () => {
  const { send } = openWire();
  const text = await (await send({ ...REQUEST, stream: true })).text();
  const events = [...text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name);
  expect(events).toEqual([
    ...["message_start", "content_block_start", "content_block_delta", "content_block_stop"],
    ...["content_block_start", "content_block_delta", "content_block_stop"],
    ...["message_delta", "message_stop"],
  ]);
  expect(text).toContain('"partial_json":"{\\"file_path\\":\\"a\\"}"');
});

it("[JOB-531] the failure of a model is an error that its client does not repeat", async () => {
  const { send } = openWire(true);
  const response = await send(REQUEST);
  expect(response.status).toBe(502);
  expect(response.headers.get("x-should-retry")).toBe("false");
  expect(await response.json()).toMatchObject({ error: { message: "it is down" } });
  expect((await send({ model: "x" })).status).toBe(400);
});
