import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { generatedCases, generatedTimeout } from "@openclaw/foundation/testing";
import { openStore, type Store } from "@openclaw/store";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { crashScenario, killPoints } from "./support/crash-arbitrary.js";
import { problemsOf, runKilled } from "./support/crash-run.js";
import type { CrashScenario } from "./support/crash-scenario.js";
import { readWorld } from "./support/observed-world.js";

const CASES = generatedCases(16, 1);

const PLAIN: CrashScenario = {
  queueMode: "queue",
  deduplicates: true,
  textLimit: 20,
  messages: [
    { key: "a", session: "one", rounds: [["once", "look", "look"], ["fail"]], revised: true },
    { key: "b", session: "two", rounds: [], revised: false },
  ],
};

/** Creates a folder with an empty database until the end of the test. */
async function crashFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "openclaw-crash-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await (await openStore({ file: join(folder, "template.db") })).close();
  return folder;
}

/** Returns the function that opens the database of one run, which is empty at first. */
function databaseIn(folder: string): () => Promise<Store> {
  const file = join(folder, `${randomUUID()}.db`);
  copyFileSync(join(folder, "template.db"), file);
  return () => openStore({ file, durability: "process" });
}

describe("killed host", { timeout: generatedTimeout(600_000) }, () => {
  it("[SCALE-030] loses nothing and repeats nothing when it is killed at each of its fault points", async () => {
    const folder = await crashFolder();
    const { points, problems } = await runKilled(PLAIN, [], databaseIn(folder));
    expect(problems).toEqual([]);
    expect(points).toBeGreaterThan(100);
    for (let point = 0; point < points; point += 1) {
      const run = await runKilled(PLAIN, [point], databaseIn(folder));
      expect(run.problems, `killed at ${point}`).toEqual([]);
      expect(run.kills).toBe(1);
    }
  });

  it("[SCALE-030] loses nothing and repeats nothing when it is killed repeatedly at random points", async () => {
    const folder = await crashFolder();
    let kills = 0;
    await fc.assert(
      fc.asyncProperty(crashScenario, killPoints, async (sent, points) => {
        const run = await runKilled(sent, points, databaseIn(folder));
        kills += run.kills;
        expect(run.problems).toEqual([]);
      }),
      { ...CASES, endOnFailure: true },
    );
    expect(kills).toBeGreaterThan(CASES.numRuns);
  });

  it("[HOST-028] loses nothing and repeats nothing when the operating system kills it", async () => {
    const folder = await crashFolder();
    const scenarios = fc.sample(crashScenario, { ...CASES, numRuns: HOSTS });
    writeFileSync(join(folder, "scenarios.json"), JSON.stringify(scenarios));
    for (const index of scenarios.keys()) {
      copyFileSync(join(folder, "template.db"), join(folder, `${index}.db`));
    }
    for (const point of KILLS) expect(await runHosts(folder, point)).toBe("SIGKILL");
    expect(await runHosts(folder, Number.POSITIVE_INFINITY)).toBe(0);
    for (const [index, sent] of scenarios.entries()) {
      const store = await openStore({ file: join(folder, `${index}.db`) });
      const problems = await problemsOf(sent, readWorld(join(folder, `${index}.log`)), store);
      await store.close();
      expect(problems, `scenario ${index}`).toEqual([]);
    }
  });
});

/** Number of hosts in one process, all of which are killed with it. */
const HOSTS = 10;
/** Fault points of the kills, counted over all hosts. */
const KILLS = [40, 330];

/** Runs a process with a host for each scenario, and returns its exit signal or code. */
function runHosts(folder: string, killAt: number): Promise<NodeJS.Signals | number | null> {
  const place = (file: string) => fileURLToPath(new URL(`children/${file}`, import.meta.url));
  const child = spawn(
    process.execPath,
    [
      "--experimental-transform-types",
      "--no-warnings",
      "--conditions=openclaw-source",
      `--import=${place("register-sources.mjs")}`,
      ...[place("crash-hosts.mjs"), folder, String(killAt)],
    ],
    {
      stdio: "inherit",
      env: { ...process.env, NODE_COMPILE_CACHE: join(folder, "compiled") },
    },
  );
  return new Promise((resolve) => child.once("exit", (code, signal) => resolve(signal ?? code)));
}
