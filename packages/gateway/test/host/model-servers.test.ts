import { createServer, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { currentHash, type OpenClawConfiguration } from "@openclaw/configuration";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Gateway } from "../../src/running-gateway.js";
import { startTestGateway } from "../support/gateway.js";

/** Local server with the chat completions API. */
async function modelServer(options: { readonly models: string[]; readonly answer: string }) {
  const requests: { path: string; headers: IncomingMessage["headers"]; model?: string }[] = [];
  const state = { status: 200 };
  const chunk = (choices: object[], rest: object = {}) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices, ...rest })}\n\n`;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += String(part);
    const { url: path = "", headers } = request;
    requests.push({ path, headers, ...(body === "" ? {} : { model: JSON.parse(body).model }) });
    if (path.endsWith("/models")) {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ data: options.models.map((id) => ({ id })) }));
      return;
    }
    if (state.status !== 200) {
      response.writeHead(state.status, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: "it is down" } }));
      return;
    }
    response.setHeader("content-type", "text/event-stream");
    const delta = { role: "assistant", content: options.answer };
    response.end(
      [
        chunk([{ index: 0, delta, finish_reason: null }]),
        chunk([{ index: 0, delta: {}, finish_reason: "stop" }]),
        chunk([], { usage: { prompt_tokens: 1_000_000, completion_tokens: 0, total_tokens: 1 } }),
        "data: [DONE]\n\n",
      ].join(""),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const baseUrl = `http://127.0.0.1:${Object(server.address()).port}/v1`;
  return { baseUrl, requests, state };
}

async function start(configuration: OpenClawConfiguration) {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  folder.write({ "openclaw.json": JSON.stringify(configuration) });
  const gateway = await startTestGateway(folder);
  onTestFinished(() => gateway.stop("command"));
  return { gateway, file: join(folder.path, "openclaw.json"), methods: await gateway.methods() };
}

async function say({ receive }: Gateway, text: string) {
  const sender = { channel: "terminal", senderId: "boss", senderIsOwner: true };
  const outcome = await receive({ ...sender, conversationId: "c1", text });
  return outcome;
}

const models = { retry: { retries: 0 } };

describe("named servers", () => {
  it("[LLM-660] answer as primary and as fallback, each with its own key and headers", async () => {
    const desk = await modelServer({ models: ["qwen3"], answer: "from the desk" });
    const rack = await modelServer({ models: ["llama"], answer: "from the rack" });
    const { gateway, file, methods } = await start({
      agents: { defaults: { model: "desk/qwen3", fallbacks: ["rack/llama"] } },
      models: {
        ...models,
        providers: { desk: { type: "openai-compatible", baseUrl: desk.baseUrl } },
      },
    });
    expect(await say(gateway, "hello")).toMatchObject({ text: "from the desk" });
    expect(desk.requests.at(-1)).toMatchObject({ path: "/v1/chat/completions", model: "qwen3" });
    expect(desk.requests.at(-1)?.headers).not.toHaveProperty("authorization");

    await methods.call("secrets.set", { name: "RACK_KEY", value: "key-of-the-rack" });
    const added = await methods.call("config.set", {
      baseHash: await currentHash(file),
      changes: [
        {
          path: ["models", "providers", "rack"],
          value: {
            type: "openai-compatible",
            baseUrl: rack.baseUrl,
            apiKey: "${secret:RACK_KEY}",
            headers: { "x-team": "blue" },
            models: { llama: { contextTokens: 32_000, price: { input: "3", output: "4" } } },
          },
        },
      ],
    });
    expect(added).toMatchObject({ pending: [], failures: [] });
    expect(gateway.model.ref).toBe("desk/qwen3");
    desk.state.status = 503;
    expect(await say(gateway, "again")).toMatchObject({ text: "from the rack" });
    expect(rack.requests.at(-1)).toMatchObject({
      model: "llama",
      headers: { authorization: "Bearer key-of-the-rack", "x-team": "blue" },
    });
    const listed = await methods.call("models.list", {});
    expect(listed.models).toContainEqual(
      expect.objectContaining({
        ...{ model: "rack/llama", contextTokens: 32_000 },
        price: { input: "3", output: "4" },
      }),
    );
    expect(listed.models.map(({ model }) => model)).toContain("desk/qwen3");
    expect(JSON.stringify(await methods.call("config.get", {}))).not.toContain("key-of-the-rack");
    const status = await methods.call("models.status", {});
    expect(status.failing).toMatchObject([{ model: "desk/qwen3" }]);
  });

  it("[LLM-660] are named by their IDs in errors", async () => {
    const desk = await modelServer({ models: ["qwen3"], answer: "" });
    desk.state.status = 401;
    const { gateway, methods } = await start({
      agents: { defaults: { model: "desk/qwen3" } },
      models: {
        ...models,
        providers: { desk: { type: "openai-compatible", baseUrl: desk.baseUrl } },
      },
    });
    const outcome = await say(gateway, "hello");
    expect(JSON.stringify(outcome)).toContain("desk");
    expect(JSON.stringify(outcome)).not.toContain("openai-compatible");
    await expect(methods.call("models.test", { model: "desk/qwen3" })).rejects.toMatchObject({
      message: expect.stringContaining("check the API key of provider desk"),
    });
    await expect(methods.call("models.test", { model: "desk" })).rejects.toMatchObject({
      code: "MODEL_NOT_FOUND",
    });
  });

  it("[LLM-660] do not become the model of agents by themselves", async () => {
    const desk = await modelServer({ models: ["qwen3"], answer: "" });
    const { gateway } = await start({
      models: { providers: { desk: { type: "openai-compatible", baseUrl: desk.baseUrl } } },
    });
    expect(gateway.model.ref).toBe("demo/echo");
    expect(desk.requests).toEqual([]);
  });

  it.each([
    ["openai", { baseUrl: "http://localhost:1/v1" }, "is the name of a provider of OpenClaw"],
    ["gemini", { baseUrl: "http://localhost:1/v1" }, "is the name of a provider of OpenClaw"],
    ["My Desk", { baseUrl: "http://localhost:1/v1" }, "expected a name of 1 to 64 of a-z 0-9 -"],
    ["desk", { baseUrl: "http://u:p@localhost/v1" }, "without a user name"],
    ["desk", { baseUrl: "http://localhost/v1", apiKey: "a\nb" }, "cannot be sent in a header"],
  ])("[LLM-660] reject the server %s with %o", async (id, server, message) => {
    const configuration = {
      models: { providers: { [id]: { type: "openai-compatible" as const, ...server } } },
    };
    await expect(start(configuration)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining(message),
    });
  });
});
