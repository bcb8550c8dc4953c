import { getEventListeners } from "node:events";
import type { ToolDefinition, ToolOutput } from "@openclaw/plugin-sdk/tools";
import { afterEach, describe, expect, it, vi } from "vitest";
import { deferred } from "../support/deferred.js";
import {
  calling,
  fieldsOf,
  plugin,
  type TurnHostOptions,
  textOf,
  tool,
  turnHost,
} from "../support/turn-host.js";

type Execute = ToolDefinition["execute"];

/** A host whose model calls the core tool `work` once. */
function hostOf(execute: Execute, options: TurnHostOptions = {}, changes = {}) {
  return turnHost({
    script: [calling("work"), { text: "done" }],
    coreTools: [tool("work", { execute, ...changes })],
    ...options,
  });
}

/** Plugins need not be typed: anything can come back from a tool. */
const returning = (output: unknown) => (): ToolOutput => output as ToolOutput;

/** Events of the hooks around a call, in order. */
function witness(told: unknown[]) {
  return plugin("witness", (api) => {
    api.on("tool_error", (event) => void told.push(["tool_error", fieldsOf(event)]));
    api.on("after_tool_call", (event) => void told.push(["after_tool_call", fieldsOf(event)]));
  });
}

const throwing = (error: unknown) => () => {
  throw error;
};

