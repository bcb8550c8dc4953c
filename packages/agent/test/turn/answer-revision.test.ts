import type { HookMap } from "@openclaw/plugin-sdk/hooks";
import { describe, expect, it } from "vitest";
import {
  calling,
  expectAnswered,
  fieldsOf,
  plugin,
  textOf,
  tool,
  turnHost,
  watcher,
} from "../support/turn-host.js";

type Verdict = HookMap["before_agent_finalize"]["result"];

/** A plugin that reviews every final answer. */
function evaluate(id: string, verdict: (attempt: number) => Verdict | undefined, options = {}) {
  return plugin(id, (api) => {
    api.on("before_agent_finalize", ({ attempt }) => verdict(attempt), options);
  });
}

const revise = (instruction: string, retry: object = {}): Verdict => ({
  action: "revise",
  reason: `not ${instruction}`,
  retry: { instruction, ...retry },
});

const drafts = (...texts: string[]) => texts.map((text) => ({ text }));

describe("final answer review", () => {
  it("[TURN-044] passes the answer and the attempt number to the hook", async () => {
    const seen: Record<string, unknown>[] = [];
    const host = await turnHost({
      script: [calling("work"), ...drafts("first", "second")],
      coreTools: [tool("work")],
      plugins: [
        plugin("witness", (api) => {
          api.on("before_agent_finalize", (event) => void seen.push(fieldsOf(event)));
        }),
        evaluate("evaluate", (attempt) => (attempt === 1 ? revise("better") : undefined)),
      ],
    });
    await host.run();
    const { sessionId } = host;
    const identity = { runId: "run-1", sessionId, sessionKey: "agent:main:main" };
    const model = { provider: "scripted", model: "script", cwd: "/workspace" };
    expect(seen).toMatchObject([
      {
        ...identity,
        ...model,
        attempt: 1,
        stopHookActive: false,
        lastAssistantMessage: "first",
        messages: [{ role: "user" }, {}, { role: "toolResult" }, { content: [{ text: "first" }] }],
      },
      { ...identity, attempt: 2, stopHookActive: true, lastAssistantMessage: "second" },
    ]);
  });

  it("[TURN-201] shows the text of a revised answer and of the next one as two paragraphs", async () => {
    const host = await turnHost({
      script: [calling("work"), ...drafts("first", "second", "third")],
      coreTools: [tool("work")],
      plugins: [
        evaluate("strict", (attempt) =>
          attempt < 3 ? revise("better", { maxAttempts: 2 }) : undefined,
        ),
      ],
    });
    expect(await host.run()).toMatchObject({ text: "third" });
    const shown = host.events.flatMap((event) => (event.type === "text" ? [event.delta] : []));
    expect(shown.join("")).toBe("first\n\nsecond\n\nthird");
  });

  it("[TURN-044] returns an answer to the model with the reason and instruction of every plugin that requests a revision", async () => {
    const host = await turnHost({
      script: drafts("first", "second"),
      plugins: [
        evaluate("tone", (attempt) => (attempt === 1 ? revise("kinder") : undefined)),
        evaluate("facts", (attempt) =>
          attempt === 1 ? revise("sourced") : { action: "continue" },
        ),
      ],
    });
    expect(await host.run()).toMatchObject({ status: "completed", text: "second" });
    const asked = [
      `[Revision asked by plugin "tone"]\nnot kinder\nkinder`,
      `[Revision asked by plugin "facts"]\nnot sourced\nsourced`,
    ].join("\n\n");
    expect((await host.transcript()).map(textOf)).toEqual(["hello", "first", asked, "second"]);
    expect(host.requests).toHaveLength(2);
    expect(JSON.stringify(host.requests[1]?.prompt.at(-1))).toContain("not sourced");
  });

  it.each<[string, [string, Verdict][], string]>([
    [
      "finalize after revise",
      [
        ["a", revise("x")],
        ["b", { action: "finalize" }],
      ],
      "first",
    ],
    [
      "finalize before revise",
      [
        ["a", { action: "finalize" }],
        ["b", revise("x")],
      ],
      "first",
    ],
    ["continue", [["a", { action: "continue" }]], "first"],
    [
      "a revise beside a continue",
      [
        ["a", revise("x")],
        ["b", { action: "continue" }],
      ],
      "second",
    ],
    ["a revise without instruction", [["a", { action: "revise", reason: "too long" }]], "second"],
    ["a revise without text", [["a", { action: "revise" }]], "second"],
  ])("[TURN-044] delivers the right answer after %s", async (_what, verdicts, text) => {
    const host = await turnHost({
      script: drafts("first", "second"),
      plugins: verdicts.map(([id, verdict]) => evaluate(id, () => verdict)),
    });
    expect(await host.run()).toMatchObject({ status: "completed", text });
  });

  it.each<[string, object, Parameters<typeof turnHost>[0]]>([
    ["cut off", { stopReason: "length" }, { script: [{ text: "cut", finish: "length" }] }],
    [
      "filtered",
      { stopReason: "content-filter" },
      { script: [{ text: "no", finish: "content-filter" }] },
    ],
    ["failed", { status: "failed" }, { script: [{ error: { status: 500, message: "boom" } }] }],
    [
      "at its last call",
      { stopReason: "max_iterations" },
      { script: [calling("work")], maxIterations: 1 },
    ],
    [
      "over its budget",
      { stopReason: "budget" },
      {
        budgets: { session: { maxTokens: 1 } },
        script: [{ text: "x", usage: { input: 1, output: 1 }, ...calling("work") }],
      },
    ],
    [
      "ended by a tool",
      { stopReason: "tool-terminated" },
      {
        script: [calling("last")],
        coreTools: [tool("last", { execute: () => ({ content: [], terminate: true }) })],
      },
    ],
  ])("[TURN-044] is skipped when the turn was %s", async (_what, ended, options) => {
    const order: string[] = [];
    const host = await turnHost({
      ...options,
      plugins: [watcher(order, ["before_agent_finalize"])],
    });
    expect(await host.run()).toMatchObject(ended);
    expect(order).toEqual([]);
  });

  it("[TURN-044] is skipped when the gate blocked or the turn was interrupted", async () => {
    const order: string[] = [];
    const watching = watcher(order, ["before_agent_finalize"]);
    const gate = plugin("gate", (api) => {
      api.on("before_agent_run", () => ({ outcome: "block" }));
    });
    const gated = await turnHost({ plugins: [watching, gate] });
    expect(await gated.run()).toMatchObject({ status: "blocked" });

    const controller = new AbortController();
    const onEvent = ({ type }: { type: string }) => {
      if (type === "text") controller.abort();
    };
    const host = await turnHost({ script: drafts("one two"), plugins: [watching] });
    const outcome = await host.run({ signal: controller.signal, onEvent });
    expect(outcome).toMatchObject({ status: "interrupted" });
    expect(order).toEqual([]);
  });

  it("[HCR-004] fails the turn when a fail-closed handler fails, and keeps the answer in the transcript", async () => {
    const host = await turnHost({
      script: drafts("first"),
      plugins: [
        plugin("strict", (api) => {
          const broken = () => Promise.reject(new Error("no rules"));
          api.on("before_agent_finalize", broken, { mode: "fail-closed" });
        }),
      ],
    });
    expect(await host.run()).toMatchObject({ status: "failed", error: { stage: "hook" } });
    expect((await host.transcript()).map(textOf)).toEqual(["hello", "first"]);
  });

  it("keeps and marks the answer when the turn is interrupted during the review", async () => {
    const controller = new AbortController();
    const host = await turnHost({
      script: drafts("first"),
      plugins: [
        plugin("slow", (api) => {
          api.on("before_agent_finalize", () => {
            controller.abort();
            return new Promise<never>(() => {});
          });
        }),
      ],
    });
    expect(await host.run({ signal: controller.signal })).toMatchObject({ status: "interrupted" });
    expect((await host.transcript()).at(-1)).toMatchObject({
      content: [{ text: "first" }],
      stopReason: "interrupted",
    });
  });
});

