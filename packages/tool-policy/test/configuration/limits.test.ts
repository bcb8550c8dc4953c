import { describe, expect, it } from "vitest";
import type { PolicyContext } from "../../src/index.js";
import { configured, problemsOf } from "../support/compiled-policy.js";
import { core, OWNER, plugin } from "../support/decision-input.js";

const sandboxed: PolicyContext = { ...OWNER, sandboxed: true };
const child: PolicyContext = { ...OWNER, subagentDepth: 1 };
const grandchild: PolicyContext = { ...OWNER, subagentDepth: 2 };

const NAMES = [
  "read",
  "exec",
  "time",
  "session_status",
  "message",
  "http",
  "cron",
  "gateway",
  "web_fetch",
];

function admitted(config: unknown, context: PolicyContext, names = NAMES): readonly string[] {
  const policy = configured(config);
  return names.filter((name) => policy.decide(core(name), context).allowed);
}

describe("sandbox rules", () => {
  it("[POL-013] have defaults and no effect outside a sandbox", () => {
    expect(admitted({}, sandboxed)).toEqual(["read", "exec", "time", "session_status"]);
    expect(admitted({}, OWNER)).toEqual(NAMES);
    const policy = configured({});
    expect(policy.decide(core("http"), sandboxed).decidedBy).toMatchObject({
      layer: "sandbox",
      verdict: "deny",
      source: { key: "tools.sandbox.tools.deny", builtIn: true },
    });
    expect(policy.decide(plugin("sky", "sky"), sandboxed).decidedBy).toMatchObject({
      layer: "sandbox",
      verdict: "deny-unlisted",
    });
    expect(policy.explain(core("http"), OWNER).layers[5]?.note).toBe("not sandboxed");
  });

  it.each([
    ["tools.sandbox.tools", (tools: object) => ({ tools: { sandbox: { tools } } })],
    ["sandbox.tools", (tools: object) => ({ sandbox: { tools } })],
  ] as const)("[POL-013] are configured list by list under %s", (key, config) => {
    expect(admitted(config({ deny: ["exec"] }), sandboxed)).toEqual([
      "read",
      "time",
      "session_status",
    ]);
    expect(admitted(config({ allow: ["*"] }), sandboxed)).toEqual([
      "read",
      "exec",
      "time",
      "session_status",
      "web_fetch",
    ]);
    expect(admitted(config({ allow: ["*"], deny: [] }), sandboxed)).toEqual(NAMES);
    const policy = configured(config({ deny: ["exec"] }));
    expect(policy.decide(core("exec"), sandboxed).decidedBy).toMatchObject({
      source: { key: `${key}.deny` },
    });
  });

  it("must be satisfied in both places if both are configured", () => {
    const config = {
      tools: { sandbox: { tools: { allow: ["read", "exec"] } } },
      sandbox: { tools: { allow: ["exec", "time"], deny: ["gateway"] } },
    };
    expect(admitted(config, sandboxed)).toEqual(["exec"]);
  });

  it("[POL-037] reject unknown keys", () => {
    expect(problemsOf({ sandbox: { tools: { alsoAllow: [] } } })).toEqual([
      'POLICY_UNKNOWN_KEY sandbox.tools.alsoAllow: unknown key "alsoAllow"',
    ]);
  });
});

describe("subagent rules", () => {
  const names = [...NAMES, "sessions_send", "sessions_spawn", "subagents", "tool_list"];

  it("[POL-014] deny the built-in list, and a few more tools at the deepest level", () => {
    const common = ["read", "exec", "time", "session_status", "http", "web_fetch"];
    expect(admitted({}, OWNER, names)).toEqual(names);
    expect(admitted({}, child, names)).toEqual([...common, "sessions_spawn", "subagents"]);
    expect(admitted({}, grandchild, names)).toEqual(common);
    expect(configured({}).explain(core("subagents"), grandchild).layers[6]).toMatchObject({
      verdict: "deny",
      rule: "subagents",
      note: "built-in limits of the deepest subagents",
    });
  });

  it("[POL-014] take the deepest level from the host", () => {
    const policy = configured({}, { maximumSubagentDepth: 1 });
    expect(policy.decide(core("subagents"), child).allowed).toBe(false);
    expect(
      configured({}, { maximumSubagentDepth: 3 }).decide(core("subagents"), grandchild),
    ).toMatchObject({ allowed: true });
  });

  it("[POL-014] hold at a depth that is not a number", () => {
    const lost: PolicyContext = { ...OWNER, subagentDepth: Number.NaN };
    expect(configured({}).decide(core("subagents"), lost).allowed).toBe(false);
    expect(configured({}).decide(core("cron"), lost).allowed).toBe(false);
  });

  it("[POL-014] apply in addition to the user's lists", () => {
    const config = { tools: { subagents: { tools: { allow: ["read", "cron"], deny: ["exec"] } } } };
    expect(admitted(config, child)).toEqual(["read"]);
    expect(admitted(config, OWNER)).toEqual(NAMES);
    expect(configured(config).decide(core("exec"), child).decidedBy).toMatchObject({
      layer: "subagent",
      source: { key: "tools.subagents.tools.deny" },
    });
  });

  it("[POL-028] lift a built-in denial by alsoAllow, name by name", () => {
    const config = { tools: { subagents: { tools: { alsoAllow: ["cron", "group:messaging"] } } } };
    expect(admitted(config, child)).toEqual([
      "read",
      "exec",
      "time",
      "session_status",
      "message",
      "http",
      "cron",
      "web_fetch",
    ]);
  });

  it("[POL-037] reject unknown keys", () => {
    expect(problemsOf({ tools: { subagents: { tools: { denied: [] } } } })).toEqual([
      'POLICY_UNKNOWN_KEY tools.subagents.tools.denied: unknown key "denied"',
    ]);
  });
});
