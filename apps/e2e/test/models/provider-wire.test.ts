import anthropic from "@openclaw/anthropic";
import {
  createModelCatalog,
  type LanguageModelV4,
  ModelAbortedError,
  ModelAuthenticationError,
  ModelConnectionError,
  type ModelEvent,
  ModelInvalidResponseError,
  ModelNotAvailableError,
  ModelRateLimitedError,
  type ModelRequest,
  ModelRequestError,
  ModelRequestFailedError,
  streamModel,
} from "@openclaw/models";
import openai from "@openclaw/openai";
import openaiCompatible from "@openclaw/openai-compatible";
import type { AgentMessage, AssistantMessage } from "@openclaw/plugin-sdk/tools";
import { afterEach, describe, expect, it } from "vitest";
import { startFakeAnthropicServer } from "../../src/fake-anthropic-server.js";
import type { FakeModelServer, FakeReply } from "../../src/fake-model-server.js";
import { startFakeOpenAiServer } from "../../src/fake-openai-server.js";
import { registeredProviders } from "../../src/provider-plugins.js";

interface Wire {
  ref: string;
  start(replies?: readonly FakeReply[]): Promise<FakeModelServer>;
  model(baseURL: string, apiKey?: string): Promise<LanguageModelV4>;
}

const WIRES: Wire[] = [
  {
    ref: "openai/gpt-fake",
    start: startFakeOpenAiServer,
    async model(baseURL, apiKey = "fake-openai-key") {
      const catalog = createModelCatalog(await registeredProviders(openai, { baseURL, apiKey }));
      return (await catalog.resolve("openai/gpt-fake")).model;
    },
  },
  {
    ref: "openai-compatible/local-fake",
    start: startFakeOpenAiServer,
    async model(baseURL, apiKey = "fake-openai-key") {
      const config = { baseURL, apiKey, model: "local-fake" };
      const catalog = createModelCatalog(await registeredProviders(openaiCompatible, config));
      return (await catalog.resolve("openai-compatible")).model;
    },
  },
  {
    ref: "anthropic/claude-fake",
    start: startFakeAnthropicServer,
    async model(baseURL, apiKey = "fake-anthropic-key") {
      const catalog = createModelCatalog(await registeredProviders(anthropic, { baseURL, apiKey }));
      return (await catalog.resolve("anthropic/claude-fake")).model;
    },
  },
];

const READ = {
  name: "read",
  description: "Reads a file.",
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};

function user(text: string): AgentMessage {
  return { role: "user", content: [{ type: "text", text }], timestamp: 0 };
}

function asking(overrides: Partial<ModelRequest> = {}): ModelRequest {
  return { messages: [user("hi")], tools: [READ], ...overrides };
}

function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === "text" ? event.delta : "")).join("");
}

