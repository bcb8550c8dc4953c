import { describe, expect, it } from "vitest";
import type { NewPolicyDecision } from "../../src/decisions.js";
import { StoreArgumentError } from "../../src/errors.js";
import { openTestStore, START, storeDatabase } from "../support/open-store.js";

const decision = (changes: Partial<NewPolicyDecision> = {}): NewPolicyDecision => ({
  decisionId: "pd_1",
  policyHash: "hash",
  snapshot: { id: "first", text: '{"layers":[]}' },
  runId: "run-1",
  toolCallId: "call-1",
  sessionKey: "agent:main:main",
  agentId: "main",
  tool: "exec",
  input: { tool: { name: "exec" }, context: { agentId: "main" } },
  allowed: true,
  decidedBy: { kind: "default", default: "allow", verdict: "allow" },
  ...changes,
});

describe("store.policyDecisions", () => {
  it("stores queries and decisions, and each policy once, across a reopen", async () => {
    const database = storeDatabase();
    const store = await openTestStore({ ...database, now: () => START });
    const denied = decision({ decisionId: "pd_2", toolCallId: "nul \0", allowed: false });
    await store.decisions.policy.add([decision(), denied]);
    await store.decisions.policy.add([decision()]);
    const later = { id: "second", text: '{"layers":[{}]}' };
    await store.decisions.policy.add([decision({ runId: "run-2", snapshot: later })]);
    await store.close();

    const { policy: policyDecisions } = (await openTestStore(database)).decisions;
    const { snapshot: _, ...kept } = decision();
    const rows = await policyDecisions.list();
    expect(rows[0]).toEqual({ ...kept, snapshotId: "first", position: 1, at: START });
    expect(rows.map(({ allowed, toolCallId }) => [allowed, toolCallId])).toEqual([
      [true, "call-1"],
      [false, "nul \0"],
      [true, "call-1"],
    ]);
    expect(await policyDecisions.get("pd_1")).toMatchObject({ runId: "run-2" });
    expect(await policyDecisions.get("pd_3")).toBeUndefined();
    expect(await policyDecisions.snapshot("first")).toEqual({ layers: [] });
    expect(await policyDecisions.snapshot("second")).toEqual({ layers: [{}] });
    expect(await policyDecisions.snapshot("third")).toBeUndefined();
  });

  it("lists by run, session, agent and time, and continues from a position", async () => {
    let now = START;
    const { policy: policyDecisions } = (await openTestStore({ now: () => now })).decisions;
    await policyDecisions.add([decision({ runId: "a", sessionKey: "s-1" })]);
    now = START + 1000;
    await policyDecisions.add([decision({ runId: "b", agentId: "other" })]);
    await policyDecisions.add([decision({ runId: "c", sessionKey: "s-1" })]);
    const runs = async (filter: Parameters<typeof policyDecisions.list>[0]) =>
      (await policyDecisions.list(filter)).map(({ runId }) => runId);

    expect(await runs({ runId: "b" })).toEqual(["b"]);
    expect(await runs({ sessionKey: "s-1" })).toEqual(["a", "c"]);
    expect(await runs({ agentId: "other" })).toEqual(["b"]);
    expect(await runs({ since: START + 1000 })).toEqual(["b", "c"]);
    expect(await runs({ limit: 1 })).toEqual(["a"]);
    expect(await runs({ afterPosition: 1, limit: 1 })).toEqual(["b"]);
    expect(await policyDecisions.count()).toBe(3);
    expect(await policyDecisions.count({ sessionKey: "s-1", since: START + 1000 })).toBe(1);
    await expect(policyDecisions.list({ limit: 0 })).rejects.toThrow(StoreArgumentError);
  });

  it("rolls back a decision and its policy with the transaction", async () => {
    const store = await openTestStore();
    const undone = store.transaction(async (unit) => {
      await unit.decisions.policy.add([decision()]);
      throw new Error("undo");
    });
    await expect(undone).rejects.toThrow("undo");
    expect(await store.decisions.policy.list()).toEqual([]);
    expect(await store.decisions.policy.snapshot("first")).toBeUndefined();
    await store.decisions.policy.add([]);
    await store.decisions.policy.add([decision()]);
    expect(await store.decisions.policy.list()).toHaveLength(1);
  });
});
