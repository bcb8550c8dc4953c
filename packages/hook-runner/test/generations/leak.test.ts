import { generatedCases, generatedTimeout, isReleaseCheck } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { runSource, SOURCE } from "../support/source-process.js";

const LIMIT = 64 * 1024;
/** One object kept per dispatch, of 16 bytes at least, is beyond the limit in both cases. */
const DISPATCHES = generatedCases(50_000).numRuns;
const IS_LONG = isReleaseCheck();

const PRELUDE = `
  import { createHookRunner, createManualClock } from ${JSON.stringify(SOURCE)};
  const definitions = {
    seen: { kind: "observe", deadlineMs: 1000, failure: "open" },
    check: {
      kind: "decide", deadlineMs: 1000, failure: "open",
      merge: { params: "last", block: "any" }, terminal: { field: "block", value: true },
    },
    stamp: { kind: "sync", failure: "open", merge: { line: "last" } },
  };
  const create = (options) => createHookRunner(definitions, { onDiagnostic() {}, ...options });
  const event = { toolName: "read", params: { a: 1, b: "two" } };
  const context = { agentId: "main", sessionKey: "s" };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  async function heap() {
    let least = Infinity;
    for (let round = 0; round < 6; round += 1) {
      await turn();
      gc();
      least = Math.min(least, process.memoryUsage().heapUsed);
    }
    return least;
  }
  /** What is kept after the same work again: V8's feedback and code grow now and then, a leak always. */
  async function growth(work) {
    let least = Infinity;
    for (let stretch = 0; stretch < 4 && least > ${LIMIT}; stretch += 1) {
      const before = await heap();
      await work();
      least = Math.min(least, (await heap()) - before);
    }
    return least;
  }
`;

/** Runs a script that prints one JSON value. */
async function measured(script: string): Promise<unknown> {
  const { status, stdout, stderr } = await runSource(PRELUDE + script);
  expect(stderr).toBe("");
  expect(status).toBe(0);
  return JSON.parse(stdout);
}

describe("memory use", () => {
  it(`[HOOK-059] grows by at most 64 KiB over ${DISPATCHES} dispatches`, {
    timeout: generatedTimeout(120_000),
  }, async () => {
    const retained = await measured(`
      const runner = create();
      for (const owner of ["a", "b", "c"]) {
        runner.register({ name: "check", owner, source: owner, handler: async ({ params }) => ({ params }) });
        runner.register({ name: "seen", owner, source: owner, handler: async () => {} });
      }
      const dispatch = async (count) => {
        for (let index = 0; index < count; index += 1) {
          if (index % 10 === 0) await runner.observe("seen", event, context);
          else await runner.decide("check", event, context);
        }
      };
      await dispatch(20_000);
      console.log(await growth(() => dispatch(${DISPATCHES})));
    `);
    expect(retained).toBeLessThanOrEqual(LIMIT);
  });

  it("[HOOK-059] stays bounded with timeouts, retries, aborts and late settlers", {
    timeout: generatedTimeout(120_000),
  }, async () => {
    const retained = await measured(`
      const clock = createManualClock();
      const runner = create({ clock });
      let calls = 0;
      const late = [];
      runner.register({ name: "check", owner: "late", source: "l", timeoutMs: 1,
        handler: (_event, { signal }) => new Promise((resolve) => { signal.onabort = () => {}; late.push(resolve); }) });
      runner.register({ name: "check", owner: "hung", source: "h", timeoutMs: 1, handler: () => new Promise(() => {}) });
      runner.register({ name: "check", owner: "retried", source: "r", retry: { count: 2, backoffMs: 1 }, maxConcurrency: 100,
        handler: () => { if (++calls % 3 !== 0) throw new Error("again"); } });
      const round = async () => {
        const caller = new AbortController();
        const dispatches = [];
        for (let index = 0; index < 50; index += 1) {
          const options = index % 2 === 0 ? { signal: caller.signal } : undefined;
          dispatches.push(Promise.resolve(runner.decide("check", event, context, options)).catch(() => {}));
        }
        for (let tick = 0; tick < 3; tick += 1) { clock.advance(15); await turn(); }
        caller.abort();
        for (let tick = 0; tick < 8; tick += 1) { clock.advance(15); await turn(); }
        for (const resolve of late.splice(0)) resolve();
        await Promise.all(dispatches);
      };
      // V8's feedback and optimised code grow at first, before the heap shows what dispatches retain.
      for (let count = 0; count < ${IS_LONG ? 700 : 300}; count += 1) await round();
      console.log(await growth(async () => {
        for (let count = 0; count < ${IS_LONG ? DISPATCHES / 50 : 100}; count += 1) await round();
      }));
    `);
    expect(retained).toBeLessThanOrEqual(LIMIT);
  });

  it("[HOOK-059] returns to within 1 MiB after 1 000 register/unregister cycles", {
    timeout: generatedTimeout(120_000),
  }, async () => {
    const difference = await measured(`
      const runner = create();
      const cycle = async () => {
        const undo = [];
        runner.transaction(() => {
          for (let index = 0; index < 20; index += 1) {
            const big = new Array(100).fill(index);
            undo.push(runner.register({ name: "check", owner: "p", source: "p", priority: index,
              scope: { agentIds: ["ma*"] }, handler: async () => void big.length }));
          }
          runner.owner("p", { config: { big: "x".repeat(1000) } });
        }, { generation: "next" });
        using pin = runner.pin();
        await pin.decide("check", event, context, { owner: "p" });
        runner.transaction(() => { for (const each of undo) each(); }, { generation: "next" });
      };
      for (let count = 0; count < 50; count += 1) await cycle();
      const before = await heap();
      for (let count = 0; count < 1000; count += 1) await cycle();
      console.log((await heap()) - before);
    `);
    expect(Math.abs(Number(difference))).toBeLessThanOrEqual(1024 * 1024);
  });

  it("[HOOK-059] does not retain unregistered handlers", {
    timeout: generatedTimeout(120_000),
  }, async () => {
    const collected = await measured(`
      const runner = create();
      let collected = 0;
      const registry = new FinalizationRegistry(() => { collected += 1; });
      const once = async () => {
        const handler = async () => {};
        registry.register(handler);
        const undo = runner.register({ name: "check", owner: "p", source: "p", handler });
        const other = runner.intercept("p", (_call, next) => next());
        await runner.decide("check", event, context);
        other();
        undo();
      };
      for (let count = 0; count < 20; count += 1) await once();
      for (let round = 0; round < 10 && collected < 20; round += 1) { gc(); await turn(); await turn(); }
      console.log(collected);
    `);
    expect(collected).toBe(20);
  });

  it("[HOOK-015] does not grow in a dispatch that finds no handler", {
    timeout: generatedTimeout(120_000),
  }, async () => {
    const bytes = (await measured(`
      const runner = create();
      runner.register({ name: "check", owner: "a", source: "a", handler: () => {}, scope: { agentIds: ["other"] } });
      const dispatch = (count) => {
        for (let index = 0; index < count; index += 1) {
          runner.decide("check", event, context);
          runner.sync("stamp", event, context);
          runner.observe("seen", event, context);
        }
      };
      dispatch(200_000);
      let least = Infinity;
      for (let round = 0; round < 10; round += 1) {
        await turn();
        gc();
        const before = process.memoryUsage().heapUsed;
        dispatch(20_000);
        least = Math.min(least, (process.memoryUsage().heapUsed - before) / 60_000);
      }
      console.log(least);
    `)) as number;
    // A sample of one in 4 096 is recorded; one object per dispatch would be 16 bytes at least.
    expect(bytes).toBeLessThan(4);
  });
});
