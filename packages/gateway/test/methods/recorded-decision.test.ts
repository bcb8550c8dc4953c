import { compilePolicy, type PolicyLayer } from "@openclaw/tool-policy";
import { describe, expect, it } from "vitest";
import {
  explainRecorded,
  recordedDecider,
  recordedQuery,
} from "../../src/methods/recorded-decision.js";
import { createTestHost, message, openTestStore } from "../support/host.js";

describe("recorded policy decision", () => {
  it("[POL-030] is explained identically by the policy that made it, after the policy has changed", async () => {
    const store = await openTestStore();
    const layers: PolicyLayer[] = [
      {
        layer: "global",
        deny: [{ value: "ban*", source: { file: "openclaw.json", line: 3, key: "tools.deny" } }],
      },
    ];
    const tools = ["work", "banned"].map((name) => ({
      name,
      origin: "plugin" as const,
      pluginId: "guard",
      optional: false,
      aliases: [],
    }));
    const policy = compilePolicy(layers, { tools });
    const host = await createTestHost({
      store,
      policy,
      script: [{ toolCalls: [{ toolName: "work" }, { toolName: "banned" }] }, { text: "done" }],
      register(api) {
        for (const name of ["work", "banned"]) {
          api.registerTool({
            name,
            description: name,
            parameters: { type: "object", properties: {} },
            execute: () => "ran",
          });
        }
      },
    });
    const outcome = await host.flow.receive(message("go"), {});
    expect(outcome).toMatchObject({ status: "replied" });
    const runId = "runId" in outcome ? outcome.runId : "";

    const rows = await store.decisions.policy.list();
    expect(rows.map(({ tool, allowed }) => [tool, allowed])).toEqual([
      ["work", true],
      ["banned", false],
    ]);
    for (const row of rows) {
      expect(row).toMatchObject({ runId, policyHash: policy.hash, at: expect.any(Number) });
      const { tool, context } = recordedQuery(row);
      const { occasion, ...explanation } = await explainRecorded(row.decisionId, store);
      expect(explanation).toEqual(policy.explain(tool, context));
      expect(recordedDecider(row)).toEqual(explanation.decidedBy);
      expect(occasion).toMatchObject({ runId, toolCallId: row.toolCallId });
    }
  });

  it("is rejected when it is unknown, or when this version evaluates it differently", async () => {
    const store = await openTestStore();
    await expect(explainRecorded("pd_0", store)).rejects.toMatchObject({
      code: "POLICY_DECISION_NOT_FOUND",
      decisionId: "pd_0",
    });
    const policy = compilePolicy([]);
    const tool = { name: "work", origin: "core", optional: false, aliases: [] } as const;
    const context = { agentId: "main", senderIsOwner: true, sandboxed: false, subagentDepth: 0 };
    const decisionId = policy.decisionId(tool, context);
    await store.decisions.policy.add([
      {
        decisionId,
        policyHash: policy.hash,
        snapshot: policy.snapshot,
        runId: "run",
        toolCallId: "call",
        sessionKey: "session",
        agentId: "main",
        tool: "work",
        input: { tool: { ...tool, aliases: [] }, context },
        allowed: false,
        decidedBy: { kind: "default", verdict: "deny", default: "deny" },
      },
    ]);
    await expect(explainRecorded(decisionId, store)).rejects.toMatchObject({
      code: "POLICY_DECISION_CHANGED",
    });
  });

  it("is rejected when it was stored in a different form", async () => {
    const store = await openTestStore();
    const { snapshot } = compilePolicy([]);
    const rest = { policyHash: "hash", snapshot, runId: "run", toolCallId: "call" };
    const whose = { sessionKey: "session", agentId: "main", tool: "work", allowed: true };
    const input = { tool: "work" };
    const decidedBy = { kind: "oracle", verdict: "allow" };
    await store.decisions.policy.add([{ ...rest, ...whose, decisionId: "pd_1", input, decidedBy }]);
    const [row] = await store.decisions.policy.list();
    if (row === undefined) throw new Error("expected the decision");
    expect(() => recordedQuery(row)).toThrow(
      "policy_decisions.input of pd_1 cannot be read by this version",
    );
    expect(() => recordedDecider(row)).toThrow("policy_decisions.decided_by of pd_1");
  });
});
