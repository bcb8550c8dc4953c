import type { Store } from "@openclaw/store";
import {
  compilePolicy,
  type Policy,
  type PolicyContext,
  type PolicyLayer,
} from "@openclaw/tool-policy";
import { describe, expect, it } from "vitest";
import { comparePolicy } from "../../src/methods/policy-comparison.js";
import { openTestStore } from "../support/host.js";

const deny = (...tools: string[]): PolicyLayer => ({ layer: "global", deny: tools });

/** Records a call as a turn does, for each policy that evaluated it. */
async function record(
  store: Store,
  { tool: name, call, policies, ...changes }: RecordedCall,
): Promise<void> {
  const { runId = "run-1", sessionKey = "agent:main:main", agentId = "main" } = changes;
  const tool = { name, origin: "core", optional: false, aliases: [] } as const;
  const context: PolicyContext = {
    agentId,
    senderIsOwner: true,
    sandboxed: false,
    subagentDepth: 0,
  };
  await store.decisions.policy.add(
    policies.map((policy) => ({
      decisionId: policy.decisionId(tool, context),
      policyHash: policy.hash,
      snapshot: policy.snapshot,
      runId,
      toolCallId: call,
      sessionKey,
      agentId,
      tool: name,
      input: JSON.parse(JSON.stringify({ tool, context })),
      allowed: policy.decide(tool, context).allowed,
      decidedBy: JSON.parse(JSON.stringify(policy.decide(tool, context).decidedBy)),
    })),
  );
}

interface RecordedCall {
  readonly tool: string;
  readonly call: string;
  readonly policies: readonly Policy[];
  readonly runId?: string;
  readonly sessionKey?: string;
  readonly agentId?: string;
}

function compare(
  candidate: Policy,
  calls: Parameters<typeof comparePolicy>[1],
  store: Store,
  job: Partial<Parameters<typeof comparePolicy>[3]> = {},
) {
  const { signal } = new AbortController();
  return comparePolicy(candidate, calls, store, { signal, onProgress: () => undefined, ...job });
}

describe("comparePolicy", () => {
  const open = compilePolicy([]);
  const strict = compilePolicy([deny("exec")]);

  it("lists the changed decisions per tool, with the rules before and after and the newest samples", async () => {
    let now = 1000;
    const store = await openTestStore(() => now++);
    for (let index = 1; index <= 7; index++) {
      await record(store, { tool: "exec", call: `exec-${index}`, policies: [open] });
    }
    await record(store, { tool: "exec", call: "denied", policies: [strict] });
    await record(store, { tool: "read", call: "read", policies: [open] });
    await record(store, { tool: "http", call: "http", policies: [compilePolicy([deny("http")])] });

    const comparison = await compare(strict, {}, store);
    expect(comparison).toMatchObject({
      calls: 10,
      allowed: 8,
      denied: 2,
      allowToDeny: 7,
      denyToAllow: 1,
      from: expect.any(Number),
    });
    expect(comparison.tools.map(({ samples, ...counts }) => counts)).toEqual([
      { tool: "exec", allowToDeny: 7, denyToAllow: 0 },
      { tool: "http", allowToDeny: 0, denyToAllow: 1 },
    ]);
    const [exec, http] = comparison.tools;
    expect(exec?.samples.map(({ toolCallId }) => toolCallId)).toEqual(
      [3, 4, 5, 6, 7].map((index) => `exec-${index}`),
    );
    expect(exec?.samples[0]).toMatchObject({
      runId: "run-1",
      at: expect.any(Number),
      before: { kind: "default" },
      after: { kind: "layer", layer: "global", rule: "exec" },
    });
    expect(http?.samples[0]).toMatchObject({
      before: { rule: "http" },
      after: { kind: "default" },
    });
    expect((await compare(open, { sessionKey: "another" }, store)).calls).toBe(0);
  });

  it("compares only the calls of a session, an agent or a time, however many there are", async () => {
    let now = 1000;
    const store = await openTestStore(() => now);
    await record(store, {
      tool: "exec",
      call: "a",
      policies: [open],
      sessionKey: "s",
      agentId: "x",
    });
    now = 5000;
    await store.transaction(async (unit) => {
      for (let index = 0; index < 1500; index++) {
        await record(unit, { tool: "exec", call: `b-${index}`, policies: [open], runId: "run-2" });
      }
    });
    const steps: unknown[] = [];
    const onProgress = (step: object) => void steps.push(step);
    await compare(strict, { since: 5000 }, store, { onProgress });
    expect(steps).toEqual([
      { compared: 0, total: 1500 },
      { compared: 1000, total: 1500 },
      { compared: 1500, total: 1500 },
    ]);
    const calls = async (filter: object) => (await compare(strict, filter, store)).calls;
    expect(await calls({})).toBe(1501);
    expect(await calls({ since: 5000 })).toBe(1500);
    expect(await calls({ sessionKey: "s" })).toBe(1);
    expect(await calls({ agentId: "main" })).toBe(1500);
  });

  it("serves other work between its parts, and ends when its caller disconnects", async () => {
    const store = await openTestStore();
    await store.transaction(async (unit) => {
      for (let index = 0; index < 3000; index++) {
        await record(unit, { tool: "exec", call: `c-${index}`, policies: [open] });
      }
    });
    const order: (number | "other")[] = [];
    const leaving = new AbortController();
    const comparison = compare(strict, {}, store, {
      signal: leaving.signal,
      onProgress({ compared }) {
        order.push(compared);
        if (compared === 1000) setImmediate(() => order.push("other"));
        if (compared === 2000) leaving.abort(new Error("the client left"));
      },
    });
    await expect(comparison).rejects.toThrow("the client left");
    expect(order).toEqual([0, 1000, "other", 2000]);
  });

  it("counts a call that two policies evaluated once, with the stricter decision", async () => {
    const store = await openTestStore();
    await record(store, { tool: "exec", call: "both", policies: [open, strict] });
    await record(store, { tool: "exec", call: "same", policies: [strict] });
    expect(await compare(strict, {}, store)).toMatchObject({
      calls: 2,
      denied: 2,
      allowToDeny: 0,
      tools: [],
    });
    expect(await compare(open, {}, store)).toMatchObject({ denyToAllow: 2 });
  });
});
