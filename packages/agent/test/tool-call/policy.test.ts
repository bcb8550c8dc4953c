import { compilePolicy, policyFromSnapshot } from "@openclaw/tool-policy";
import { describe, expect, it } from "vitest";
import { approver, judging } from "../support/authorized-call.js";
import { calling, plugin, tool, turnHost } from "../support/turn-host.js";

describe("policy log of a turn", () => {
  it("keeps a decision per call, run or not, with the evaluated facts and the decider", async () => {
    const host = await turnHost({
      script: [calling("work", "banned", "nothing"), { text: "done" }],
      coreTools: [tool("work"), tool("banned")],
      layers: [{ layer: "global", deny: ["banned"] }],
    });
    await host.run();
    const rows = await host.store.decisions.policy.list({ runId: "run-1" });
    expect(rows.map(({ tool, allowed, decidedBy }) => [tool, allowed, decidedBy])).toEqual([
      ["work", true, { kind: "default", default: "allow", verdict: "allow" }],
      ["banned", false, expect.objectContaining({ layer: "global", rule: "banned" })],
    ]);
    const calls = (await host.transcript()).flatMap(({ content }) =>
      content.flatMap((part) => (part.type === "toolCall" ? [part.toolCallId] : [])),
    );
    expect(rows.map(({ toolCallId }) => toolCallId)).toEqual(calls.slice(0, 2));
    expect(rows[0]).toMatchObject({
      runId: "run-1",
      sessionKey: "agent:main:main",
      agentId: "main",
      input: { tool: { name: "work" }, context: { agentId: "main", channel: "terminal" } },
    });
  });

  it("[POL-030] keeps the decision on a call that an approver then denies or has not decided yet", async () => {
    for (const person of [approver("deny"), undefined]) {
      const { host } = await judging([], { changes: { approval: "always" } });
      await host.run({ approver: person, isAttended: () => true });
      expect(await host.store.decisions.policy.list()).toMatchObject([
        { tool: "work", toolCallId: "call-1", allowed: true, decidedBy: { kind: "default" } },
      ]);
    }
  });

  it("references the policy that decided", async () => {
    const host = await turnHost({
      script: [calling("banned"), { text: "done" }],
      coreTools: [tool("banned")],
      layers: [{ layer: "global", deny: ["banned"] }],
    });
    await host.run();
    const [row] = await host.store.decisions.policy.list();
    const snapshot = await host.store.decisions.policy.snapshot(row?.snapshotId ?? "");
    const policy = policyFromSnapshot(snapshot);
    expect(policy.snapshot).toEqual(host.services.policy.snapshot);
    expect(row?.policyHash).toBe(policy.hash);
  });

  it("has both decisions when the policy changed while the turn ran", async () => {
    const later = compilePolicy([{ layer: "global", deny: ["work"] }]);
    const host = await turnHost({
      script: [calling("work"), { text: "done" }],
      coreTools: [tool("work")],
      latestPolicy: () => later,
    });
    await host.run();
    const rows = await host.store.decisions.policy.list();
    expect(rows.map(({ allowed, policyHash }) => [allowed, policyHash])).toEqual([
      [true, host.services.policy.hash],
      [false, later.hash],
    ]);
  });

  it("logs one decision for a call whose arguments a plugin rewrote, or that was interrupted", async () => {
    const stop = new AbortController();
    const host = await turnHost({
      script: [calling("work"), { text: "done" }],
      coreTools: [tool("work", { execute: () => new Promise(() => {}) })],
      plugins: [
        plugin("guard", (api) => {
          api.on("before_tool_call", () => ({ params: { again: true } }));
        }),
      ],
    });
    const running = host.run({
      signal: stop.signal,
      onEvent: ({ type }) => {
        if (type === "tool-started") setImmediate(() => stop.abort(new Error("stop")));
      },
    });
    expect(await running).toMatchObject({ status: "interrupted" });
    expect(await host.store.decisions.policy.list()).toHaveLength(1);
  });
});
