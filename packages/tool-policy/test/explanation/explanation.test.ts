import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePolicy, type KeyPath } from "../../src/index.js";
import { configured } from "../support/compiled-policy.js";
import { core, EVERYWHERE, OWNER, plugin } from "../support/decision-input.js";
import { anyContext, anyGroups, anyLayers, anyTool } from "../support/vocabulary.js";

const locate = (path: KeyPath) => ({ file: "openclaw.yaml", line: path.length, column: 1 });

describe("policy explanation", { timeout: 30_000 }, () => {
  const policy = configured(
    {
      tools: { profile: "coding", deny: ["group:runtime"] },
      agents: { main: { tools: { allow: ["group:runtime", "group:fs"] } } },
    },
    { locate },
  );

  it("[POL-026] shows the verdict of every layer and cap with rules and locations", () => {
    const { decisionId, policyHash, ...rest } = policy.explain(core("Shell"), OWNER);
    expect(decisionId).toMatch(/^pd_[0-9a-f]{20}$/);
    expect(policyHash).toMatch(/^[0-9a-f]{64}$/);
    expect(rest).toEqual({
      tool: "Shell",
      canonicalName: "exec",
      allowed: false,
      decidedBy: {
        kind: "layer",
        layer: "global",
        verdict: "deny",
        rule: "group:runtime",
        list: "deny",
        source: { file: "openclaw.yaml", key: "tools.deny", line: 3, column: 1 },
      },
      layers: [
        {
          layer: "profile",
          verdict: "allow",
          rule: "group:runtime",
          list: "allow",
          source: { key: "tools.profiles.coding.allow", builtIn: true },
          note: 'profile "coding"',
        },
        { layer: "provider", verdict: "silent", note: "no provider rules" },
        {
          layer: "global",
          verdict: "deny",
          rule: "group:runtime",
          list: "deny",
          source: { file: "openclaw.yaml", key: "tools.deny", line: 3, column: 1 },
        },
        {
          layer: "agent",
          verdict: "allow",
          rule: "group:runtime",
          list: "allow",
          source: { file: "openclaw.yaml", key: "agents.main.tools.allow", line: 5, column: 1 },
          note: 'agent "main"',
        },
        { layer: "group", verdict: "silent", note: "not in a group" },
        { layer: "sandbox", verdict: "silent", note: "not sandboxed" },
        { layer: "subagent", verdict: "silent", note: "not a subagent" },
      ],
      caps: [
        { cap: "owner", verdict: "silent", note: "does not apply" },
        { cap: "run", verdict: "silent", note: "does not apply" },
      ],
      optional: { isOptional: false },
      flip: {
        kind: "edit",
        file: "openclaw.yaml",
        key: "tools.deny",
        op: "remove",
        value: "group:runtime",
        text: "tools.deny: []",
      },
    });
  });

  it("[POL-026] names the plugin, the implied rule and the rule that opts a tool in", () => {
    const open = compilePolicy([
      {
        layer: "global",
        allow: [
          { value: "Sky", source: { file: "a.yaml", key: "tools.allow", line: 2, column: 3 } },
          "write",
        ],
      },
    ]);
    expect(open.explain(plugin("forecast", "sky", { optional: true }), OWNER)).toMatchObject({
      pluginId: "sky",
      optional: {
        isOptional: true,
        optedInBy: {
          layer: "global",
          list: "allow",
          rule: "sky",
          source: { file: "a.yaml", line: 2 },
        },
      },
    });
    expect(open.explain(core("edit"), OWNER).decidedBy).toMatchObject({
      rule: "write",
      impliedBy: "write",
    });
  });

  it("[POL-026] shows a built-in profile at the location that chose it", () => {
    expect(policy.explain(core("message"), OWNER).layers[0]).toEqual({
      layer: "profile",
      verdict: "deny-unlisted",
      list: "allow",
      source: { file: "openclaw.yaml", key: "tools.profile", line: 2, column: 1 },
      note: 'profile "coding"',
    });
  });

  it("[POL-001] agrees with the decision for every tool and context", () => {
    fc.assert(
      fc.property(anyLayers, anyGroups, anyTool, anyContext, (layers, own, tool, context) => {
        const groups = Object.entries(own).map(([name, members]) => ({ name, members }));
        const each = compilePolicy(layers, { groups });
        const before = JSON.stringify([layers, tool, context]);
        const { allowed, decidedBy, approval, decisionId } = each.explain(tool, context);
        const decision = each.decide(tool, context);
        expect({ allowed, decidedBy, approval }).toEqual({ approval: undefined, ...decision });
        expect(each.decisionId(tool, context)).toBe(decisionId);
        expect(JSON.stringify([layers, tool, context])).toBe(before);
      }),
      { numRuns: 500 },
    );
  });
});

