import Anthropic, { APIError } from "@anthropic-ai/sdk";
import type { MessageParam } from "@anthropic-ai/sdk/resources/messages";
import { describe, expect, it } from "vitest";
import {
  createTestHost,
  serve,
  type TestAccess,
  type TestHost,
  TOKEN,
  testAccess,
} from "../../support/host.js";

type Options = Parameters<typeof createTestHost>[0];

interface Scene {
  readonly host: TestHost;
  readonly client: Anthropic;
  readonly url: string;
}

async function scene(
  options: Options = {},
  parts: Parameters<typeof serve>[1] = {},
): Promise<Scene> {
  const host = await createTestHost(options);
  const { url } = await serve(host, parts);
  return { host, url, client: new Anthropic({ baseURL: url, apiKey: TOKEN, maxRetries: 0 }) };
}

const HELLO: readonly MessageParam[] = [{ role: "user", content: "hello" }];

function requestOf(rest: object = {}) {
  return { model: "openclaw", max_tokens: 500, messages: [...HELLO], ...rest };
}

async function failureOf(work: Promise<unknown>): Promise<APIError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof APIError) return error;
  throw new Error(`expected an error of the API, got ${String(error)}`);
}

describe("keys", () => {
  it.each(["x-api-key", "authorization"])("[GW-543] are accepted as %s", async (header) => {
    const { url } = await scene();
    const key = header === "authorization" ? `Bearer ${TOKEN}` : TOKEN;
    const response = await fetch(`${url}/v1/messages`, {
      method: "POST",
      headers: { [header]: key, "content-type": "application/json" },
      body: JSON.stringify(requestOf()),
    });
    expect(response.status).toBe(200);
  });

  it("[GW-543] that are wrong are rejected with the authentication error of the API", async () => {
    const { url } = await scene();
    const client = new Anthropic({ baseURL: url, apiKey: "wrong", maxRetries: 0 });
    const error = await failureOf(client.messages.create(requestOf()));
    expect(error.status).toBe(401);
    expect(error.error).toMatchObject({
      type: "error",
      error: { type: "authentication_error", code: "invalid_token" },
    });
  });
});

const said = (block: object) => ({ messages: [{ role: "user", content: [block] }] });

describe("errors", () => {
  it.each([
    [{ max_tokens: undefined }, "max_tokens"],
    [{ messages: [] }, "messages"],
    [{ messages: [{ role: "assistant", content: "hi" }] }, "last message"],
    [{ stop_token: "x" }, "stop_token"],
    [
      said({ type: "text", text: "x", cache_control: { type: "ephemeral", ttl: "10m" } }),
      'content/0/cache_control/ttl must be one of \\"5m\\", \\"1h\\"',
    ],
    [said({ type: "image" }), "content/0 must have required properties source"],
    [
      said({ type: "tool_result", tool_use_id: 3, content: "x" }),
      "content/0/tool_use_id must be string",
    ],
    [{ container: "box" }, "container"],
    [{ mcp_servers: [{ type: "url", url: "https://x.example", name: "x" }] }, "mcp_servers"],
    [{ tools: [{ type: "code_execution_20250825", name: "code_execution" }] }, "tools[0]"],
    [
      { messages: [{ role: "user", content: [{ type: "container_upload", file_id: "f" }] }] },
      "content[0]",
    ],
    [
      {
        messages: [
          {
            role: "user",
            content: [
              {
                type: "document",
                citations: { enabled: true },
                source: { type: "text", media_type: "text/plain", data: "x" },
              },
            ],
          },
        ],
      },
      "citations",
    ],
  ])("[GW-543] [GW-546] of an invalid request name the parameter: %j", async (rest, named) => {
    const { client } = await scene();
    const error = await failureOf(client.messages.create(requestOf(rest)));
    expect(error.status).toBe(400);
    expect(error.error).toMatchObject({ error: { type: "invalid_request_error" } });
    expect(error.message).toContain(named);
  });

  it("[GW-543] of a model that fails have the type of their status, and tell clients not to repeat", async () => {
    const { client } = await scene({ script: () => ({ error: { status: 503, message: "down" } }) });
    const error = await failureOf(client.messages.create(requestOf()));
    expect(error.status).toBe(502);
    expect(error.error).toMatchObject({ error: { type: "api_error" } });
    expect(error.headers?.get("x-should-retry")).toBe("false");
  });

  it("[GW-543] of a rate limit have the time to wait", async () => {
    const limits: TestAccess["limits"] = { requestsPerMinute: 1 };
    const { client } = await scene({}, { access: testAccess({ limits }) });
    await client.messages.create(requestOf());
    const error = await failureOf(client.messages.create(requestOf()));
    expect(error.status).toBe(429);
    expect(error.error).toMatchObject({ error: { type: "rate_limit_error" } });
    expect(Number(error.headers?.get("retry-after"))).toBeGreaterThan(0);
  });

  it("[GW-543] of unknown routes and of invalid JSON have the form of the API", async () => {
    const { url } = await scene();
    const headers = { "x-api-key": TOKEN, "anthropic-version": "2023-06-01" };
    const missing = await fetch(`${url}/v1/messages/batches`, { headers });
    expect(missing.status).toBe(404);
    expect(await missing.json()).toMatchObject({ error: { type: "not_found_error" } });
    const invalid = await fetch(`${url}/v1/messages`, { method: "POST", headers, body: "{" });
    expect(invalid.status).toBe(400);
    expect(await invalid.json()).toMatchObject({
      type: "error",
      error: { type: "invalid_request_error", code: "invalid_json" },
    });
  });
});

