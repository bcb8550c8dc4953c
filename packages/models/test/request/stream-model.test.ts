import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import {
  createScriptedModel,
  type LanguageModelV4,
  ModelAbortedError,
  ModelInvalidResponseError,
  ModelReplyTooLargeError,
  ModelRequestFailedError,
  ModelTimeoutError,
  streamModel,
} from "../../src/index.js";
import { assistant, events, failure, request, toolCall, toolResult } from "../support/collect.js";

const usage = {
  inputTokens: { total: 7, noCache: 4, cacheRead: 2, cacheWrite: 1 },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
};

function finish(
  unified:
    | "stop"
    | "tool-calls"
    | "error"
    | "interrupted"
    | "other"
    | "length"
    | "content-filter" = "stop",
): LanguageModelV4StreamPart {
  return { type: "finish", finishReason: { unified, raw: unified }, usage };
}

/** Creates a model whose stream the test controls. */
function streamingModel(
  start: (options: LanguageModelV4CallOptions) => ReadableStream<LanguageModelV4StreamPart>,
  headers?: Record<string, string>,
): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "test",
    modelId: "m",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("not used")),
    async doStream(options) {
      return { stream: start(options), ...(headers && { response: { headers } }) };
    },
  };
}

function modelOf(...parts: LanguageModelV4StreamPart[]): LanguageModelV4 {
  return streamingModel(() => ReadableStream.from(parts));
}

const text = (delta: string): LanguageModelV4StreamPart => ({ type: "text-delta", id: "t", delta });

