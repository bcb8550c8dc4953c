import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

interface Recorded {
  /** Day of the measurement. */
  readonly recorded: string;
  readonly machine: string;
  readonly processes: number;
  readonly ratios: Readonly<Record<string, RecordedCase>>;
}

/** Cost of a dispatch in units of the plain loop over the same handlers. */
interface RecordedCase {
  readonly goal?: number;
  /** Median over the processes. */
  readonly ratio: number;
  /** The lowest of a process: other work of the machine disturbed it least. */
  readonly best: number;
  /** Dispatches over all processes. */
  readonly n: number;
}

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
const recorded = JSON.parse(read("bench/recorded.json")) as Recorded;
const { ratios } = recorded;

// Speed is measured by `pnpm bench`, never in a test: a machine that is busy must not fail the suite.
describe("recorded benchmark", () => {
  it("names the machine, the date and the number of measurements", () => {
    expect(recorded.recorded).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(recorded.machine).toMatch(/, \d+ cores, Node v\d+/);
    expect(recorded.processes).toBeGreaterThanOrEqual(5);
    for (const { n } of Object.values(ratios)) expect(n).toBeGreaterThan(10_000);
  });

  it.each([
    ["[HOOK-052] no handlers cost 0.9 loops", "no handlers", 0.9],
    [
      "[HOOK-052] handlers of other hooks change nothing of that",
      "no handlers, 1000 on other hooks",
      0.9,
    ],
    ["[HOOK-053] ten synchronous handlers cost 1.0 isolating loops", "10 sync, to isolation", 1],
    [
      "[HOOK-054] ten asynchronous handlers cost 1.1 isolating loops",
      "10 async, to isolation",
      1.1,
    ],
    ["[HOOK-054] one hundred cost 1.2 isolating loops", "100 async, to isolation", 1.2],
    ["[HOOK-055] ten observers cost 1.2 times Promise.all", "10 parallel, to isolation", 1.2],
    ["[HOOK-055] a sync hook costs 6 isolating loops", "sync hook, 10, to isolation", 6],
    [
      "[HOOK-057] retries and an uncontended limit cost 1.5 isolating loops",
      "10 async, retry and limit, to isolation",
      1.5,
    ],
    [
      "[HOOK-057] handlers that read their copy of params cost 2.0 isolating loops",
      "10 async, reading params, to isolation",
      2,
    ],
    ["[HOOK-058] no handlers cost half of filtering", "no handlers, to filter and sort", 0.5],
    ["[HOOK-058] ten handlers cost two thirds of timers", "10 async, to timer and race", 0.67],
    ["[HOOK-056] deadlines cost 1.05 times", "deadlines on against off", 1.05],
    ["[HOOK-056] traces without a listener 1.05 times", "tracing unheard against removed", 1.05],
  ])("%s at most", (_title, name, goal) => {
    expect(ratios[name]?.goal).toBe(goal);
    expect(ratios[name]?.best).toBeLessThanOrEqual(goal);
  });

  it("meets every goal", () => {
    const missed = Object.entries(ratios)
      .filter(([, { goal, best }]) => goal !== undefined && best > goal)
      .map(([name]) => name);
    expect(missed).toEqual([]);
  });
});
