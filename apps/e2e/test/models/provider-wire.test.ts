import { defined } from "@openclaw/foundation";
import {
  isMalformedToolCall,
  type LanguageModelV4,
  ModelAbortedError,
  ModelAuthenticationError,
  ModelConnectionError,
  ModelContextLengthError,
  type ModelEvent,
  ModelInvalidResponseError,
  ModelNotAvailableError,
  ModelRateLimitedError,
  type ModelRequest,
  ModelRequestError,
  ModelRequestFailedError,
  streamModel,
} from "@openclaw/models";
import type { ModelServer, ModelServerReply } from "@openclaw/platform-fakes";
import type { AgentMessage, AssistantMessage } from "@openclaw/plugin-sdk/tools";
import { afterEach, describe, expect, it } from "vitest";
import { MODEL_WIRES, wiredModel } from "../../src/model-wires.js";

const READ = {
  name: "read",
  description: "Reads a file.",
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

function user(text: string): AgentMessage {
  return { role: "user", content: [{ type: "text", text }], timestamp: 0 };
}

function asking(overrides: Partial<ModelRequest> = {}): ModelRequest {
  return { messages: [user("hi")], tools: [READ], ...overrides };
}

async function eventsOf(model: LanguageModelV4, request = asking()): Promise<ModelEvent[]> {
  const all: ModelEvent[] = [];
  for await (const event of streamModel(model, request)) all.push(event);
  return all;
}

function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === "text" ? event.delta : "")).join("");
}

function thinkingOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === "thinking" ? event.delta : "")).join("");
}

function callsOf(events: readonly ModelEvent[]) {
  return events.flatMap((event) => (event.type === "tool-call" ? [event.call] : []));
}

async function failureOf(model: LanguageModelV4, request = asking()) {
  const before: ModelEvent[] = [];
  try {
    for await (const event of streamModel(model, request)) before.push(event);
  } catch (error) {
    if (ModelRequestError.isInstance(error)) return { error, before };
    throw error;
  }
  throw new Error(`expected a failure, got ${JSON.stringify(before)}`);
}