describe("parameters that do not change the answer", () => {
  it("[GW-546] are ignored and named, with tools of the platform; marks for caches are not", async () => {
    const { client } = await scene();
    const cache_control = { type: "ephemeral" as const };
    const { response } = await client.messages
      .create(
        requestOf({
          system: [{ type: "text", text: "Be brief.", cache_control }],
          service_tier: "standard_only",
          context_management: { edits: [] },
          tools: [{ type: "web_search_20250305", name: "web_search" }],
        }),
      )
      .withResponse();
    expect(response.headers.get("openclaw-ignored")).toBe(
      "context_management, tools.web_search_20250305",
    );
  });
});

describe("names of models", () => {
  const models = () => ["anthropic/claude-large-1", "openai/small"];
  const modelNames = () => ({ "claude-haiku-*": "openai/small", "claude-*": "openclaw" });

  it.each([
    ["openclaw", undefined],
    ["openai/small", undefined],
    ["claude-large-1", "anthropic/claude-large-1"],
    ["claude-haiku-9", "openai/small"],
    ["claude-other", "openclaw"],
    ["something-else", "openclaw"],
  ])("[GW-544] %s is answered by %s", async (model, expected) => {
    const chosen: (string | undefined)[] = [];
    const { client, host } = await scene({}, { models, modelNames });
    const { url } = await serve(host, {
      models,
      modelNames,
      receive: (message, caller) => {
        chosen.push(message.model);
        return host.flow.receive({ ...message, model: undefined }, caller);
      },
    });
    const { data, response } = await new Anthropic({ baseURL: url, apiKey: TOKEN }).messages
      .create(requestOf({ model }))
      .withResponse();
    expect(client.maxRetries).toBe(0);
    expect(data.model).toBe(model);
    expect(response.headers.get("openclaw-model") ?? undefined).toBe(expected);
    const named = expected ?? model;
    expect(chosen).toEqual([named === "openclaw" ? undefined : named]);
  });

  it("[GW-544] of an agent that does not exist are rejected", async () => {
    const { client } = await scene();
    const error = await failureOf(client.messages.create(requestOf({ model: "openclaw/nope" })));
    expect(error.status).toBe(404);
    expect(error.message).toContain("openclaw/nope");
  });
});

