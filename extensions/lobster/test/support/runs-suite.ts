import type { PluginDatabase } from "@openclaw/plugin-sdk/store";
import { describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../src/gates/database.js";
import { InterruptedRuns } from "../../src/gates/interrupted-runs.js";
import type { RunStatus } from "../../src/gates/run.js";
import { SuspendedRuns } from "../../src/gates/runs.js";
import { SessionState } from "../../src/state/session-state.js";

const TTL = 1000;
const MINUTE = 60_000;

/** Databases on which the tests run. */
export interface RunsSuite {
  readonly name: string;
  /** True when several hosts can use a database. */
  readonly hasSeveralHosts: boolean;
  /** Creates an empty place for databases. */
  place(): string;
  /** Opens the databases of a place, as another process would. */
  open(place: string): Promise<{
    readonly store: Parameters<typeof openDatabase>[0];
    close(): Promise<void>;
  }>;
}

/**
 * Describes the tests of stored runs for one database engine.
 * @param suite - the databases
 */
export function describeRuns({ name, hasSeveralHosts, place, open }: RunsSuite): void {
  async function host(where: string, now: () => number) {
    const test = await open(where);
    onTestFinished(test.close);
    const database = (): Promise<PluginDatabase> => openDatabase(test.store);
    return {
      runs: new SuspendedRuns(database, now),
      interrupted: new InterruptedRuns(database, now),
      state: new SessionState(database),
    };
  }

  async function suspended(now = () => 1000) {
    const where = place();
    const first = await host(where, now);
    await first.runs.add({
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
    return { ...first, where };
  }

  describe(`suspended runs on ${name}`, () => {
    it("[LOB-025] are claimed by one of many callers", async () => {
      const { runs, where } = await suspended();
      const other = await host(where, () => 1000);
      const claims = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          (index % 2 === 0 ? runs : other.runs).change("run-1", "suspended", "claimed", 1),
        ),
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
      "[LOB-025] [LOB-032] that were %s when the process was killed are %s in the next one",
      async (before, after, untold) => {
        const { runs, where } = await suspended();
        if (before !== "suspended") await runs.change("run-1", "suspended", before, 1);
        // The database is opened again as a new process does; nothing was closed.
        const next = await host(where, () => 1000 + 2 * MINUTE);
        await next.interrupted.recover();
        expect((await next.runs.get("run-1"))?.status).toBe(after);
        const later = await host(where, () => 1000 + 4 * MINUTE);
        expect(await later.interrupted.untold()).toHaveLength(untold);
        await later.runs.setTold("run-1");
        expect(await later.interrupted.untold()).toEqual([]);
      },
    );

    it("[LOB-025] [LOB-032] of a living host are left alone by the others", async () => {
      let now = 1000;
      const { runs, where } = await suspended(() => now);
      const other = await host(where, () => now);
      const isLeft = async () => {
        await other.interrupted.recover();
        return (await runs.get("run-1"))?.status;
      };
      await runs.change("run-1", "suspended", "claimed", 1);
      // A database file has one host, so that a claim in it is that of a dead process.
      expect(await isLeft()).toBe(hasSeveralHosts ? "claimed" : "suspended");
      if (!hasSeveralHosts) return;
      await runs.change("run-1", "claimed", "running", 1);
      for (let index = 0; index < 4; index += 1) {
        now += MINUTE / 2;
        await runs.touch("run-1");
        expect(await isLeft()).toBe("running");
      }
      now += MINUTE + 1;
      expect(await isLeft()).toBe("failed");
      // The host was only slow: it learns that it lost the run.
      const end = { status: "done", result: "{}", isTold: true } as const;
      expect(await runs.finish("run-1", 1, end)).toBe(false);
    });

    it("[LOB-032] have one approval request, also when two processes request it", async () => {
      const { runs, where } = await suspended();
      const other = await host(where, () => 1000);
      const stored = await Promise.all([
        runs.setApproval("run-1", { id: "a", code: "A" }, null),
        other.runs.setApproval("run-1", { id: "b", code: "B" }, null),
      ]);
      expect(stored.filter(Boolean)).toHaveLength(1);
      const { approvalId } = (await runs.get("run-1")) ?? {};
      expect(approvalId).toBe(stored[0] ? "a" : "b");
      expect(await runs.setApproval("run-1", { id: "c", code: "C" }, approvalId ?? "")).toBe(true);
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

  describe(`values of sessions on ${name}`, () => {
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
}
