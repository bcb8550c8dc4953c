import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { DEFAULTS } from "../../src/config.js";
import { findEngine } from "../../src/engine/engine.js";
import { childEnvironment, childFlags } from "../../src/run/environment.js";
import { RunFolder } from "../../src/run/folder.js";
import { type PerformEffect, runChild } from "../../src/run/process.js";

/** Built entry of the child process. */
const FILE = fileURLToPath(new URL("../../dist/child.js", import.meta.url));

/** Runs a pipeline in the real child process, with the engine and its permissions. */
async function run(
  pipeline: string,
  perform: PerformEffect,
  folderOf = (folder: RunFolder) => folder.path,
) {
  const folder = await RunFolder.create();
  onTestFinished(() => folder.remove());
  const engine = findEngine();
  const env = childEnvironment(folder, { initiatedBy: "test:me" }, DEFAULTS, {
    PATH: process.env.PATH,
    SECRET: "sk-canary",
  });
  expect(JSON.stringify(env)).not.toContain("canary");
  return await runChild({
    file: FILE,
    flags: childFlags(FILE, engine, folder),
    folder: folder.path,
    env,
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    perform,
    task: {
      kind: "task",
      engine: engine.entry,
      request: { action: "run", pipeline },
      cwd: folderOf(folder),
      env,
      maxItems: 5000,
      maxBytes: 1_000_000,
    },
  });
}

it("[LOB-011] has an environment without the variables of the gateway, except those that are named", async () => {
  const folder = await RunFolder.create();
  onTestFinished(() => folder.remove());
  const config = { ...DEFAULTS, env: ["NAMED", "MISSING"] };
  const gateway = {
    PATH: "/bin",
    TZ: "UTC",
    NAMED: "yes",
    OPENCLAW_TOKEN: "secret",
    HOME: "/root",
  };
  const env = childEnvironment(folder, { initiatedBy: "terminal:me" }, config, gateway);
  expect(env).toEqual({
    PATH: "/bin",
    TZ: "UTC",
    NAMED: "yes",
    HOME: folder.path,
    LOBSTER_STATE_DIR: folder.stateDir,
    LOBSTER_CACHE_DIR: expect.stringContaining(folder.path),
    LOBSTER_SHELL: "openclaw-host-shell",
    LOBSTER_LLM_PROVIDER: "openclaw",
    LOBSTER_APPROVAL_INITIATED_BY: "terminal:me",
  });
});

it("[LOB-012] can write its own folder, and start, read and write nothing else", async () => {
  const folder = await RunFolder.create();
  onTestFinished(() => folder.remove());
  const file = fileURLToPath(new URL("../children/escape.mjs", import.meta.url));
  const env = childEnvironment(folder, { initiatedBy: "test:me" }, DEFAULTS, process.env);
  const outcome = await runChild({
    ...{ file, flags: childFlags(file, findEngine(), folder), folder: folder.path, env },
    ...{ timeoutMs: 20_000, signal: new AbortController().signal },
    perform: async () => ({ ok: false, message: "no effects" }),
    task: {
      ...{ kind: "task", engine: "", request: { action: "run", pipeline: "" } },
      ...{ cwd: folder.path, env, maxItems: 10, maxBytes: 100_000 },
    },
  });
  if (outcome.kind !== "envelope") throw new Error(JSON.stringify(outcome));
  expect(JSON.parse(outcome.text).output).toEqual(["own"]);
});

it("[LOB-022] leaves no folder behind, also when its gateway was killed", async () => {
  const dead = join(tmpdir(), "openclaw-lobster-4194305-abc");
  await mkdir(dead);
  const own = await RunFolder.create();
  await RunFolder.sweep();
  expect([existsSync(dead), existsSync(own.path)]).toEqual([false, true]);
  await own.remove();
  expect(existsSync(own.path)).toBe(false);
});

it("[LOB-012] asks the host for every effect, with the command as it was written", async () => {
  const effects: unknown[] = [];
  await run(
    "exec --stdin json cat | exec --shell 'ls | wc -l' | gog.gmail.search --query q",
    async (effect) => {
      effects.push(effect);
      return { ok: true, value: { exitCode: 0, output: "[]" } };
    },
  );
  expect(effects).toMatchObject([
    { type: "exec", command: { argv: ["cat"] }, input: "[]" },
    { type: "exec", command: { line: "ls | wc -l" } },
    { type: "exec", command: { argv: ["gog", "gmail", "search", "q", "--json", "--max", "20"] } },
  ]);
});

it("[LOB-019] ends after 1000 steps", async () => {
  const items = JSON.stringify(Array.from({ length: 1100 }, (_, index) => index));
  let calls = 0;
  const outcome = await run(
    "exec --json list | openclaw.invoke --tool echo --each --item-key message",
    async (effect) => {
      if (effect.type === "exec") return { ok: true, value: { exitCode: 0, output: items } };
      calls += 1;
      return { ok: true, value: "x" };
    },
  );
  expect(outcome).toMatchObject({ kind: "limit", message: expect.stringContaining("1000 steps") });
  expect(calls).toBeLessThanOrEqual(1000);
});

it("[LOB-012] [LOB-013] ends at once when the host denies an effect", async () => {
  const outcome = await run("exec one | exec two", async () => ({
    ok: false,
    fatal: true,
    message: "denied by policy",
  }));
  expect(outcome).toEqual({ kind: "denied", message: "denied by policy", step: undefined });
});
