import { createHash } from "node:crypto";
import { createScriptedModel } from "@openclaw/models";
import { createSafetyRules } from "@openclaw/safety";
import { describe, expect, it } from "vitest";
import {
  calling,
  fieldsOf,
  plugin,
  scriptedProvider,
  textOf,
  tool,
  turnHost,
  watcher,
} from "../support/turn-host.js";

const OBSERVERS = ["llm_input", "model_call_started", "model_call_ended", "llm_output"] as const;

/** A plugin that records the events of the hooks around a model call. */
function witness(told: [string, object][]) {
  return plugin("witness", (api) => {
    api.registerHook(
      OBSERVERS,
      (event, { hookName }) => void told.push([hookName, fieldsOf(event)]),
    );
  });
}

/** The same model, whose text arrives in chunks of this many characters. */
function cutText(model: ReturnType<typeof createScriptedModel>, size: number) {
  return {
    ...model,
    async doStream(options: Parameters<typeof model.doStream>[0]) {
      const { stream, ...rest } = await model.doStream(options);
      type Part = typeof stream extends ReadableStream<infer Each> ? Each : never;
      const cut = new TransformStream<Part, Part>({
        transform(part, controller) {
          if (part.type !== "text-delta") return controller.enqueue(part);
          for (let start = 0; start < part.delta.length; start += size) {
            controller.enqueue({ ...part, delta: part.delta.slice(start, start + size) });
          }
        },
      });
      return { ...rest, stream: stream.pipeThrough(cut) };
    },
  };
}