describe.each(MODEL_WIRES)("$name over HTTP", (wire) => {
  const [provider = "", ...rest] = wire.ref.split("/");
  const modelId = rest.join("/");
  let server: ModelServer | undefined;

  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  async function connect(...replies: ModelServerReply[]): Promise<[LanguageModelV4, ModelServer]> {
    server = await wire.start();
    server.reply(...replies);
    return [await wiredModel(wire, server), server];
  }

  it("[LLM-035] streams text in chunks from its base URL and ends with usage and ID", async () => {
    const [model, { requests }] = await connect({
      text: "Hello from the server.",
      usage: { input: 21, output: 5 },
    });
    const all = await eventsOf(model);
    expect(textOf(all)).toBe("Hello from the server.");
    expect(all.filter(({ type }) => type === "text").length).toBeGreaterThan(2);
    expect(all.at(-1)).toMatchObject({
      type: "finish",
      stopReason: "stop",
      usage: { input: 21, output: 5, total: 26 },
    });
    expect(requests).toHaveLength(1);
  });

  it("[LLM-004] says for every reason of the API why the reply ended", async () => {
    const { error: errors = [], ...finishes } = wire.finishes;
    const given = Object.entries(finishes).flatMap(([stopReason, reasons]) =>
      reasons.map((finish) => ({ finish, stopReason })),
    );
    const [model] = await connect(...given.map(({ finish }) => ({ text: "So far.", finish })));
    for (const { finish, stopReason } of given) {
      const all = await eventsOf(model);
      expect(all.at(-1), finish).toMatchObject({ type: "finish", stopReason });
      expect(textOf(all)).toBe("So far.");
    }
    for (const finish of errors) {
      server?.reply({ text: "So far.", finish });
      const { error, before } = await failureOf(model);
      expect(error, finish).toBeInstanceOf(ModelRequestFailedError);
      expect(textOf(before), finish).toBe("So far.");
    }
  });

  it("[LLM-035] streams reasoning before the text, and counts it and cached tokens in the usage", async () => {
    const [model] = await connect({
      thinking: "Let me think about this.",
      text: "Done.",
      usage: { input: 30, output: 12, reasoning: 8, cached: 20 },
    });
    const all = await eventsOf(model, asking({ reasoning: "high", maxOutputTokens: 20_000 }));
    expect(thinkingOf(all)).toBe(wire.showsReasoning ? "Let me think about this." : "");
    expect(textOf(all)).toBe("Done.");
    const types = all.map(({ type }) => type);
    expect(types.lastIndexOf("thinking")).toBeLessThan(types.indexOf("text"));
    expect(all.at(-1)).toMatchObject({ usage: { input: 30, output: 12, cacheRead: 20 } });
  });

  it("[LLM-005] sends schemas with references, unions and rare keywords as the API accepts them, in the same order", async () => {
    const [model, { requests }] = await connect({ text: "one" }, { text: "two" });
    const parameters = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      oneOf: [
        { properties: { by: { const: "id" }, id: { type: "string", pattern: "^[a-z]+$" } } },
        { properties: { by: { const: "place" }, place: { $ref: "#/$defs/place" } } },
      ],
      $defs: {
        place: {
          type: "object",
          properties: { x: { type: "number", exclusiveMinimum: 0 }, pattern: { type: "string" } },
        },
      },
    };
    const tools = [{ ...READ, name: "find", parameters }, READ];
    await eventsOf(model, asking({ tools }));
    await eventsOf(model, asking({ tools: structuredClone(tools) }));
    const [first, second] = requests.map(({ text }) => text);
    expect(first).not.toMatch(/\$ref|\$defs|oneOf/);
    expect(first).toContain('"place"');
    // The keyword goes where the API does not document it; a property of that name stays.
    expect(first).toContain('"pattern":{"type":"string"}');
    expect(first?.includes("^[a-z]+$")).toBe(provider !== "google");
    expect(first?.includes('"const":"id"')).toBe(provider !== "google");
    expect(first?.indexOf('"find"')).toBeLessThan(first?.indexOf('"read"') ?? 0);
    expect(second).toBe(first);
  });

  it("sends parallel tool calls and their results in both directions", async () => {
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
    const first = await eventsOf(model, asking({ system: "Be brief." }));
    const calls = callsOf(first);
    expect(calls).toMatchObject([
      { toolCallId: "call_one", toolName: "read", params: { path: "aé.txt" } },
      { toolCallId: "call_two", toolName: "read", params: { path: "b.txt" } },
    ]);
    expect(first.at(-1)).toMatchObject({ stopReason: "tool-calls" });

    const messages = conversation(first);
    const second = await eventsOf(model, asking({ system: "Be brief.", messages }));
    expect(textOf(second)).toBe("Both say hello.");
    const sent = requests[1]?.text ?? "";
    for (const part of ["Be brief.", "Let me look.", "result 0", "result 1", PIXEL]) {
      expect(sent).toContain(part);
    }
    expect(sent).not.toContain("never shown");
  });

  it.runIf(wire.signsReasoning)(
    "[LLM-046] sends signed reasoning back with the calls that it led to, but not to another model",
    async () => {
      const toolCalls = [{ id: "call_one", name: "read", arguments: '{"path": "a.txt"}' }];
      const [model, { requests }] = await connect(
        { thinking: "I should look.", toolCalls },
        { text: "It says hello." },
        { text: "It says hello again." },
      );
      const settings = { reasoning: "high", maxOutputTokens: 20_000 } as const;
      const first = await eventsOf(model, asking(settings));
      const messages = conversation(first);
      expect(textOf(await eventsOf(model, asking({ ...settings, messages })))).toBe(
        "It says hello.",
      );
      const stored = JSON.stringify(messages);
      const signature = /[A-Za-z0-9+/]{43}=/.exec(stored)?.[0] ?? "no signature";
      expect(requests[1]?.text).toContain(signature);

      const elsewhere = messages.map((message) =>
        message.role === "assistant" ? { ...message, model: "another" } : message,
      );
      await eventsOf(model, asking({ messages: elsewhere }));
      expect(requests[2]?.text).not.toContain(signature);
    },
  );

  it("sends an image of the user", async () => {
    const [model, { requests }] = await connect({ text: "A red pixel." });
    const content = [
      { type: "text" as const, text: "What is this?" },
      { type: "image" as const, data: PIXEL, mimeType: "image/png" },
    ];
    const messages: AgentMessage[] = [{ role: "user", content, timestamp: 0 }];
    expect(textOf(await eventsOf(model, asking({ messages })))).toBe("A red pixel.");
    expect(requests[0]?.text).toContain(PIXEL);
  });

  it("requests a reply in JSON that follows a schema", async () => {
    const [model, { requests }] = await connect({ text: '{"city":"Oslo"}' });
    const schema = {
      type: "object",
      properties: { city: { type: "string", description: "Name of the city" } },
      required: ["city"],
      additionalProperties: false,
    };
    const request = asking({ tools: [], responseFormat: { type: "json", schema, name: "place" } });
    expect(JSON.parse(textOf(await eventsOf(model, request)))).toEqual({ city: "Oslo" });
    expect(requests[0]?.text).toContain("Name of the city");
  });

  it("requests a reply in JSON that follows a schema with optional properties", async () => {
    const [model, { requests }] = await connect({ text: '{"city":"Oslo"}' });
    const schema = {
      type: "object",
      properties: { city: { type: "string" }, street: { type: "string" } },
      required: ["city"],
    };
    const request = asking({ tools: [], responseFormat: { type: "json", schema } });
    expect(JSON.parse(textOf(await eventsOf(model, request)))).toEqual({ city: "Oslo" });
    expect(requests[0]?.text).toContain("street");
  });

  it.runIf(provider !== "google")(
    "reports arguments that are not JSON as a problem of the call",
    async () => {
      const [model] = await connect({
        toolCalls: [{ id: "call_one", name: "read", arguments: '{"path": "a.txt' }],
      });
      const [call] = callsOf(await eventsOf(model));
      expect(call && isMalformedToolCall(call)).toBe(true);
      expect(call).toMatchObject({ toolCallId: "call_one", rawParams: '{"path": "a.txt' });
    },
  );

  it.each([
    ["rate-limited", ModelRateLimitedError, true, /rate limit.*; try again/],
    ["no-quota", ModelRateLimitedError, false, /no quota left.*; add credit/],
    ["overloaded", ModelRequestFailedError, true, /; try again/],
    ["server-error", ModelRequestFailedError, true, /; try again/],
    ["context-length", ModelContextLengthError, false, /; shorten the conversation/],
    ["unknown-model", ModelNotAvailableError, false, /; check the model's name/],
  ] as const)(
    "returns one typed error with the next step for %s",
    async (failure, type, retryable, message) => {
      const [model, { requests }] = await connect({ failure });
      const { error, before } = await failureOf(model);
      expect(error).toBeInstanceOf(type);
      expect(error).toMatchObject({ retryable, provider });
      expect(error.message).toMatch(message);
      expect(before).toEqual([]);
      expect(requests).toHaveLength(1);
      if (failure === "rate-limited" && provider !== "bedrock") {
        expect(error).toMatchObject({ retryAfterMs: 7000 });
      }
    },
  );

  it.runIf(wire.hasKey)(
    "answers a wrong key with one sentence, after one request, without the key",
    async () => {
      server = await wire.start();
      const model = await wiredModel(wire, server, "sk-wrong-key-1234567890");
      const { error } = await failureOf(model);
      expect(error).toBeInstanceOf(ModelAuthenticationError);
      expect(error).toMatchObject({ retryable: false });
      expect(error.message).toContain(`; check the API key of provider ${provider}`);
      const shown = `${error.message} ${error.stack} ${JSON.stringify(error)}`;
      expect(shown).not.toContain("1234567890");
      expect(server.requests).toHaveLength(1);
    },
  );

  it.each(["reset", "end", "garbage", "error-event"] as const)(
    "returns one typed error when the stream breaks by %s, after the text so far",
    async (kind) => {
      // Late enough that some text has arrived on each wire.
      const [model] = await connect({
        text: "Some text that goes on and on, and on, and on, and on.",
        fault: { afterEvents: 6, kind },
      });
      const { error, before } = await failureOf(model);
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

  it("returns one typed error for a page that is not a stream", async () => {
    const [model] = await connect({ body: "<html>It works!</html>" });
    const { error } = await failureOf(model);
    expect(error).toBeInstanceOf(ModelInvalidResponseError);
    expect(error.message).toContain("check the base URL");
  });

  it("returns one typed error when the server does not listen", async () => {
    const [model, stopped] = await connect();
    await stopped.close();
    const { error } = await failureOf(model);
    expect(error).toBeInstanceOf(ModelConnectionError);
    expect(error.message).toContain("ECONNREFUSED");
  });

  it("[LLM-035] closes the connection when the signal is aborted in the middle of a stream", async () => {
    const [model, { requests }] = await connect({
      text: "Some text that never ends, and never, and never, and never.",
      hold: { afterEvents: 6, until: new Promise(() => {}) },
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

  it("[LLM-035] closes the connection when the signal is aborted before the response begins", async () => {
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
    const failed = failureOf(model, asking({ signal: abort.signal }));
    await asked;
    abort.abort();
    expect((await failed).error).toBeInstanceOf(ModelAbortedError);
    await requests[0]?.hungUp;
  });

  it("closes the connection when the reader leaves the loop", async () => {
    const [model, { requests }] = await connect({
      text: "Some text that never ends, and never, and never, and never.",
      hold: { afterEvents: 6, until: new Promise(() => {}) },
    });
    for await (const event of streamModel(model, asking())) {
      if (event.type === "text") break;
    }
    await requests[0]?.hungUp;
  });

  /** Returns the conversation after a reply with calls, each answered by a result. */
  function conversation(events: readonly ModelEvent[]): AgentMessage[] {
    const calls = callsOf(events);
    const content: AssistantMessage["content"] = events.flatMap((event) =>
      event.type === "thinking-signed"
        ? [{ type: "thinking" as const, text: event.text, providerData: event.providerData }]
        : [],
    );
    if (textOf(events) !== "") content.push({ type: "text", text: textOf(events) });
    for (const call of calls) {
      if (!isMalformedToolCall(call)) content.push({ type: "toolCall", ...defined(call) });
    }
    const reply = { provider, model: modelId, stopReason: "tool-calls", timestamp: 0 } as const;
    return [
      user("hi"),
      { role: "assistant", content, ...reply },
      ...calls.map(
        ({ toolCallId, toolName }, index): AgentMessage => ({
          role: "toolResult",
          toolCallId,
          toolName,
          content: [
            { type: "text", text: `result ${index}` },
            ...(index === 0
              ? [{ type: "image" as const, data: PIXEL, mimeType: "image/png" }]
              : []),
          ],
          isError: index === 1,
          details: { secret: "never shown" },
          timestamp: 0,
        }),
      ),
    ];
  }
});
