import { describe, expect, it } from "vitest";
import {
  createScriptedModel,
  ModelAbortedError,
  ModelInvalidResponseError,
  ModelRateLimitedError,
  ModelScriptExhaustedError,
} from "../../src/index.js";
import { assistant, events, failure, reply, request, toolCall, user } from "../support/collect.js";

describe("createScriptedModel", () => {
  it("replies step by step and records the requests", async () => {
    const model = createScriptedModel([
      { text: "one" },
      ({ prompt }) => ({ text: `${prompt.length} messages` }),
    ]);
    expect(await reply(model, request())).toBe("one");
    expect(await reply(model, request({ messages: [user("a"), user("b")] }))).toBe("2 messages");
    expect(model.requests.map(({ prompt }) => prompt.length)).toEqual([1, 2]);
  });

  it("replies to every request with one function", async () => {
    const model = createScriptedModel(async ({ temperature }) => ({ text: `at ${temperature}` }));
    expect(await reply(model, request({ temperature: 1 }))).toBe("at 1");
    expect(await reply(model, request({ temperature: 0 }))).toBe("at 0");
  });

  it("throws at the end of the script", async () => {
    const model = createScriptedModel([{ text: "only" }]);
    await events(model);
    const { error } = await failure(model);
    expect(ModelScriptExhaustedError.isInstance(error.cause)).toBe(true);
    expect(error.message).toContain("the model script has 1 step and request 2 has no step left");
    expect(error.retryable).toBe(false);
  });

  it("numbers its calls over the conversation", async () => {
    const model = createScriptedModel([{ toolCalls: [{ toolName: "a" }, { toolName: "b" }] }]);
    const messages = [user("go"), assistant([toolCall("x", "a"), toolCall("y", "a")])];
    const calls = await events(model, request({ messages }));
    expect(calls.flatMap((event) => (event.type === "tool-call" ? [event.call] : []))).toEqual([
      { toolCallId: "call-3", toolName: "a", params: {} },
      { toolCallId: "call-4", toolName: "b", params: {} },
    ]);
  });

  it("fails like a server", async () => {
    const model = createScriptedModel([
      { error: { status: 429, message: "slow down", retryAfterMs: 1500 } },
      { error: new TypeError("a fault in the provider") },
    ]);
    const limited = await failure(model);
    expect(limited.error).toBeInstanceOf(ModelRateLimitedError);
    expect(limited.error).toHaveProperty("retryAfterMs", 1500);
    expect((await failure(model)).error.message).toContain("a fault in the provider");
  });

  it("ends after a number of words, with or without an error", async () => {
    const model = createScriptedModel([
      { thinking: "hm", text: "one two three", breakAfter: 3 },
      { text: "one two", breakAfter: 1, error: { status: 500, message: "boom" } },
      { text: "one", breakAfter: 0 },
    ]);
    const cut = await failure(model);
    expect(cut.before.map((event) => "delta" in event && event.delta)).toEqual([
      "hm",
      "one ",
      "two ",
    ]);
    expect(cut.error).toBeInstanceOf(ModelInvalidResponseError);
    const broken = await failure(model);
    expect(broken.before).toHaveLength(1);
    expect(broken.error).toMatchObject({ code: "MODEL_REQUEST_FAILED", status: 500 });
    expect((await failure(model)).before).toHaveLength(0);
  });

  it("waits for a promise, but not after an abort", async () => {
    let release: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const model = createScriptedModel([
      { text: "after", waitFor: gate },
      { text: "never", waitFor: new Promise(() => {}) },
    ]);
    const order: string[] = [];
    const waiting = reply(model, request({ signal: new AbortController().signal })).then((said) =>
      order.push(said),
    );
    order.push("before");
    release();
    await waiting;
    expect(order).toEqual(["before", "after"]);

    const abort = new AbortController();
    const stuck = failure(model, request({ signal: abort.signal }));
    abort.abort();
    expect((await stuck).error).toBeInstanceOf(ModelAbortedError);
  });

  it("stops a delay at an abort", async () => {
    const model = createScriptedModel([
      { text: "late", delayMs: 600_000 },
      { text: "x", delayMs: 1 },
    ]);
    const abort = new AbortController();
    const stuck = failure(model, request({ signal: abort.signal }));
    abort.abort();
    expect((await stuck).error).toBeInstanceOf(ModelAbortedError);
    expect(await reply(model, request())).toBe("x");
  });

  it("uses the given finish reason, usage and names", async () => {
    const model = createScriptedModel([{ text: "x", finish: "length", usage: { output: 9 } }], {
      provider: "openai",
      modelId: "gpt-4o",
    });
    expect(model).toMatchObject({ provider: "openai", modelId: "gpt-4o" });
    expect((await events(model)).at(-1)).toMatchObject({
      stopReason: "length",
      usage: { output: 9 },
    });
  });

  it("generates the same complete reply", async () => {
    const model = createScriptedModel([
      { thinking: "hm hm", text: "a b", toolCalls: [{ toolName: "t", params: { x: 1 } }] },
      { text: "cut", breakAfter: 1 },
    ]);
    await expect(model.doGenerate({ prompt: [] })).resolves.toEqual({
      content: [
        { type: "reasoning", text: "hm hm" },
        { type: "text", text: "a b" },
        { type: "tool-call", toolCallId: "call-1", toolName: "t", input: '{"x":1}' },
      ],
      finishReason: { unified: "tool-calls", raw: "tool-calls" },
      usage: expect.anything(),
      warnings: [],
      response: { id: "reply-1" },
    });
    await expect(model.doGenerate({ prompt: [] })).rejects.toThrow("broke off");
  });
});