describe.each(WIRES)("$ref over HTTP", ({ ref, start, model: modelAt }) => {
  let server: FakeModelServer | undefined;

  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  async function connect(...replies: FakeReply[]): Promise<[LanguageModelV4, FakeModelServer]> {
    server = await start(replies);
    return [await modelAt(server.baseURL), server];
  }

  async function events(model: LanguageModelV4, request = asking()): Promise<ModelEvent[]> {
    const all: ModelEvent[] = [];
    for await (const event of streamModel(model, request)) all.push(event);
    return all;
  }

  async function failure(model: LanguageModelV4, request = asking()) {
    const before: ModelEvent[] = [];
    try {
      for await (const event of streamModel(model, request)) before.push(event);
    } catch (error) {
      if (ModelRequestError.isInstance(error)) return { error, before };
      throw error;
    }
    throw new Error(`expected a failure, got ${JSON.stringify(before)}`);
  }

  it("streams text in chunks and ends with usage and ID", async () => {
    const [model] = await connect({
      text: "Hello from the server.",
      usage: { input: 21, output: 5 },
    });
    const all = await events(model);
    expect(textOf(all)).toBe("Hello from the server.");
    expect(all.filter(({ type }) => type === "text").length).toBeGreaterThan(2);
    expect(all.at(-1)).toMatchObject({
      type: "finish",
      stopReason: "stop",
      usage: { input: 21, output: 5, total: 26 },
      responseId: expect.stringMatching(/fake$/),
    });
  });

  it("sends a tool call and its result in both directions", async () => {
    const [model, { requests }] = await connect(
      {
        text: "Let me look.",
        toolCalls: [
          { id: "call_one", name: "read", arguments: '{"path": "a\\u00e9.txt"}' },
          { id: "call_two", name: "read", arguments: '{"path": "b.txt"}' },
        ],
      },
      { text: "Both say hello." },
    );
    const first = await events(model, asking({ system: "Be brief." }));
    const calls = first.flatMap((event) => (event.type === "tool-call" ? [event.call] : []));
    expect(calls).toEqual([
      { toolCallId: "call_one", toolName: "read", params: { path: "aé.txt" } },
      { toolCallId: "call_two", toolName: "read", params: { path: "b.txt" } },
    ]);
    expect(first.at(-1)).toMatchObject({ stopReason: "tool-calls" });

    const [provider = "", modelId = ""] = ref.split("/");
    const content: AssistantMessage["content"] = [{ type: "text", text: textOf(first) }];
    for (const call of calls) {
      if ("params" in call) content.push({ type: "toolCall", ...call });
    }
    const messages: AgentMessage[] = [
      user("hi"),
      {
        role: "assistant",
        content,
        provider,
        model: modelId,
        stopReason: "tool-calls",
        timestamp: 0,
      },
      ...calls.map(
        ({ toolCallId, toolName }, index): AgentMessage => ({
          role: "toolResult",
          toolCallId,
          toolName,
          content: [
            { type: "text", text: `result ${index}` },
            ...(index === 0
              ? [{ type: "image" as const, data: "aGVsbG8=", mimeType: "image/png" }]
              : []),
          ],
          isError: index === 1,
          details: { secret: "never shown" },
          timestamp: 0,
        }),
      ),
    ];
    const second = await events(model, asking({ system: "Be brief.", messages }));
    expect(textOf(second)).toBe("Both say hello.");

    const sent = JSON.stringify(requests[1]?.body);
    for (const part of ["Be brief.", "Let me look.", "result 0", "result 1", "aGVsbG8="]) {
      expect(sent).toContain(part);
    }
    expect(sent).not.toContain("never shown");
    expect(requests[1]?.body).toMatchObject({ model: modelId, stream: true });
  });

  it("reports arguments that are not JSON as a problem of the call", async () => {
    const [model] = await connect({
      toolCalls: [{ id: "call_one", name: "read", arguments: '{"path": "a.txt' }],
    });
    const call = (await events(model)).find(({ type }) => type === "tool-call");
    expect(call).toMatchObject({
      call: { toolCallId: "call_one", rawParams: '{"path": "a.txt', problem: expect.any(String) },
    });
  });

  it.each([
    [500, {}, ModelRequestFailedError, true],
    [429, { "retry-after": "7" }, ModelRateLimitedError, true],
    [404, {}, ModelNotAvailableError, false],
    [400, {}, ModelRequestFailedError, false],
  ] as const)("returns one typed error for HTTP %i", async (status, headers, type, retryable) => {
    const [model, { requests }] = await connect({ status, headers, message: "said the server" });
    const { error, before } = await failure(model);
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject({ status, retryable, provider: ref.split("/")[0] });
    expect(error.message).toContain(`(HTTP ${status}: said the server)`);
    if (ModelRateLimitedError.isInstance(error)) expect(error.retryAfterMs).toBe(7000);
    expect(before).toEqual([]);
    expect(requests).toHaveLength(1);
  });

  it("omits a rejected key from the error", async () => {
    server = await start();
    const model = await modelAt(server.baseURL, "sk-wrong-key-1234567890");
    const { error } = await failure(model);
    expect(error).toBeInstanceOf(ModelAuthenticationError);
    expect(error).toMatchObject({ status: 401, retryable: false });
    expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain("1234567890");
    expect(JSON.stringify(server.requests[0]?.headers)).toContain("1234567890");
  });

  it.each(["reset", "end", "garbage", "error-event"] as const)(
    "returns one typed error when the stream breaks by %s, after the text so far",
    async (kind) => {
      // Late enough that some text has arrived on either wire.
      const [model] = await connect({
        text: "Some text that goes on and on.",
        fault: { afterEvents: 5, kind },
      });
      const { error, before } = await failure(model);
      expect(textOf(before)).toMatch(/^Some/);
      expect(before.at(-1)?.type).toBe("text");
      const expected = {
        reset: ModelConnectionError,
        end: ModelInvalidResponseError,
        garbage: ModelInvalidResponseError,
        "error-event": ModelRequestFailedError,
      }[kind];
      expect(error).toBeInstanceOf(expected);
      expect(error.retryable).toBe(true);
    },
  );

  it("returns one typed error for a page that is not a stream, and names its type", async () => {
    const [model] = await connect({ body: "<html>It works!</html>" });
    const { error } = await failure(model);
    expect(error).toBeInstanceOf(ModelInvalidResponseError);
    expect(error.message).toContain("check the base URL");
  });

  it("returns one typed error when the server does not listen", async () => {
    const [model, stopped] = await connect();
    await stopped.close();
    const { error } = await failure(model);
    expect(error).toBeInstanceOf(ModelConnectionError);
    expect(error.message).toContain("ECONNREFUSED");
  });

  it("closes the connection when the signal is aborted in the middle of a slow stream", async () => {
    const [model, { requests }] = await connect({
      text: "Some text that never ends.",
      hold: { afterEvents: 5, until: new Promise(() => {}) },
    });
    const abort = new AbortController();
    const stream = streamModel(model, asking({ signal: abort.signal }));
    expect(await stream.next()).toMatchObject({ value: { type: "text" } });
    const rest = (async () => {
      for await (const _event of stream) {
        // Chunks sent before the abort may still arrive.
      }
    })();
    abort.abort();
    await expect(rest).rejects.toSatisfy((error) => ModelAbortedError.isInstance(error));
    await requests[0]?.hungUp;
  });

  it("closes the connection when the signal is aborted before the response begins", async () => {
    let seen: () => void = () => {};
    const asked = new Promise<void>((resolve) => {
      seen = resolve;
    });
    const until = new Promise<void>(() => {});
    const [model, { requests }] = await connect({
      text: "x",
      hold: {
        afterEvents: 0,
        get until() {
          seen();
          return until;
        },
      },
    });
    const abort = new AbortController();
    const failed = failure(model, asking({ signal: abort.signal }));
    await asked;
    abort.abort();
    expect((await failed).error).toBeInstanceOf(ModelAbortedError);
    await requests[0]?.hungUp;
  });

  it("closes the connection when the reader leaves the loop", async () => {
    const [model, { requests }] = await connect({
      text: "Some text that never ends.",
      hold: { afterEvents: 5, until: new Promise(() => {}) },
    });
    for await (const event of streamModel(model, asking())) {
      if (event.type === "text") break;
    }
    await requests[0]?.hungUp;
  });
});
