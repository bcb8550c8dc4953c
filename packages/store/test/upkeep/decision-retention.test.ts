import { describe, expect, it } from "vitest";
import type { NewPolicyDecision } from "../../src/decisions.js";
import type { Store } from "../../src/index.js";
import { openDatedStore } from "../support/dated-store.js";
import { newApproval } from "../support/new-approval.js";
import { queueTurn } from "../support/open-store.js";
import { sweepSteps } from "../support/sweep-steps.js";

const DENIED = { state: "denied", by: "test:owner", via: "test" } as const;

const segment = (runId: string) => ({
  runId,
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: "b7ad6b7169203331",
  hooks: [],
});

/** A decision of a policy about a call of a run. */
function decision(policy: string, runId: string): NewPolicyDecision {
  return {
    decisionId: `pd_${policy}`,
    policyHash: policy,
    snapshot: { id: policy, text: "{}" },
    runId,
    toolCallId: "call",
    sessionKey: "session",
    agentId: "agent",
    tool: "exec",
    input: {},
    allowed: true,
    decidedBy: {},
  };
}

describe("the retention of traces", () => {
  it("[SCALE-029] removes them after seven days, or as many as are configured", async () => {
    const { store, day } = await openDatedStore();
    const { traces } = store.turns;
    await traces.add(segment("old"));
    day(4);
    await traces.add(segment("old"));
    await traces.add(segment("new"));
    day(7);
    expect(await store.retention.sweep()).toMatchObject({ trace: 0 });
    day(8);
    expect(await store.retention.sweep({ trace: 9 })).toMatchObject({ trace: 0 });
    expect(await store.retention.sweep()).toMatchObject({ trace: 1 });
    expect(await traces.of("old")).toHaveLength(1);
    expect(await traces.of("new")).toHaveLength(1);
    expect(await store.retention.sweep({ trace: 3 })).toMatchObject({ trace: 2 });
    expect(await traces.of("new")).toEqual([]);
  });

  it("[SCALE-029] removes at most 500 in a transaction", async () => {
    const { store, day } = await openDatedStore();
    await store.transaction(async (inside) => {
      for (let index = 0; index < 510; index++) await inside.turns.traces.add(segment("run"));
    });
    day(8);
    const rows = async (inside: Store) => (await inside.turns.traces.of("run")).length;
    expect(await sweepSteps(store, rows)).toEqual([500, 10]);
  });
});

describe("the retention of the policy log", () => {
  it("[SCALE-029] [POL-030] removes decisions after 30 days, and policies that no kept decision needs", async () => {
    const { store, day } = await openDatedStore();
    const { policy } = store.decisions;
    await policy.add([decision("shared", "run-1"), decision("old", "run-2")]);
    day(20);
    await policy.add([decision("shared", "run-3")]);
    day(30);
    expect(await store.retention.sweep()).toMatchObject({ policyDecision: 0 });
    day(31);
    expect(await store.retention.sweep({ policyDecision: 40 })).toMatchObject({
      policyDecision: 0,
    });
    // Two decisions, and the policy that made one of them.
    expect(await store.retention.sweep()).toMatchObject({ policyDecision: 3 });
    expect((await policy.list()).map(({ runId }) => runId)).toEqual(["run-3"]);
    expect(await policy.snapshot("old")).toBeUndefined();
    expect(await policy.snapshot("shared")).toEqual({});
    day(51);
    expect(await store.retention.sweep()).toMatchObject({ policyDecision: 2 });
    expect(await policy.snapshot("shared")).toBeUndefined();
  });

  it("[SCALE-029] [POL-030] keeps a policy for its days, also when its decisions were deleted", async () => {
    const { store, day } = await openDatedStore();
    await queueTurn(store, { runId: "run" });
    await store.decisions.policy.add([decision("orphan", "run")]);
    await store.turns.begin("run");
    await store.turns.finish("run", { state: "completed" });
    await store.sessions.remove("session");
    expect(await store.decisions.policy.list()).toEqual([]);
    day(29);
    expect(await store.retention.sweep()).toMatchObject({ policyDecision: 0 });
    day(31);
    expect(await store.retention.sweep()).toMatchObject({ policyDecision: 1 });
  });

  it("[SCALE-029] removes at most 500 policies in a transaction", async () => {
    const { store, day } = await openDatedStore();
    const ids = Array.from({ length: 510 }, (_, index) => `policy-${index}`);
    await store.decisions.policy.add(ids.map((id) => decision(id, id)));
    day(31);
    const rows = async (inside: Store) => {
      const found = await Promise.all(ids.map((id) => inside.decisions.policy.snapshot(id)));
      return found.filter((snapshot) => snapshot !== undefined).length;
    };
    expect(await sweepSteps(store, rows)).toEqual([500, 10]);
  });
});

describe("the retention of approvals", () => {
  it("[SCALE-029] removes them 90 days after they were settled", async () => {
    const { store, day } = await openDatedStore();
    const { approvals } = store.decisions;
    const create = async (runId: string) => (await approvals.create(newApproval({ runId }))).id;
    const [early, late] = [await create("a"), await create("b")];
    await approvals.decide(early, DENIED);
    await approvals.expire();
    day(50);
    await approvals.expire();
    expect(await approvals.get(late)).toMatchObject({ state: "timed-out" });
    day(91);
    expect(await store.retention.sweep({ approval: 100 })).toMatchObject({ approval: 0 });
    expect(await store.retention.sweep()).toMatchObject({ approval: 1 });
    expect(await approvals.get(early)).toBeUndefined();
    day(141);
    expect(await store.retention.sweep()).toMatchObject({ approval: 1 });
    expect(await approvals.get(late)).toBeUndefined();
  });

  it("[SCALE-029] [APPR-032] keeps what is pending, and what a turn that has not ended needs", async () => {
    const { store, day } = await openDatedStore();
    const { approvals } = store.decisions;
    await queueTurn(store, { runId: "run" });
    await store.turns.begin("run");
    const needed = await approvals.create(newApproval({ runId: "run" }));
    const pending = await approvals.create(newApproval({ runId: "other" }));
    await approvals.decide(needed.id, DENIED);
    day(1000);
    expect(await store.retention.sweep()).toMatchObject({ approval: 0 });
    expect(await approvals.get(needed.id)).toMatchObject({ state: "denied" });
    expect(await approvals.get(pending.id)).toMatchObject({ state: "pending" });
    await store.turns.finish("run", { state: "completed" });
    expect(await store.retention.sweep()).toMatchObject({ approval: 1 });
    expect(await approvals.get(pending.id)).toMatchObject({ state: "pending" });
  });
});