describe("policy and decision IDs", () => {
  it("[POL-027] are the same for the same rules, tool and context on any machine", () => {
    const make = () => compilePolicy([{ layer: "global", deny: ["exec"] }]);
    const turned = { subagentDepth: 0, sandboxed: false, senderIsOwner: true, agentId: "main" };
    const id = make().decisionId(core("exec"), OWNER);
    expect(make().decisionId(core("exec"), turned)).toBe(id);
    expect(make().explain(core("exec"), OWNER).decisionId).toBe(id);
    expect(id).toBe("pd_d0843052d13800c9b910");
    expect(make().decisionId(core("read"), OWNER)).not.toBe(id);
    expect(make().decisionId(core("exec"), EVERYWHERE)).not.toBe(id);
    expect(compilePolicy([]).decisionId(core("exec"), OWNER)).not.toBe(id);
  });

  it("[POL-027] do not change with format, order, case or location of rules", () => {
    const first = configured(
      {
        tools: { deny: ["exec", "read"], profile: "coding", groups: { a: ["exec", "LS"], b: [] } },
        agents: { x: { tools: { deny: ["time"] } }, y: { tools: { deny: ["json"] } } },
      },
      { locate },
    );
    const second = configured({
      agents: { y: { tools: { deny: ["JSON"] } }, X: { tools: { deny: ["time", " time "] } } },
      tools: { groups: { B: [], A: ["list", "exec"] }, profile: "Coding", deny: ["read", "Bash"] },
    });
    expect(second.hash).toBe(first.hash);
  });

  it("[POL-027] change with everything that affects the meaning of rules", () => {
    const hashes = [
      {},
      { tools: { default: "deny" } },
      { tools: { deny: ["exec"] } },
      { tools: { allow: ["exec"] } },
      { tools: { alsoAllow: ["exec"] } },
      { tools: { deny: ["plugin:exec"] } },
      { tools: { deny: ["group:runtime"] } },
      { tools: { groups: { a: ["exec"] } } },
      { tools: { profile: "coding" } },
      { agents: { main: { tools: { deny: ["exec"] } } } },
      { groups: { main: { tools: { deny: ["exec"] } } } },
      { groups: { main: { tools: { requireApproval: ["exec"] } } } },
      { groups: { main: { tools: { toolsBySender: { "*": { deny: ["exec"] } } } } } },
      { sandbox: { tools: { deny: ["exec"] } } },
      { tools: { subagents: { tools: { deny: ["exec"] } } } },
    ].map((config) => configured(config).hash);
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(configured({}, { maximumSubagentDepth: 3 }).hash).not.toBe(hashes[0]);
    const tools = [core("sky")];
    const ambiguous = { tools: { deny: ["sky"] } };
    expect(configured(ambiguous, {}, tools).hash).not.toBe(configured(ambiguous).hash);
    expect(configured({}, {}, tools).hash).toBe(hashes[0]);
    expect(configured({ tools: { deny: [] } }).hash).toBe(hashes[0]);
  });
});
