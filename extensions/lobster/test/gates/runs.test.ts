import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestStore } from "@openclaw/plugin-testkit";
import { describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../src/gates/database.js";
import { type RunStatus, SuspendedRuns } from "../../src/gates/runs.js";
import { SessionState } from "../../src/state/session-state.js";

const TTL = 1000;

/** Opens the runs of a database file, as another process would. */
async function open(folder: string, now: () => number) {
  const test = await openTestStore({ folder });
  const database = () => openDatabase(test.store);
  return {
    runs: new SuspendedRuns(database, now),
    state: new SessionState(database),
    close: test.close,
  };
}

async function suspended(now = () => 1000) {
  const folder = mkdtempSync(join(tmpdir(), "lobster-runs-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { runs, close, state } = await open(folder, now);
  onTestFinished(close);
  await runs.add({
    id: "run-1",
    code: "ABCDEFGH",
    gate: 1,
    kind: "workflow",
    sessionKey: "agent:main:main",
    agentId: "main",
    need: "approval",
    name: "flow.yaml",
    prompt: "Go on?",
    digest: "digest",
    keyId: "key",
    continuation: "sealed",
    createdAt: now(),
    expiresAt: now() + TTL,
  });
  return { runs, state, folder };
}

describe("suspended runs", () => {
  it("[LOB-025] are claimed by one of many callers", async () => {
    const { runs } = await suspended();
    const claims = await Promise.all(
      Array.from({ length: 8 }, () => runs.change("run-1", "suspended", "claimed", 1)),
    );
    expect(claims.filter(Boolean)).toHaveLength(1);
    // A caller that saw an earlier gate cannot claim a later one.
    await runs.change("run-1", "claimed", "suspended", 1);
    expect(await runs.change("run-1", "suspended", "claimed", 2)).toBe(false);
  });

  it.each<[RunStatus, RunStatus, number]>([
    ["suspended", "suspended", 0],
    ["claimed", "suspended", 0],
    ["running", "failed", 1],
    ["done", "done", 0],
    ["cancelled", "cancelled", 0],
  ])(
    "[LOB-025] [LOB-032] that were %s when the process was killed are %s afterwards",
    async (before, after, lost) => {
      const { runs, folder } = await suspended();
      if (before !== "suspended") await runs.change("run-1", "suspended", before, 1);
      // The database is opened again as a new process does; nothing was closed.
      const next = await open(folder, () => 2000);
      onTestFinished(next.close);
      expect(await next.runs.recover(true)).toHaveLength(lost);
      expect((await next.runs.get("run-1"))?.status).toBe(after);
    },
  );

  it("[LOB-025] of another host keep their claim for a minute", async () => {
    let now = 1000;
    const { runs } = await suspended(() => now);
    await runs.change("run-1", "suspended", "claimed", 1);
    await runs.recover(false);
    expect((await runs.get("run-1"))?.status).toBe("claimed");
    now += 61_000;
    await runs.recover(false);
    expect((await runs.get("run-1"))?.status).toBe("suspended");
  });

  it("[LOB-032] expire, lose their continuation, and are removed a week later", async () => {
    let now = 1000;
    const { runs } = await suspended(() => now);
    expect(await runs.tidy()).toEqual([]);
    now += TTL;
    expect(await runs.tidy()).toMatchObject([{ id: "run-1" }]);
    expect(await runs.get("run-1")).toMatchObject({ status: "timed-out", continuation: "" });
    now += 8 * 24 * 3_600_000;
    await runs.tidy();
    expect(await runs.get("run-1")).toBeUndefined();
  });

  it("[LOB-026] are found by their code in their session only", async () => {
    const { runs } = await suspended();
    expect(await runs.withCode("agent:main:main", " abcdefgh ")).toMatchObject({ id: "run-1" });
    expect(await runs.withCode("agent:main:other", "ABCDEFGH")).toBeUndefined();
    expect(runs.newCode()).toMatch(/^[A-Z2-9]{8}$/);
  });
});

describe("values of sessions", () => {
  it("[LOB-021] are invisible to other sessions and agents, except shared ones within an agent", async () => {
    const { state } = await suspended();
    const main = { agentId: "main", sessionKey: "agent:main:main" };
    const other = { agentId: "main", sessionKey: "agent:main:other" };
    const ops = { agentId: "ops", sessionKey: "agent:ops:main" };
    await state.store(main, {}, { "counter.json": "1", "shared.counter.json": "2" });
    expect(await state.load(main)).toEqual({ "counter.json": "1", "shared.counter.json": "2" });
    expect(await state.load(other)).toEqual({ "shared.counter.json": "2" });
    expect(await state.load(ops)).toEqual({});
    await state.store(main, { "counter.json": "1" }, { "counter.json": "3" });
    expect(await state.load(main)).toMatchObject({ "counter.json": "3" });
    await state.remove("agent:main:main");
    expect(await state.load(main)).toEqual({ "shared.counter.json": "2" });
  });
});