describe("answer revisions", () => {
  const exhausted = "finalize_retry_exhausted_total";

  it("[TURN-045] run once per instruction by default; then the answer is kept", async () => {
    const host = await turnHost({
      script: drafts("first", "second"),
      plugins: [evaluate("evaluate", () => revise("better"))],
    });
    expect(await host.run()).toMatchObject({ text: "second" });
    expect(host.services.counters.values()).toEqual({ [exhausted]: 1 });
  });

  it("[TURN-045] count each instruction separately, three per turn at most", async () => {
    const host = await turnHost({
      script: drafts("1", "2", "3", "4"),
      plugins: [evaluate("evaluate", (attempt) => revise(`better ${attempt}`))],
    });
    expect(await host.run()).toMatchObject({ status: "completed", text: "4" });
    expect(host.requests).toHaveLength(4);
    expect(host.services.counters.values()).toEqual({ [exhausted]: 1 });
  });

  it("[TURN-045] do not run with zero attempts", async () => {
    const host = await turnHost({
      script: drafts("1"),
      plugins: [evaluate("evaluate", () => revise("better", { maxAttempts: 0 }))],
    });
    expect(await host.run()).toMatchObject({ text: "1" });
    expect(host.services.counters.values()).toEqual({ [exhausted]: 1 });
  });

  it("[HCR-012] [TURN-045] count under the plugin's own key across decisions; at its limit the answer is accepted", async () => {
    const host = await turnHost({
      script: drafts("1", "2", "3"),
      plugins: [
        evaluate("evaluate", (attempt) =>
          revise(`better ${attempt}`, { idempotencyKey: "quality", maxAttempts: 2 }),
        ),
      ],
    });
    expect(await host.run()).toMatchObject({ text: "3" });
    expect(host.requests).toHaveLength(3);
    expect(host.services.counters.values()).toEqual({ [exhausted]: 1 });
  });

  it("[HCR-012] [TURN-045] count separately for two plugins with the same key", async () => {
    const key = { idempotencyKey: "quality" };
    const host = await turnHost({
      script: drafts("1", "2", "3"),
      plugins: [
        evaluate("a", (attempt) => (attempt === 1 ? revise("a", key) : undefined)),
        evaluate("b", (attempt) => (attempt === 2 ? revise("b", key) : undefined)),
      ],
    });
    expect(await host.run()).toMatchObject({ text: "3" });
    expect(host.services.counters.values()).toEqual({});
  });

  it("[TURN-045] of another plugin still run when one plugin is at its limit", async () => {
    const host = await turnHost({
      script: drafts("1", "2", "3"),
      plugins: [
        evaluate("a", () => revise("a")),
        evaluate("b", (attempt) => (attempt === 2 ? revise("b") : undefined)),
      ],
    });
    expect(await host.run()).toMatchObject({ text: "3" });
    const texts = (await host.transcript()).map(textOf);
    expect(texts[4]).toBe(`[Revision asked by plugin "b"]\nnot b\nb`);
  });

  it("can call tools, and count from zero in the next turn", async () => {
    const host = await turnHost({
      script: [{ text: "1" }, calling("work"), { text: "2" }, ...drafts("3", "4")],
      coreTools: [tool("work")],
      plugins: [evaluate("evaluate", () => revise("better"))],
    });
    expect(await host.run()).toMatchObject({ text: "2" });
    expect(await host.run()).toMatchObject({ text: "4" });
    await expectAnswered(host);
  });

  it("stop at the maximum number of model calls: the answer is kept", async () => {
    const host = await turnHost({
      script: drafts("1"),
      maxIterations: 1,
      plugins: [evaluate("evaluate", () => revise("better"))],
    });
    expect(await host.run()).toMatchObject({ text: "1", stopReason: "stop" });
  });
});
