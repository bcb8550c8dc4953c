import { describe, expect, it } from "vitest";
import {
  compilePolicy,
  PolicyCasesError,
  parsePolicyCases,
  runPolicyCases,
} from "../../src/index.js";
import { core, plugin } from "../support/decision-input.js";

const policy = compilePolicy(
  [
    { layer: "global", deny: ["exec"] },
    { layer: "agent", when: { agentId: "kid" }, allow: ["read", "sky"] },
  ],
  { tools: [core("exec"), plugin("weather", "sky", { optional: true })] },
);

describe("runPolicyCases", () => {
  it("[POL-033] compares outcome and decider", () => {
    const results = runPolicyCases(policy, [
      { name: "no shell", tool: "Bash", expect: "deny", by: "global" },
      { name: "reading", tool: "read", expect: "allow", by: "default" },
      { name: "kid reads", tool: "read", context: { agentId: "kid" }, expect: "allow" },
      {
        name: "kid writes",
        tool: "write",
        context: { agentId: "kid" },
        expect: "deny",
        by: "agent",
      },
      { name: "known tool", tool: "weather", expect: "deny", by: "optional" },
      { name: "kid asks", tool: "weather", context: { agentId: "kid" }, expect: "allow" },
      { name: "guest", tool: "cron", expect: "deny", by: "owner" },
      {
        name: "own tool",
        tool: { name: "vault", ownerOnly: true, origin: "mcp" },
        context: { senderIsOwner: true, runAllow: [] },
        expect: "deny",
        by: "run",
      },
    ]);
    expect(results.filter(({ passed }) => !passed)).toEqual([]);
    expect(results).toHaveLength(8);
    expect(results[0]?.explanation).toMatchObject({ tool: "Bash", canonicalName: "exec" });
  });

  it("[POL-033] reports the expected and the actual outcome", () => {
    const results = runPolicyCases(policy, [
      { name: "wrong outcome", tool: "exec", expect: "allow" },
      { name: "wrong decider", tool: "exec", expect: "deny", by: "agent" },
    ]);
    expect(results).toMatchObject([
      { name: "wrong outcome", passed: false, expected: "allow", actual: "deny by global" },
      { name: "wrong decider", passed: false, expected: "deny by agent", actual: "deny by global" },
    ]);
  });
});

describe("parsePolicyCases", () => {
  it("[POL-033] reads a file of cases", () => {
    const cases = [
      { name: "a", tool: "exec", expect: "deny" },
      {
        name: "b",
        tool: { name: "x", pluginId: "y", origin: "wasm", optional: true, aliases: ["z"] },
        context: { agentId: "kid", subagentDepth: 1, sandboxed: true, parentPolicy: ["x"] },
        expect: "allow",
        by: "default",
      },
    ];
    expect(parsePolicyCases({ cases })).toEqual(cases);
    expect(runPolicyCases(policy, parsePolicyCases({ cases }))).toHaveLength(2);
  });

  it("[POL-033] reports every problem of a file", () => {
    const cases = [
      3,
      { name: "a", tool: 7, context: [], expect: "maybe", by: "nobody", extra: 1 },
      { tool: { nam: "x", aliases: [1], origin: "moon" }, context: { sandboxd: true, agentId: 1 } },
    ];
    const expected = [
      "cases[0]: expected an object, got number 3",
      "cases[1].tool: expected a string or an object, got number 7",
      "cases[1].context: expected an object, got a list",
      'cases[1].expect: expected "allow" or "deny", got string "maybe"',
      'cases[1].by: expected "profile", "provider", "global", "agent", "group", "sandbox", "subagent", "owner", "run", "optional" or "default", got string "nobody"',
      'cases[1].extra: unknown key "extra"; use one of name, tool, context, expect, by',
      "cases[2].name: expected a string, got nothing",
      'cases[2].expect: expected "allow" or "deny", got nothing',
      "cases[2].tool.name: expected a string, got nothing",
      'cases[2].tool.nam: unknown key "nam"; did you mean "name"?',
      "cases[2].tool.aliases[0]: expected a string, got number 1",
      'cases[2].tool.origin: expected "core", "plugin", "mcp" or "wasm", got string "moon"',
      'cases[2].context.sandboxd: unknown key "sandboxd"; did you mean "sandboxed"?',
      "cases[2].context.agentId: expected a string, got number 1",
    ];
    expect(() => parsePolicyCases({ cases })).toThrow(
      expect.objectContaining({ code: "POLICY_CASES_INVALID", faults: expected }),
    );
  });

  it("rejects anything without a list of cases", () => {
    for (const document of [
      null,
      1,
      [],
      {},
      { cases: {} },
      JSON.parse('{"__proto__":{"cases":[]}}'),
    ]) {
      expect(() => parsePolicyCases(document)).toThrow(PolicyCasesError);
    }
  });
});