describe("model call", () => {
  it("[TURN-027] is reported in order, with its input and output", async () => {
    const told: [string, object][] = [];
    const host = await turnHost({
      script: [{ thinking: "hm", text: "fine", usage: { input: 3, output: 1 } }],
      coreTools: [tool("work")],
      plugins: [witness(told)],
    });
    await host.run({ instructions: "Be brief." });
    expect(told.map(([name]) => name)).toEqual([...OBSERVERS]);
    const identity = { runId: "run-1", provider: "scripted", model: "script" };
    const callId = expect.any(String);
    const [input, started, ended, output] = told.map(([, event]) => event);
    expect(input).toEqual({
      ...identity,
      sessionId: host.sessionId,
      systemPrompt: "Be brief.",
      prompt: "hello",
      historyMessages: [],
      imagesCount: 0,
      tools: [{ name: "work", description: "The tool work." }],
    });
    expect(started).toEqual({ ...identity, callId, contextTokenBudget: 100_000 });
    expect(ended).toEqual({
      contextTokenBudget: 100_000,
      ...identity,
      callId,
      durationMs: expect.any(Number),
      timeToFirstByteMs: expect.any(Number),
      upstreamRequestIdHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      outcome: "completed",
    });
    expect(Reflect.get(ended ?? {}, "callId")).toBe(Reflect.get(started ?? {}, "callId"));
    expect(output).toMatchObject({
      ...identity,
      sessionId: host.sessionId,
      assistantTexts: ["fine"],
      lastAssistant: {
        content: [
          { type: "thinking", text: "hm" },
          { type: "text", text: "fine" },
        ],
      },
      usage: { input: 3, output: 1 },
    });
  });

  it("[LLM-003] [LLM-004] has the run, and a result with text, calls, finish, usage, cost, model and ID", async () => {
    const told: [string, object][] = [];
    const usage = { input: 9, output: 4, cacheRead: 3, reasoning: 2 };
    const host = await turnHost({
      script: [
        { text: "I work.", usage, ...calling("work") },
        { text: "Done.", usage },
      ],
      coreTools: [tool("work")],
      plugins: [witness(told)],
    });
    await host.run();
    expect(host.requests[0]?.providerOptions).toMatchObject({ openclaw: { runId: "run-1" } });
    const replies = (await host.transcript()).filter(({ role }) => role === "assistant");
    const origin = { provider: "scripted", model: "script" };
    const cost = { usd: expect.stringMatching(/^\d+(\.\d+)?$/), estimated: expect.any(Boolean) };
    expect(replies).toMatchObject([
      {
        ...origin,
        content: [
          { type: "text", text: "I work." },
          { type: "toolCall", toolName: "work" },
        ],
        stopReason: "tool-calls",
        usage: { ...usage, cost },
      },
      { ...origin, content: [{ text: "Done." }], stopReason: "stop", usage: { ...usage, cost } },
    ]);
    const ended = told.filter(([name]) => name === "model_call_ended").map(([, event]) => event);
    expect(ended).toMatchObject(
      [1, 2].map(() => ({ upstreamRequestIdHash: expect.stringMatching(/^[0-9a-f]{64}$/) })),
    );
  });

  it("[TURN-027] has its own ID and all earlier messages in its input", async () => {
    const told: [string, object][] = [];
    const host = await turnHost({
      script: [calling("work"), { text: "done" }],
      coreTools: [tool("work")],
      plugins: [witness(told)],
    });
    await host.run();
    const inputs = told.filter(([name]) => name === "llm_input").map(([, event]) => event);
    expect(inputs).toMatchObject([
      { prompt: "hello", historyMessages: [] },
      {
        prompt: "hello",
        historyMessages: [{ role: "user" }, { role: "assistant" }, { role: "toolResult" }],
      },
    ]);
    const ids = told
      .filter(([name]) => name === "model_call_started")
      .map(([, event]) => Reflect.get(event, "callId"));
    expect(new Set(ids).size).toBe(2);
  });

  it("[TURN-027] hides prompt, reply, headers and the provider's own IDs from observers", async () => {
    const told: [string, object][] = [];
    const host = await turnHost({
      script: [
        { text: "the-reply", thinking: "the-thought", ...calling("the-tool") },
        { error: { status: 400, message: "the-body says no" } },
      ],
      coreTools: [tool("the-tool")],
      plugins: [witness(told)],
    });
    await host.run({ text: "the-prompt", instructions: "the-system" });
    const calls = told.filter(([name]) => name.startsWith("model_call"));
    expect(calls).toHaveLength(4);
    const words =
      /the-(reply|thought|tool|prompt|system|body)|authorization|"(?:prompt|messages|headers|body|content)"/i;
    expect(JSON.stringify(calls)).not.toMatch(words);
  });

  it("[TURN-027] reports the provider's ID of a reply only as a hash", async () => {
    const told: [string, object][] = [];
    const model = createScriptedModel([{ text: "fine" }]);
    const identified = {
      ...model,
      async doStream(options: Parameters<typeof model.doStream>[0]) {
        const { stream, ...rest } = await model.doStream(options);
        const named = new TransformStream({
          flush: (controller) =>
            controller.enqueue({ type: "response-metadata", id: "resp_raw_id" }),
        });
        return { ...rest, stream: stream.pipeThrough(named) };
      },
    };
    const host = await turnHost({
      providers: [scriptedProvider("named", () => identified)],
      plugins: [witness(told)],
    });
    await host.run({ model: "named/script" });
    const hash = createHash("sha256").update("resp_raw_id").digest("hex");
    expect(told[2]).toMatchObject(["model_call_ended", { upstreamRequestIdHash: hash }]);
    expect(JSON.stringify(told)).not.toContain("resp_raw_id");
  });

  it("[TURN-027] without text produces a reply but no output", async () => {
    const order: string[] = [];
    const host = await turnHost({ script: [{}, {}], plugins: [watcher(order, OBSERVERS)] });
    expect(await host.run()).toMatchObject({ status: "failed", error: { code: "EMPTY_REPLY" } });
    const call = ["llm_input", "model_call_started", "model_call_ended"];
    expect(order).toEqual([...call, ...call]);
  });

  it("[TURN-027] reports a failure by its code, and no output", async () => {
    const told: [string, object][] = [];
    const host = await turnHost({
      script: [{ text: "one two", breakAfter: 1, error: { status: 429, message: "slow down" } }],
      plugins: [witness(told)],
    });
    expect(await host.run()).toMatchObject({
      status: "failed",
      error: { code: "MODEL_RATE_LIMITED", stage: "model", retryable: true },
    });
    expect(told.map(([name]) => name)).toEqual(OBSERVERS.slice(0, 3));
    expect(told[2]?.[1]).toMatchObject({ outcome: "error", errorCategory: "MODEL_RATE_LIMITED" });
  });

  it("reports a failure outside the model as unexpected", async () => {
    const told: [string, object][] = [];
    const host = await turnHost({ script: [{ text: "hi" }], plugins: [witness(told)] });
    const onEvent = ({ type }: { type: string }) => {
      if (type === "text") throw new Error("the window was closed");
    };
    expect(await host.run({ onEvent })).toMatchObject({
      status: "failed",
      error: { code: "UNEXPECTED", message: "the window was closed", stage: "internal" },
    });
    expect(told[2]?.[1]).toMatchObject({ outcome: "error", errorCategory: "UNEXPECTED" });
  });

  it("fails with the model's error even when a fail-closed observer fails", async () => {
    const host = await turnHost({
      script: [{ error: { status: 500, message: "boom" } }],
      plugins: [
        plugin("strict", (api) => {
          const broken = () => Promise.reject(new Error("no audit"));
          api.on("model_call_ended", broken, { mode: "fail-closed" });
        }),
      ],
    });
    expect(await host.run()).toMatchObject({
      status: "failed",
      error: { code: "MODEL_REQUEST_FAILED", stage: "model" },
    });
  });

  it.each(OBSERVERS)("fails the turn when a fail-closed observer of %s fails", async (name) => {
    const host = await turnHost({
      script: [calling("work"), { text: "done" }],
      coreTools: [tool("work")],
      plugins: [
        plugin("strict", (api) => {
          const broken = () => Promise.reject(new Error("no audit"));
          api.registerHook(name, broken, { mode: "fail-closed" });
        }),
      ],
    });
    expect(await host.run()).toMatchObject({
      status: "failed",
      error: { code: "HOOK_THREW", stage: "hook", retryable: false },
    });
    expect((await host.transcript()).map(({ role }) => role)).toEqual(["user"]);
  });

  it.each(OBSERVERS)("does not wait for fail-open observers of %s", async (name) => {
    const host = await turnHost({
      plugins: [
        plugin(
          "slow",
          (api) => void api.registerHook(name, () => new Promise(() => {}), { timeoutMs: 30 }),
        ),
      ],
    });
    expect(await host.run()).toMatchObject({ status: "completed", text: "done" });
  });
});

