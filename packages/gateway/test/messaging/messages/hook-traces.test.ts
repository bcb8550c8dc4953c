import { HookTraces } from "@openclaw/messaging";
import { createPluginRuntime } from "@openclaw/plugin-runtime";
import { createSafetyRules } from "@openclaw/safety";
import type { TraceSegment } from "@openclaw/store";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openTestStore } from "../../support/host.js";

const RULES = createSafetyRules({
  added: [
    {
      id: "ticket",
      title: "ticket",
      reason: "Tickets are confidential.",
      severity: "high",
      kind: "leak",
      pattern: "TICKET \\d{6}",
      examples: { match: ["TICKET 123456"], clean: ["TICKET"] },
    },
  ],
});

/** Creates traces for a plugin with one hook, and a function that fires the hook. */
async function noting() {
  const lines: string[] = [];
  const log = (message: string) => void lines.push(message);
  const logger = { debug: log, info: log, warn: log, error: log };
  const plugins = createPluginRuntime({
    config: {},
    logger,
    inline: [
      {
        id: "guard",
        register: (api) => void api.on("message_sending", ({ content }) => ({ content })),
      },
    ],
  });
  await plugins.load();
  onTestFinished(() => plugins.dispose());
  const store = await openTestStore();
  const traces = new HookTraces({ store, plugins, logger, rules: () => RULES });
  const fire = async (traceId: string, content = "x") =>
    await plugins.hooks.decide(
      "message_sending",
      { to: "me", channel: "terminal", content },
      { callDepth: 0, traceId, spanId: "s" },
    );
  return { traces, store, lines, fire };
}

const run = (runId: string, traceId = "t"): Pick<TraceSegment, "runId" | "traceId" | "spanId"> => ({
  runId,
  traceId,
  spanId: "s",
});

describe("HookTraces", () => {
  it("[SAFE-056] redacts notes with the rules that were added", async () => {
    const { traces, fire } = await noting();
    using _held = traces.hold("t", run("run-1"));
    await fire("t", "about TICKET 123456");
    const text = JSON.stringify(traces.peek("t"));
    expect(text).toContain("about [REDACTED_API_KEY]");
    await traces.close();
  });

  it("[TURN-560] has the time of the machine, also after its clock was set or it slept", async () => {
    const { traces, fire } = await noting();
    const held = traces.hold("t", run("run-1"));
    await fire("t");
    const later = Date.now() + 2 * 24 * 60 * 60 * 1000;
    vi.useFakeTimers({ toFake: ["Date"], now: later });
    onTestFinished(() => void vi.useRealTimers());
    await fire("t");
    const [first, second] = traces.peek("t");
    expect(first?.at).toBeLessThan(later - 60_000);
    expect(Math.abs((second?.at ?? 0) - later)).toBeLessThan(1000);
    held[Symbol.dispose]();
    await traces.close();
  });

  it("returns each note once, and writes later notes itself", async () => {
    const { traces, store, fire } = await noting();
    const held = traces.hold("t", run("run-1"));
    await fire("t");
    await fire("another");
    expect(traces.peek("t")).toHaveLength(1);
    expect(traces.take(run("run-1"))?.hooks).toHaveLength(1);
    expect(traces.take(run("run-1"))).toBeUndefined();
    await fire("t");
    held[Symbol.dispose]();
    await fire("t");
    await traces.settled();
    expect((await store.turns.traces.of("run-1")).map(({ hooks }) => hooks.length)).toEqual([1, 1]);
    await traces.close();
    await fire("t");
    await traces.settled();
    expect(await store.turns.traces.of("run-1")).toHaveLength(2);
  });

  it("records until the last holder releases the trace, and writes nothing without a run", async () => {
    const { traces, store, fire } = await noting();
    const outer = traces.hold("t");
    const inner = traces.hold("t", run("run-1"));
    inner[Symbol.dispose]();
    await fire("t");
    outer[Symbol.dispose]();
    traces.hold("u")[Symbol.dispose]();
    await fire("u");
    await traces.settled();
    expect((await store.turns.traces.of("run-1"))[0]?.hooks).toHaveLength(1);
    expect(traces.take(run("run-2", "u"))).toBeUndefined();
  });

  it("keeps no content of a run whose message was blocked, including later notes", async () => {
    const { traces, store, fire } = await noting();
    {
      using _held = traces.hold("t", run("run-1"));
      await fire("t", "secret words");
      const segment = traces.take(run("run-1"), { withheld: true });
      expect(JSON.stringify(segment)).not.toContain("secret words");
      await fire("t", "secret words");
    }
    await fire("t", "secret words");
    await traces.settled();
    const stored = await store.turns.traces.of("run-1");
    expect(stored.flatMap(({ hooks }) => hooks)).toHaveLength(2);
    expect(JSON.stringify(stored)).not.toContain("secret words");
  });

  it("counts the dispatches that it omits in a run with very many", async () => {
    const { traces, fire } = await noting();
    using _held = traces.hold("t", run("run-1"));
    for (let count = 0; count < 2005; count++) await fire("t");
    const { hooks = [] } = traces.take(run("run-1")) ?? {};
    expect(hooks).toHaveLength(2001);
    expect(hooks.at(-1)).toEqual({ omitted: 5 });
  });

  it("drops ended runs over a limit, and only warns when it cannot write", async () => {
    const { traces, store, fire, lines } = await noting();
    for (let index = 0; index < 300; index++) {
      traces.hold(`t-${index}`, run(`run-${index}`, `t-${index}`))[Symbol.dispose]();
    }
    await fire("t-0");
    await fire("t-299");
    await traces.settled();
    expect(await store.turns.traces.of("run-0")).toEqual([]);
    expect(await store.turns.traces.of("run-299")).toHaveLength(1);
    await store.close();
    await fire("t-299");
    await traces.close();
    expect(lines).toEqual([expect.stringContaining("could not be stored")]);
  });
});