describe("lists and counts", () => {
  it("[GW-545] list agents and models page by page", async () => {
    const { client } = await scene({}, { models: () => ["a/one", "b/two"] });
    const ids: string[] = [];
    for await (const { id, type } of client.models.list({ limit: 2 })) {
      expect(type).toBe("model");
      ids.push(id);
    }
    expect(ids).toEqual(["openclaw", "openclaw/main", "a/one", "b/two"]);
    expect(await client.models.retrieve("a/one")).toMatchObject({ id: "a/one", type: "model" });
    expect((await failureOf(client.models.retrieve("nope"))).status).toBe(404);
  });

  it("[GW-545] count the tokens of system, messages and tools without a model", async () => {
    const { client, host } = await scene();
    const count = async (rest: object) =>
      (await client.messages.countTokens({ model: "openclaw", messages: [...HELLO], ...rest }))
        .input_tokens;
    const plain = await count({});
    const system = await count({ system: "Answer in Latin, please." });
    const tools = await count({
      tools: [{ name: "look", description: "Looks.", input_schema: { type: "object" } }],
    });
    expect(plain).toBeGreaterThan(0);
    expect(system).toBeGreaterThan(plain);
    expect(tools).toBeGreaterThan(plain);
    expect(host.asked()).toEqual([]);
  });

  it("[GW-545] answer HEAD / without a key", async () => {
    const { url } = await scene();
    const response = await fetch(url, { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });
});

describe("reasoning", () => {
  it("[GW-542] is returned only to a client that asks for it, without its text when it wants none", async () => {
    const { client } = await scene({ script: () => ({ thinking: "Hm.", text: "ok" }) });
    const blocks = async (rest: object) =>
      (await client.messages.create(requestOf(rest))).content.map((block) =>
        block.type === "thinking" ? block.thinking : block.type,
      );
    expect(await blocks({})).toEqual(["text"]);
    expect(await blocks({ thinking: { type: "adaptive" } })).toEqual(["Hm.", "text"]);
    const omitted = { type: "adaptive", display: "omitted" };
    expect(await blocks({ thinking: omitted })).toEqual(["", "text"]);
  });

  it("[GW-542] [APPR-028] of another user stands for nothing but the text that was sent", async () => {
    const { client, host } = await scene({
      script: () => ({ thinking: "The code is 4711.", text: "It opens at nine." }),
    });
    const thinking = { type: "adaptive" as const };
    const first = await client.messages.create(
      requestOf({ thinking, metadata: { user_id: "alice" } }),
    );
    const block = first.content.find(({ type }) => type === "thinking");
    await client.messages.create(
      requestOf({
        thinking,
        metadata: { user_id: "mallory" },
        messages: [
          { role: "user", content: "what was it" },
          {
            role: "assistant",
            content: [
              { ...block, thinking: "" },
              { type: "text", text: "no" },
            ],
          },
          { role: "user", content: "again" },
        ],
      }),
    );
    const prompt = host.asked().at(-1) ?? "";
    expect(prompt).toContain("what was it");
    expect(prompt).toContain('"no"');
    expect(prompt).not.toMatch(/4711|opens at nine/);
    expect(prompt).not.toContain("hello");
  });

  it("[GW-542] that a client sends back names its turn, whose own messages the model reads", async () => {
    const { client, host } = await scene({
      script: [
        { thinking: "Hm.", toolCalls: [{ toolName: "lookup", params: {}, toolCallId: "l" }] },
        { thinking: "Found it.", text: "Oslo." },
        { text: "Yes." },
      ],
      register: (api) =>
        api.registerTool({
          name: "lookup",
          description: "Looks a city up.",
          parameters: { type: "object", properties: {} },
          execute: () => "the city is Oslo",
        }),
    });
    const thinking = { type: "adaptive" as const };
    const first = await client.messages.create(requestOf({ thinking }));
    await client.messages.create(
      requestOf({
        thinking,
        messages: [
          ...HELLO,
          { role: "assistant", content: first.content },
          { role: "user", content: "sure?" },
        ],
      }),
    );
    const prompt: { role: string }[] = JSON.parse(host.asked().at(-1) ?? "[]");
    expect(prompt.map(({ role }) => role)).toEqual([
      ...["system", "user", "assistant", "tool", "assistant", "user"],
    ]);
    expect(JSON.stringify(prompt)).toContain("the city is Oslo");
  });
});