describe("reply previews", () => {
  const texts = (events: readonly { type: string }[]) =>
    events.flatMap((event) => ("delta" in event ? [event.delta] : []));

  it("[TURN-028] [SAFE-013] [SAFE-057] contain no secret, not even one that is split over chunks", async () => {
    const key = `sk-${"a1B2".repeat(6)}`;
    const text = `use ${key} or ${key}. Then go on`;
    for (const size of [1, 3, 7, 20]) {
      const model = createScriptedModel([{ text }]);
      const host = await turnHost({
        providers: [scriptedProvider("cut", () => cutText(model, size))],
      });
      const outcome = await host.run({ model: "cut/script" });
      const said = "use [REDACTED] or [REDACTED]. Then go on";
      expect(texts(host.events).join("")).toBe(said);
      expect(texts(host.events).length).toBeGreaterThan(2);
      // The delivered text equals the previews; the model's own text remains in the transcript.
      expect(outcome).toMatchObject({ status: "completed", text: said });
      expect(textOf((await host.transcript()).at(-1))).toBe(text);
    }
  });

  it("[SAFE-057] a delivered reply has no secret that a plugin put into it", async () => {
    const key = `sk-${"a1B2".repeat(6)}`;
    const host = await turnHost({
      script: [{ text: "see the notes" }],
      plugins: [
        plugin("notes", (api) => {
          api.on("transform_response", ({ content }) => ({ content: `${content}: ${key}` }));
        }),
      ],
    });
    expect(await host.run()).toMatchObject({ text: "see the notes: [REDACTED]" });
  });

  it("[TURN-028] are complete when the reply ends with the beginning of a secret", async () => {
    const host = await turnHost({ script: [{ text: "the prefix is sk-" }] });
    await host.run();
    expect(texts(host.events).join("")).toBe("the prefix is sk-");
  });

  it("[TURN-028] follow the operator's rules", async () => {
    const rules = createSafetyRules({
      added: [
        {
          id: "ticket",
          title: "a ticket",
          reason: "Tickets stay inside.",
          severity: "high",
          kind: "leak",
          pattern: "TICKET-[0-9]{6}",
          literals: ["TICKET-"],
          examples: { match: ["TICKET-123456"], clean: ["TICKET-1"] },
        },
      ],
    });
    const model = createScriptedModel([{ text: "see TICKET-123456, please" }]);
    const host = await turnHost({
      providers: [scriptedProvider("cut", () => cutText(model, 4))],
      safety: { rules },
    });
    await host.run({ model: "cut/script" });
    expect(texts(host.events).join("")).toBe("see [REDACTED], please");
  });

  it("show reasoning and text as they arrive", async () => {
    const host = await turnHost({ script: [{ thinking: "hm", text: "one two three" }] });
    expect(await host.run()).toMatchObject({ reasoning: "hm" });
    const shown = host.events.filter(({ type }) => type === "thinking" || type === "text");
    expect(shown).toEqual([
      { type: "thinking", delta: "hm" },
      ...["one ", "two ", "three"].map((delta) => ({ type: "text", delta })),
    ]);
  });

  it.each(["transform_response", "before_dispatch", "message_sending"] as const)(
    "are delayed while a handler of %s can still change the reply",
    async (name) => {
      const host = await turnHost({
        script: [{ text: "one two three" }],
        plugins: [plugin("editor", (api) => void api.registerHook(name, () => undefined))],
      });
      expect(await host.run()).toMatchObject({ text: "one two three" });
      expect(texts(host.events)).toEqual([]);
    },
  );

  it("are shown when the handler is not in scope", async () => {
    const host = await turnHost({
      script: [{ text: "one" }],
      plugins: [
        plugin("editor", (api) => {
          api.on("transform_response", () => ({ content: "x" }), {
            scope: { agentIds: ["other"] },
          });
        }),
      ],
    });
    expect(await host.run()).toMatchObject({ text: "one" });
    expect(texts(host.events)).toEqual(["one"]);
  });
});

describe("model reply", () => {
  it("is written with its reasoning, text and calls", async () => {
    const host = await turnHost({
      script: [{ thinking: "hm", text: "wait", ...calling("work") }, { text: "done" }],
      coreTools: [tool("work")],
    });
    await host.run();
    const [, reply] = await host.transcript();
    expect(reply?.content).toEqual([
      { type: "thinking", text: "hm" },
      { type: "text", text: "wait" },
      { type: "toolCall", toolCallId: "call-1", toolName: "work", params: {} },
    ]);
    expect(textOf(reply)).toContain("wait");
  });
});