describe("tool call execution", () => {
  it("[TURN-037] passes ID, arguments and a signal that has not aborted", async () => {
    const execute = vi.fn<Execute>(() => "ok");
    const host = await turnHost({
      script: [{ toolCalls: [{ toolName: "work", params: { a: 1 }, toolCallId: "c-9" }] }, {}],
      coreTools: [tool("work", { execute })],
    });
    await host.run();
    expect(execute).toHaveBeenCalledTimes(1);
    const [id, params, signal] = execute.mock.calls[0] ?? [];
    expect([id, params]).toEqual(["c-9", { a: 1 }]);
    expect(signal?.aborted).toBe(false);
  });

  it("[LLM-480] keeps the cost that the tool reported, and leaves out one that is not an amount", async () => {
    const content = [{ type: "text" as const, text: "found" }];
    const cost = { usd: "0.0125", estimated: false };
    const host = await hostOf(() => ({ content, cost }));
    await host.run();
    expect((await host.toolResults())[0]).toMatchObject({ cost });
    const page = { from: 0, to: Number.MAX_SAFE_INTEGER, limit: 10 };
    const answers = await host.store.turns.usage.toolAnswers(page);
    expect(answers.map(({ step }) => step)).toMatchObject([
      { message: { toolName: "work", cost } },
    ]);
    expect(JSON.stringify(host.requests)).not.toContain("0.0125");
    const odd = await hostOf(() => ({ content, cost: { usd: "cheap", estimated: false } }));
    await odd.run();
    expect((await odd.toolResults())[0]).not.toHaveProperty("cost");
    expect((await odd.toolResults())[0]).toMatchObject({ isError: false });
    expect(odd.lines).toContainEqual(
      expect.objectContaining({
        level: "warn",
        message: expect.stringContaining("the cost that work reported is left out"),
      }),
    );
  });

  it("calls the method on the tool object", async () => {
    class Counter {
      readonly name = "work";
      readonly description = "Counts.";
      readonly parameters = { type: "object" };
      #count = 0;
      execute() {
        this.#count += 1;
        return `count ${this.#count}`;
      }
    }
    const host = await turnHost({
      script: [calling("work"), {}],
      coreTools: [new Counter()],
    });
    await host.run();
    expect(textOf((await host.toolResults())[0])).toBe("count 1");
  });

  it("[HOOKCAT:after_tool_call] reports success to the hooks once, with the result", async () => {
    const told: unknown[] = [];
    const output = { content: [{ type: "text" as const, text: "hi" }], details: { n: 1 } };
    const host = await hostOf(() => output, { plugins: [witness(told)] });
    await host.run();
    expect(told).toEqual([
      [
        "after_tool_call",
        {
          toolName: "work",
          params: {},
          runId: "run-1",
          toolCallId: "call-1",
          durationMs: expect.any(Number),
          outcome: "ok",
          result: output,
        },
      ],
    ]);
  });

  it("can modify its arguments: hooks, model and transcript keep the original", async () => {
    const told: unknown[] = [];
    const host = await turnHost({
      script: [{ toolCalls: [{ toolName: "work", params: { list: [1] } }] }, { text: "done" }],
      coreTools: [
        tool("work", {
          execute(_id, params) {
            Object.assign(params, { extra: true });
            (params.list as number[]).push(2);
            return JSON.stringify(params);
          },
        }),
      ],
      plugins: [witness(told), plugin("reader", (api) => void api.on("llm_output", () => {}))],
    });
    await host.run();
    expect((await host.toolResults())[0]).toMatchObject({ isError: false });
    expect(told).toMatchObject([["after_tool_call", { params: { list: [1] } }]]);
    const [, asked] = await host.transcript();
    expect(asked?.content).toMatchObject([{ type: "toolCall", params: { list: [1] } }]);
    expect(host.requests[1]?.prompt[2]?.content).toMatchObject([{ input: { list: [1] } }]);
  });

  it("keeps its own result object unfrozen by observers", async () => {
    const state = { content: [{ type: "text" as const, text: "hi" }], details: { calls: 0 } };
    const execute = () => {
      state.details.calls += 1;
      return state;
    };
    const host = await turnHost({
      script: [calling("work"), calling("work"), { text: "done" }],
      coreTools: [tool("work", { execute })],
      plugins: [
        plugin("reader", (api) => void api.on("after_tool_call", ({ result }) => void result)),
      ],
    });
    await host.run();
    expect((await host.toolResults()).map(({ details }) => details)).toEqual([
      { calls: 1 },
      { calls: 2 },
    ]);
  });

  it("never aborts its signal after the end, and removes its listener from the turn's", async () => {
    const signals: AbortSignal[] = [];
    const aborted = vi.fn();
    const host = await hostOf((_id, _params, signal) => {
      signals.push(signal);
      signal.addEventListener("abort", aborted);
      return "ok";
    });
    const { signal } = new AbortController();
    await host.run({ signal });
    expect(signals[0]?.aborted).toBe(false);
    expect(aborted).not.toHaveBeenCalled();
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("failed call", () => {
  it.each<[string, Execute, string]>([
    ["throws", throwing(new Error("disk full")), "work failed: disk full"],
    ["rejects", () => Promise.reject(new TypeError("bad")), "work failed: bad"],
    ["throws no error", throwing("plain"), "work failed: plain"],
    [
      "throws something without a text",
      throwing(Object.create(null)),
      "work failed: a value of type object without a text form",
    ],
  ])("[TURN-041] returns an error without a stack when it %s", async (_what, execute, text) => {
    const told: unknown[] = [];
    const host = await hostOf(execute, { plugins: [witness(told)] });
    expect(await host.run()).toMatchObject({ status: "completed", text: "done" });
    const [result] = await host.toolResults();
    expect(result).toMatchObject({ isError: true, content: [{ type: "text", text }] });
    const call = { toolName: "work", params: {}, runId: "run-1", toolCallId: "call-1" };
    const durationMs = expect.any(Number);
    expect(told).toEqual([
      [
        "tool_error",
        { ...call, durationMs, error: { code: "TOOL_THREW", message: text, kind: "threw" } },
      ],
      [
        "after_tool_call",
        {
          ...call,
          durationMs,
          outcome: "error",
          error: text,
          result: { isError: true, content: [{ type: "text", text }] },
        },
      ],
    ]);
  });

  it("[TURN-041] [HOOKCAT:after_tool_call] reports an error result as an error", async () => {
    const told: unknown[] = [];
    const content = [{ type: "text" as const, text: "no such\nfile" }];
    const host = await hostOf(() => ({ content, isError: true }), { plugins: [witness(told)] });
    await host.run();
    expect((await host.toolResults())[0]).toMatchObject({ isError: true, content });
    expect(told).toMatchObject([
      [
        "tool_error",
        {
          error: { code: "TOOL_RESULT_ERROR", message: "no such file", kind: "result-error" },
        },
      ],
      ["after_tool_call", { outcome: "error", error: "no such file" }],
    ]);
  });

  it.each<[string, unknown]>([
    ["a big integer", 1n],
    ["a function", () => 1],
  ])("[TURN-037] [TURN-041] reports an error when it returns %s", async (_what, output) => {
    const told: unknown[] = [];
    const host = await hostOf(returning(output), { plugins: [witness(told)] });
    await host.run();
    expect((await host.toolResults())[0]).toMatchObject({ isError: true });
    expect(told).toMatchObject([
      ["tool_error", {}],
      ["after_tool_call", {}],
    ]);
  });

  it("[TURN-041] truncates an endless message like any output", async () => {
    const told: { error: { message: string } }[] = [];
    const host = await hostOf(throwing(new Error("x".repeat(500_000))), {
      plugins: [
        plugin(
          "witness",
          (api) => void api.on("tool_error", ({ error }) => void told.push({ error })),
        ),
      ],
    });
    await host.run();
    const text = textOf((await host.toolResults())[0]);
    expect(text).toContain("[Output truncated: 500013 bytes");
    expect(text.length).toBeLessThan(100_200);
    expect(told[0]?.error.message).toBe(text);
  });

  it("[TURN-041] returns its result even when observers fail, including fail-closed ones", async () => {
    const host = await hostOf(throwing(new Error("broken")), {
      plugins: [
        plugin("observers", (api) => {
          api.on("tool_error", throwing(new Error("observer 1")), { mode: "fail-closed" });
          api.on("after_tool_call", throwing(new Error("observer 2")));
          api.on("after_tool_call", () => Promise.reject(new Error("observer 3")), {
            mode: "fail-closed",
          });
        }),
      ],
    });
    expect(await host.run()).toMatchObject({ status: "completed", text: "done" });
    expect(textOf((await host.toolResults())[0])).toBe("work failed: broken");
    const late = host.lines.filter(({ fields }) => fields.code === "HOOK_FAILED_AFTERWARDS");
    expect(late.map(({ level }) => level)).toEqual(["error", "error"]);
  });
});

describe("call deadline", () => {
  afterEach(() => void vi.useRealTimers());

  /** Runs a call that hangs, and returns its deadline in milliseconds. */
  async function deadlineOf(changes: Partial<ToolDefinition>, toolTimeouts = {}) {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const begun = deferred();
    const signals: AbortSignal[] = [];
    const execute: Execute = (_id, _params, signal) => {
      signals.push(signal);
      begun.resolve();
      return new Promise(() => {});
    };
    const told: unknown[] = [];
    const host = await turnHost({
      script: [calling(changes.name ?? "work"), { text: "done" }],
      coreTools: [tool("work", { execute, ...changes })],
      plugins: [witness(told)],
      toolTimeouts,
    });
    const running = host.run();
    await begun.promise;
    let elapsed = 0;
    while (signals[0]?.aborted === false && elapsed <= 600_000) {
      elapsed += 500;
      await vi.advanceTimersByTimeAsync(500);
    }
    expect(await running).toMatchObject({ status: "completed", text: "done" });
    return { elapsed, text: textOf((await host.toolResults())[0]), told };
  }

  it.each<[string, Partial<ToolDefinition>, Record<string, number>, number]>([
    ["60 s by default", {}, {}, 60_000],
    ["the tool's timeout", { timeoutMs: 2_000 }, { work: 5_000 }, 2_000],
    ["the operator's timeout when the tool has none", {}, { work: 5_000 }, 5_000],
    ["at most 600 s", { timeoutMs: 700_000 }, {}, 600_000],
  ])("[TURN-038] is %s", async (_what, changes, timeouts, expected) => {
    const { elapsed, text, told } = await deadlineOf(changes, timeouts);
    expect(elapsed).toBe(expected);
    expect(text).toBe(`Tool timed out after ${expected} ms`);
    expect(told).toMatchObject([
      ["tool_error", { error: { code: "TOOL_TIMEOUT", message: text, kind: "timeout" } }],
      ["after_tool_call", { outcome: "error", error: text }],
    ]);
  });

  it.each(["constructor", "__proto__"])(
    "is the default for a tool called %s, an Object.prototype member",
    async (name) => {
      const { elapsed } = await deadlineOf({ name });
      expect(elapsed).toBe(60_000);
    },
  );

  it("[TURN-038] [TURN-039] drops a result, a failure and updates that arrive later", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const begun = [deferred(), deferred()];
    const late = [deferred<string>(), deferred<string>()];
    const updates: ((partial: ToolOutput) => void)[] = [];
    const host = await turnHost({
      script: [calling("work"), calling("work"), { text: "done" }],
      coreTools: [
        tool("work", {
          timeoutMs: 1_000,
          execute(_id, _params, _signal, onUpdate) {
            const call = updates.push(onUpdate) - 1;
            begun[call]?.resolve();
            return late[call]?.promise ?? "none";
          },
        }),
      ],
    });
    const running = host.run();
    await begun[0]?.promise;
    await vi.advanceTimersByTimeAsync(1_000);
    late[0]?.resolve("too late");
    updates[0]?.("still there");
    await begun[1]?.promise;
    await vi.advanceTimersByTimeAsync(1_000);
    late[1]?.reject(new Error("too late"));
    await running;
    const timedOut = "Tool timed out after 1000 ms";
    expect((await host.toolResults()).map(textOf)).toEqual([timedOut, timedOut]);
    expect(host.events.some(({ type }) => type === "tool-update")).toBe(false);
    expect(host.services.counters.values()).toMatchObject({ late_tool_results_total: 2 });
  });
});

describe("interrupt of a running call", () => {
  it("[TURN-038] aborts the running call with the turn's reason", async () => {
    const controller = new AbortController();
    const told: unknown[] = [];
    const reasons: unknown[] = [];
    const host = await hostOf(
      (_id, _params, signal) => {
        signal.addEventListener("abort", () => reasons.push(signal.reason));
        controller.abort("the user left");
        return new Promise(() => {});
      },
      { plugins: [witness(told)] },
    );
    expect(await host.run({ signal: controller.signal })).toEqual({
      status: "interrupted",
      text: "",
    });
    expect(reasons).toEqual(["the user left"]);
    expect((await host.toolResults()).map(textOf)).toEqual(["Tool aborted"]);
    expect(told).toMatchObject([
      ["tool_error", { error: { code: "TOOL_ABORTED", message: "Tool aborted", kind: "aborted" } }],
      ["after_tool_call", { outcome: "error" }],
    ]);
  });
});

describe("progress updates of a call", () => {
  it("[TURN-039] are shown while it runs, and never after", async () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    for (const [partial, text] of [
      ["half\ndone", "half\ndone"],
      [{ content: [{ type: "image", data: "aGk=", mimeType: "image/png" }] }, "[image/png]"],
      [cycle, "work failed: it returned something that is not a result"],
    ]) {
      let report: (partial: ToolOutput) => void = () => {};
      const host = await hostOf((_id, _params, _signal, onUpdate) => {
        report = onUpdate;
        onUpdate(partial as ToolOutput);
        return "ok";
      });
      await host.run();
      report("after the end");
      const updates = host.events.filter((event) => event.type === "tool-update");
      expect(updates).toEqual([{ type: "tool-update", toolCallId: "call-1", text }]);
      expect((await host.toolResults()).map(textOf)).toEqual(["ok"]);
      expect(JSON.stringify(host.requests)).not.toContain("half");
    }
  });
});