describe("streamModel", () => {
  it("ends an endless reply together with its request", async () => {
    let isCancelled = false;
    const endless = streamingModel(
      () =>
        new ReadableStream({
          pull: (controller) => controller.enqueue(text("x".repeat(1_000_000))),
          cancel: () => {
            isCancelled = true;
          },
        }),
    );
    const { error } = await failure(endless);
    expect(ModelReplyTooLargeError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ code: "MODEL_REPLY_TOO_LARGE", retryable: false });
    expect(isCancelled).toBe(true);
  });

  it.each([
    [
      { total: 9, text: 4, reasoning: 5 },
      { output: 9, reasoning: 5, total: 16 },
    ],
    [
      { total: 9, text: 9, reasoning: 0 },
      { output: 9, reasoning: 0, total: 16 },
    ],
    [
      { total: 9, text: 9, reasoning: -1 },
      { output: 9, total: 16 },
    ],
    [
      { total: 9, text: 9, reasoning: Number.NaN },
      { output: 9, total: 16 },
    ],
  ])(
    "[LLM-004] reports the tokens %j, those of its reasoning included",
    async (outputTokens, expected) => {
      const finishReason = { unified: "stop", raw: "stop" } as const;
      const model = modelOf({ type: "finish", finishReason, usage: { ...usage, outputTokens } });
      const [end] = (await events(model)).slice(-1);
      const input = { input: 7, cacheRead: 2, cacheWrite: 1 };
      expect(end).toHaveProperty("usage", { ...input, ...expected });
    },
  );

  it("[LLM-035] yields thinking, text, tool calls and finish in their order", async () => {
    const model = createScriptedModel([
      {
        thinking: "let me see",
        text: "One moment.",
        toolCalls: [{ toolName: "read", params: { path: "a" }, toolCallId: "c1" }],
        usage: { input: 3, output: 4, cacheRead: 1 },
      },
    ]);
    expect(await events(model)).toEqual([
      { type: "thinking", delta: "let " },
      { type: "thinking", delta: "me " },
      { type: "thinking", delta: "see" },
      { type: "text", delta: "One " },
      { type: "text", delta: "moment." },
      {
        type: "tool-call",
        call: { toolCallId: "c1", toolName: "read", params: { path: "a" } },
      },
      {
        type: "finish",
        stopReason: "tool-calls",
        usage: { input: 3, output: 4, cacheRead: 1, total: 7 },
        responseId: "reply-1",
      },
    ]);
  });

  it("[LLM-003] passes conversation, tools, choice, settings, signal and run to the model", async () => {
    const model = createScriptedModel([{ text: "a" }, { text: "b" }, { text: "c" }, { text: "d" }]);
    const read = { name: "read", description: "Reads.", parameters: { type: "object" } };
    const abort = new AbortController();
    const messages = [
      ...request().messages,
      assistant([{ type: "text", text: "I look." }, toolCall("call_1", "read", { path: "a" })]),
      toolResult("call_1", "content"),
    ];
    const settings = { temperature: 0.2, maxOutputTokens: 50, stopSequences: ["END"] };
    const choices = ["auto", "required", "none", { toolName: "read" }] as const;
    for (const choice of choices) {
      const asked = { system: "Be brief.", messages, tools: [read], toolChoice: choice };
      await events(model, request({ ...asked, ...settings, runId: "run-1", signal: abort.signal }));
    }
    expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual([
      ...[{ type: "auto" }, { type: "required" }, { type: "none" }],
      { type: "tool", toolName: "read" },
    ]);
    const [sent] = model.requests;
    expect(sent?.prompt).toMatchObject([
      { role: "system", content: "Be brief." },
      { role: "user", content: [{ type: "text", text: "hi" }] },
      {
        role: "assistant",
        content: [
          { type: "text" },
          { toolCallId: "call_1", toolName: "read", input: { path: "a" } },
        ],
      },
      { role: "tool", content: [{ toolCallId: "call_1", toolName: "read" }] },
    ]);
    expect(sent?.tools).toEqual([
      { type: "function", name: "read", description: "Reads.", inputSchema: { type: "object" } },
    ]);
    expect(sent).toMatchObject({ ...settings, providerOptions: { openclaw: { runId: "run-1" } } });
    expect(sent?.abortSignal).toBeInstanceOf(AbortSignal);
  });

  it("passes system prompt, ordered tools, choice and limits to the model", async () => {
    const model = createScriptedModel([{ text: "ok" }]);
    const tool = (name: string) => ({ name, description: `does ${name}`, parameters: {} });
    await events(
      model,
      request({
        system: "be brief",
        tools: [tool("write"), tool("Read"), tool("exec")],
        toolChoice: { toolName: "exec" },
        temperature: 0.5,
        maxOutputTokens: 99,
      }),
    );
    const sent = model.requests[0];
    expect(sent?.prompt[0]).toEqual({ role: "system", content: "be brief" });
    expect(sent?.tools?.map(({ name }) => name)).toEqual(["write", "Read", "exec"]);
    expect(sent?.tools?.[0]).toMatchObject({ inputSchema: { type: "object" } });
    expect(sent?.toolChoice).toEqual({ type: "tool", toolName: "exec" });
    expect(sent).toMatchObject({ temperature: 0.5, maxOutputTokens: 99 });
  });

  it.each([
    ["stop", "stop"],
    ["length", "length"],
    ["content-filter", "content-filter"],
    ["other", "other"],
  ] as const)("[LLM-004] reports the finish reason %s", async (unified, stopReason) => {
    const all = await events(modelOf(text("a"), finish(unified)));
    expect(all.at(-1)).toMatchObject({ type: "finish", stopReason });
  });

  it("sends no empty list of tools, which some APIs reject", async () => {
    const model = createScriptedModel([{ text: "ok" }]);
    await events(model, request({ toolChoice: "required" }));
    expect(model.requests[0]).not.toHaveProperty("tools");
    expect(model.requests[0]).not.toHaveProperty("toolChoice");
  });

  it("[LLM-035] reads one part per requested event", async () => {
    let pulls = 0;
    const model = streamingModel(
      () =>
        new ReadableStream(
          {
            pull(controller) {
              pulls += 1;
              controller.enqueue(text(`${pulls} `));
            },
          },
          { highWaterMark: 0 },
        ),
    );
    const stream = streamModel(model, request());
    expect(pulls).toBe(0);
    await stream.next();
    await stream.next();
    await stream.next();
    expect(pulls).toBe(3);
    await stream.return();
    expect(pulls).toBe(3);
  });

  it("[LLM-035] cancels the stream and aborts the request when the loop is left", async () => {
    let cancelled = false;
    let signal: AbortSignal | undefined;
    const model = streamingModel((options) => {
      signal = options.abortSignal;
      return new ReadableStream({
        pull: (controller) => controller.enqueue(text("more ")),
        cancel: () => {
          cancelled = true;
        },
      });
    });
    for await (const event of streamModel(model, request())) {
      if (event.type === "text") break;
    }
    expect(cancelled).toBe(true);
    expect(signal?.aborted).toBe(true);
  });

  it("[LLM-035] stops at the caller's signal even if the model never reacts to it", async () => {
    const abort = new AbortController();
    const model = streamingModel(() => new ReadableStream({ start: (c) => c.enqueue(text("a")) }));
    const stream = streamModel(model, request({ signal: abort.signal }));
    expect(await stream.next()).toEqual({ done: false, value: { type: "text", delta: "a" } });
    const pending = stream.next();
    abort.abort();
    await expect(pending).rejects.toSatisfy((error) => ModelAbortedError.isInstance(error));
  });

  it("stops at the caller's signal before the model has started its reply", async () => {
    const abort = new AbortController();
    let begin: (stream: { stream: ReadableStream<LanguageModelV4StreamPart> }) => void = () => {};
    let cancelled: () => void = () => {};
    const wasCancelled = new Promise<void>((resolve) => {
      cancelled = resolve;
    });
    const model: LanguageModelV4 = {
      ...modelOf(),
      doStream: () =>
        new Promise((resolve) => {
          begin = resolve;
        }),
    };
    const pending = failure(model, request({ signal: abort.signal }));
    abort.abort(new DOMException("too slow", "TimeoutError"));
    const { error } = await pending;
    expect(ModelTimeoutError.isInstance(error)).toBe(true);
    // A reply that arrives too late is cancelled.
    begin({ stream: new ReadableStream({ cancel: cancelled }) });
    await wasCancelled;
  });

  it("stops at a signal that aborts just as the model starts its reply", async () => {
    const abort = new AbortController();
    const model: LanguageModelV4 = {
      ...modelOf(),
      async doStream() {
        queueMicrotask(() => abort.abort());
        return { stream: new ReadableStream() };
      },
    };
    const { error } = await failure(model, request({ signal: abort.signal }));
    expect(ModelAbortedError.isInstance(error)).toBe(true);
  });

  it("sends nothing when the signal is already aborted", async () => {
    const model = createScriptedModel([{ text: "never" }]);
    const { error } = await failure(model, request({ signal: AbortSignal.abort() }));
    expect(ModelAbortedError.isInstance(error)).toBe(true);
    expect(error.message).toBe(
      "model scripted/script was stopped before it finished its reply; send the request again to continue",
    );
    expect(model.requests).toHaveLength(0);
  });

  it("leaves no listener on the caller's signal", async () => {
    const abort = new AbortController();
    let listeners = 0;
    const add = abort.signal.addEventListener.bind(abort.signal);
    const remove = abort.signal.removeEventListener.bind(abort.signal);
    abort.signal.addEventListener = (...parameters: Parameters<typeof add>) => {
      listeners += 1;
      add(...parameters);
    };
    abort.signal.removeEventListener = (...parameters: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...parameters);
    };
    await events(modelOf(text("hi"), finish()), request({ signal: abort.signal }));
    expect(listeners).toBe(0);
  });

  it.each([
    ["without a finish", [text("half")]],
    ["with a finish that says it was cut", [text("half"), finish("interrupted")]],
  ])("rejects a stream that ends %s, after its events", async (_how, parts) => {
    const { error, before } = await failure(modelOf(...parts));
    expect(ModelInvalidResponseError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ retryable: true, provider: "test", model: "m" });
    expect(error.message).toContain("the stream ended before the model had finished");
    expect(before).toEqual([{ type: "text", delta: "half" }]);
  });

  it("names the type of a response that was not an event stream", async () => {
    const model = streamingModel(() => ReadableStream.from([]), {
      "content-type": "text/html",
    });
    const { error } = await failure(model);
    expect(error.message).toContain("it was of type text/html");
    expect(error.message).toContain("check the base URL of provider test");
  });

  it("converts an error part and an error finish into one error each", async () => {
    const part = await failure(modelOf(text("a"), { type: "error", error: "boom" }, finish()));
    expect(ModelRequestFailedError.isInstance(part.error)).toBe(true);
    expect(part.error.message).toBe(
      "model test/m failed (boom); try again in a moment or choose another model",
    );
    const finished = await failure(modelOf(finish("error")));
    expect(ModelRequestFailedError.isInstance(finished.error)).toBe(true);
  });

  it("keeps a reply that was complete before the connection broke", async () => {
    const parts = [text("done"), finish()];
    const model = streamingModel(
      () =>
        new ReadableStream({
          pull(controller) {
            const part = parts.shift();
            if (part) controller.enqueue(part);
            else controller.error(new TypeError("terminated"));
          },
        }),
    );
    expect((await events(model)).at(-1)).toMatchObject({ type: "finish", stopReason: "stop" });
  });

  it.each([
    ["stop", true, "tool-calls"],
    ["other", true, "tool-calls"],
    ["length", true, "length"],
    ["tool-calls", false, "other"],
    ["length", false, "length"],
  ] as const)("maps finish %s with calls %s to %s", async (reason, hasCalls, stopReason) => {
    const calls: LanguageModelV4StreamPart[] = hasCalls
      ? [{ type: "tool-call", toolCallId: "c", toolName: "read", input: "{}" }]
      : [];
    expect((await events(modelOf(...calls, finish(reason)))).at(-1)).toMatchObject({ stopReason });
  });

  it("skips calls that the provider ran itself", async () => {
    const model = modelOf(
      {
        type: "tool-call",
        toolCallId: "s",
        toolName: "search",
        input: "{}",
        providerExecuted: true,
      },
      finish(),
    );
    expect((await events(model)).map(({ type }) => type)).toEqual(["finish"]);
  });

  it("makes exactly one model call per request", async () => {
    const model = createScriptedModel([{ toolCalls: [{ toolName: "read" }] }, { text: "second" }]);
    await events(
      model,
      request({ messages: [assistant([toolCall("a", "read")]), toolResult("a", "x")] }),
    );
    expect(model.requests).toHaveLength(1);
  });
});
