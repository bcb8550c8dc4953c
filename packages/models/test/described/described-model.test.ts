import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createDescribedModel, streamModel } from "../../src/index.js";
import { collect, request } from "../support/collect.js";

/** Events of a reply "hi", as the servers of each API stream them. */
const REPLIES: Readonly<Record<string, readonly object[]>> = {
  "/v1/responses": [
    { type: "response.created", response: { id: "r", created_at: 1, model: "m" } },
    {
      type: "response.output_item.added",
      output_index: 0,
      item: { type: "message", id: "t", phase: null },
    },
    { type: "response.output_text.delta", item_id: "t", delta: "hi" },
    {
      type: "response.output_item.done",
      output_index: 0,
      item: { type: "message", id: "t", phase: null },
    },
    {
      type: "response.completed",
      response: { usage: { input_tokens: 1, output_tokens: 1 }, incomplete_details: null },
    },
  ],
  "/v1/messages": [
    {
      type: "message_start",
      message: {
        ...{ id: "m", type: "message", role: "assistant", content: [], model: "m" },
        ...{ stop_reason: null, stop_sequence: null },
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "hi" } },
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { output_tokens: 1 },
    },
    { type: "message_stop" },
  ],
  "/v1/chat/completions": [
    { id: "c", created: 1, model: "m", choices: [{ index: 0, delta: { content: "hi" } }] },
    { id: "c", created: 1, model: "m", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
  ],
};

/** Starts a server that speaks the three APIs until the end of the test. */
async function startServer() {
  const received: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
  const server = createServer((message, response) => {
    const path = message.url ?? "";
    received.push({ path, headers: message.headers });
    message.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of REPLIES[path] ?? []) response.write(`data: ${JSON.stringify(event)}\n\n`);
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return { baseUrl: `http://127.0.0.1:${address.port}/v1`, received };
}

describe("model that a plugin describes", () => {
  it.each([
    ["openai-completions", "/v1/chat/completions", "authorization", "Bearer own"],
    ["openai-responses", "/v1/responses", "authorization", "Bearer own"],
    ["anthropic-messages", "/v1/messages", "x-api-key", "own"],
  ])(
    "[PLUG-120] is reached over the API %s with the key of the description",
    async (api, path, header, value) => {
      const { baseUrl, received } = await startServer();
      const described = { api, baseUrl, apiKey: "own", headers: { "x-plan": "team" }, models: [] };
      const model = await createDescribedModel(described, "m");
      const events = await collect(streamModel(model, request({})));
      expect(JSON.stringify(events)).toContain('"hi"');
      expect(received).toMatchObject([{ path, headers: { [header]: value, "x-plan": "team" } }]);
    },
  );

  it.each([
    ["openai-responses", "OPENAI_API_KEY"],
    ["anthropic-messages", "ANTHROPIC_API_KEY"],
    ["openai-completions", "OPENAI_API_KEY"],
  ])("[PLUG-120] of the API %s does not receive %s of the environment", async (api, variable) => {
    vi.stubEnv(variable, "sk-of-the-operator");
    const { baseUrl, received } = await startServer();
    await collect(
      streamModel(await createDescribedModel({ api, baseUrl, models: [] }, "m"), request({})),
    );
    expect(received).toHaveLength(1);
    expect(JSON.stringify(received)).not.toContain("sk-of-the-operator");
  });

  it("[PLUG-120] takes the URL of Anthropic's API with and without its version", async () => {
    const { baseUrl, received } = await startServer();
    for (const url of [baseUrl, `${baseUrl}/`, baseUrl.replace("/v1", "")]) {
      const described = { api: "anthropic-messages", baseUrl: url, models: [] };
      await collect(streamModel(await createDescribedModel(described, "m"), request({})));
    }
    expect(received.map(({ path }) => path)).toEqual(Array(3).fill("/v1/messages"));
  });

  it.each(["google-gemini", "constructor"])(
    "[PLUG-120] is rejected for the API %s",
    async (api) => {
      await expect(
        createDescribedModel({ api, baseUrl: "http://127.0.0.1:1", models: [] }, "m"),
      ).rejects.toThrow(
        `the model "m" is served by the API "${api}", and of described models this host speaks openai-completions, openai-responses, anthropic-messages;`,
      );
    },
  );
});
