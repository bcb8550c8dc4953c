import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestStore } from "@openclaw/plugin-testkit";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { openDatabase } from "../src/gates/database.js";
import { SuspendedRuns } from "../src/gates/runs.js";
import { GENERATED_TIMEOUT_MS, generatedCases } from "./support/generated-cases.js";
import { lobsterNode, World } from "./support/lobster-node.js";
import { MortalProcess } from "./support/mortal.js";

const PIPELINE = [
  "openclaw.invoke --tool one",
  "approve --prompt First?",
  "openclaw.invoke --tool two",
  "openclaw.invoke --tool three",
  "approve --prompt Second?",
  "openclaw.invoke --tool four",
].join(" | ");

/** Number of points of a run that is not killed, at least. */
const LEAST_POINTS = 30;

afterAll(() => {
  // A killed process leaves the folder of its run, which the next gateway removes.
  for (const name of readdirSync(tmpdir())) {
    if (name.startsWith(`openclaw-lobster-${process.pid}-`)) {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    }
  }
});

/** Uses the plugin in successive processes on one database, each killed at its point, until one is not killed. */
async function runKilled(killAt: readonly number[]) {
  const folder = mkdtempSync(join(tmpdir(), "lobster-killed-"));
  const world = new World();
  // The key-value store of a test store is in memory, and outlives the processes.
  const lasting = await openTestStore();
  let isCalled = false;
  let last = new MortalProcess(0);
  for (const point of [...killAt, Number.POSITIVE_INFINITY]) {
    const test = await openTestStore({ folder });
    const mortal = new MortalProcess(point);
    last = mortal;
    const { kv } = lasting.store;
    const { store } = test;
    const node = lobsterNode(world, { kv, database: (options) => store.database(options) }, mortal);
    const live = async () => {
      await node.start();
      if (!isCalled) {
        isCalled = true;
        await node.call({ action: "run", pipeline: PIPELINE });
      }
      for (let [next] = world.pending; next !== undefined; [next] = world.pending) {
        await node.decide(next.id);
      }
    };
    await Promise.race([live(), mortal.died]);
    if (point !== Number.POSITIVE_INFINITY) await test.close();
    else {
      const runs = await new SuspendedRuns(() => openDatabase(test.store), Date.now).list(false);
      await test.close();
      await lasting.close();
      rmSync(folder, { recursive: true });
      return { world, runs, points: last.points };
    }
  }
  throw new Error("the last process is not killed");
}

/** Returns what is wrong with the end of a run; undefined when it is one of the documented outcomes. */
function problemOf({ world, runs }: Awaited<ReturnType<typeof runKilled>>): string | undefined {
  const { executed, results, pending } = world;
  const [run, ...more] = runs;
  if (new Set(executed).size < executed.length) return `executed twice: ${executed}`;
  if (pending.length > 0 || more.length > 0) return "requests or runs are left";
  const ends = results.filter((text) => !text.includes("needs_approval"));
  if (run === undefined) {
    // Killed before the first gate was stored: the host says that the outcome of the call is unknown.
    return executed.length <= 1 && results.length === 0 ? undefined : `no run: ${executed}`;
  }
  if (ends.length !== 1) return `${run.status} was told ${ends.length} times`;
  if (run.status === "done") {
    return executed.length === 4 && ends[0]?.includes('"four"') ? undefined : `done: ${executed}`;
  }
  return run.status === "failed" && ends[0]?.includes("outcome is unknown")
    ? undefined
    : `ended as ${run.status}: ${ends}`;
}

it("[LOB-025] [LOB-029] [LOB-032] a run that is killed at any step executes nothing twice, and ends as documented", async () => {
  const { world, runs, points } = await runKilled([]);
  expect(world.executed).toEqual(["one", "two", "three", "four"]);
  expect(runs).toMatchObject([{ status: "done" }]);
  expect(points).toBeGreaterThan(LEAST_POINTS);
  const statuses = new Map<string, number>();
  for (let point = 0; point < points; point += 1) {
    const ended = await runKilled([point]);
    expect(problemOf(ended), `killed at ${point}`).toBeUndefined();
    const status = ended.runs[0]?.status ?? "none";
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  // Most kills cost nothing; those during a step are reported.
  expect([...statuses.keys()].sort()).toEqual(["done", "failed", "none"]);
  expect(statuses.get("done")).toBeGreaterThan(points / 2);
});

it("[LOB-025] a run that is killed several times executes nothing twice, and ends as documented", {
  timeout: GENERATED_TIMEOUT_MS,
}, async () => {
  const { points } = await runKilled([]);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(points), { minLength: 2, maxLength: 4 }), async (killAt) => {
      expect(problemOf(await runKilled(killAt))).toBeUndefined();
    }),
    generatedCases(20),
  );
});
