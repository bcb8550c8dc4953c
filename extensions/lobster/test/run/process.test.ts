import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ChildOptions, runChild } from "../../src/run/process.js";
import { RunSlots } from "../../src/run/slots.js";

const FILE = fileURLToPath(new URL("../children/behaviour.mjs", import.meta.url));

function child(pipeline: string, options: Partial<ChildOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "lobster-child-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const env = { PATH: process.env.PATH ?? "", HOME: folder };
  return runChild({
    file: FILE,
    flags: [],
    folder,
    env,
    timeoutMs: 10_000,
    signal: new AbortController().signal,
    perform: async () => ({ ok: false, message: "no effects" }),
    task: {
      kind: "task",
      engine: "",
      request: { action: "run", pipeline },
      cwd: folder,
      env,
      maxItems: 10,
      maxBytes: 100_000,
    },
    ...options,
  });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("the child process of a run", () => {
  it("[LOB-011] has the variables that it was given, and no other", async () => {
    process.env.LOBSTER_CANARY = "sk-canary";
    onTestFinished(() => {
      delete process.env.LOBSTER_CANARY;
    });
    const outcome = await child("environment");
    if (outcome.kind !== "envelope") throw new Error(outcome.kind);
    const names = (JSON.parse(outcome.text) as { output: string[] }).output;
    const own = names.filter((name) => !name.startsWith("NODE_") && !name.startsWith("__"));
    expect(own.sort()).toEqual(["HOME", "PATH"]);
    expect(names).not.toContain("LOBSTER_CANARY");
  });

  it.each([
    ["crash", { kind: "crashed", code: 3, signal: null, stderr: expect.stringContaining("broke") }],
    ["silent", { kind: "crashed", code: 0, signal: null }],
    ["killed", { kind: "crashed", code: null, signal: "SIGKILL" }],
    ["prints", { kind: "limit", message: expect.stringContaining("100000 bytes") }],
    ["garbage", { kind: "envelope", text: "{not json" }],
  ])("[LOB-016] [LOB-017] reports the end of one that %s", async (behaviour, outcome) => {
    expect(await child(behaviour)).toMatchObject(outcome);
  });

  it("[LOB-015] is killed with its descendants when it ignores SIGTERM", async () => {
    let sleeper = 0;
    const stop = new AbortController();
    const outcome = await child("stubborn", {
      signal: stop.signal,
      onStage: (name) => {
        sleeper = Number(name.split(":")[1]);
        stop.abort(new Error("the turn was interrupted"));
      },
    });
    expect(outcome).toMatchObject({ kind: "aborted" });
    expect(sleeper).toBeGreaterThan(0);
    await expect.poll(() => isRunning(sleeper)).toBe(false);
  });

  it("[LOB-015] is killed at its time limit while it spins, and the step is named", async () => {
    expect(await child("spins", { timeoutMs: 1500 })).toEqual({ kind: "timeout", step: "spins" });
  });

  it("is not started for a call that was interrupted before", async () => {
    const signal = AbortSignal.abort(new Error("too late"));
    expect(await child("silent", { signal })).toMatchObject({ kind: "aborted" });
  });
});

describe("the slots of runs", () => {
  it("[LOB-017] let four run and the others wait in order, within their time", async () => {
    const slots = new RunSlots(4);
    const { signal } = new AbortController();
    const held = await Promise.all([1, 2, 3, 4].map(() => slots.take(signal)));
    const order: number[] = [];
    const gone = new AbortController();
    const waiting = [5, 6, 7].map((number) =>
      slots.take(number === 6 ? gone.signal : signal).then((free) => {
        order.push(number);
        return free;
      }),
    );
    gone.abort(new Error("gone"));
    await expect(waiting[1]).rejects.toThrow("gone");
    held[0]?.();
    held[0]?.();
    (await waiting[0])?.();
    await waiting[2];
    expect(order).toEqual([5, 7]);
  });
});
