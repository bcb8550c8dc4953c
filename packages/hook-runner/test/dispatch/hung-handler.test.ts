import { describe, expect, it } from "vitest";
import { createHookRunner } from "../../src/index.js";

describe("handlers that never settle", () => {
  it("[HOOK-060] delay only their own dispatch: the p99 of others rises by at most 5 ms while 100 hang", async () => {
    const runner = createHookRunner<{
      hangs: { kind: "observe"; event: object; context: object; result: undefined };
      works: { kind: "rewrite"; event: { n: number }; context: object; result: { n?: number } };
    }>(
      {
        hangs: { kind: "observe", deadlineMs: 600_000, failure: "open" },
        works: { kind: "rewrite", deadlineMs: 1_000, failure: "open", merge: { n: "last" } },
      },
      { onDiagnostic: () => {} },
    );
    runner.register({
      name: "hangs",
      owner: "bad",
      source: "b",
      handler: () => new Promise(() => {}),
    });
    for (const owner of ["a", "b", "c"]) {
      runner.register({
        name: "works",
        owner,
        source: owner,
        handler: async ({ n }) => {
          await new Promise((resolve) => setImmediate(resolve));
          return { n: n + 1 };
        },
      });
    }
    // The best of several rounds, so that a busy machine does not affect the result.
    const p99 = async (enough: number): Promise<number> => {
      let best = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 20 && best > enough; round += 1) {
        const durations: number[] = [];
        for (let count = 0; count < 200; count += 1) {
          const start = performance.now();
          await runner.rewrite("works", { n: 0 }, {});
          durations.push(performance.now() - start);
        }
        durations.sort((a, b) => a - b);
        best = Math.min(best, durations[Math.floor(durations.length * 0.99)] ?? 0);
      }
      return best;
    };
    const before = await p99(1);
    const stop = new AbortController();
    const hung = Array.from({ length: 100 }, () =>
      runner.observe("hangs", {}, {}, { signal: stop.signal }).catch(() => {}),
    );
    const during = await p99(before + 5);
    stop.abort();
    await Promise.all(hung);
    expect(during - before).toBeLessThanOrEqual(5);
  });
});
