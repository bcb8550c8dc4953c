import { describe, expect, it } from "vitest";
import { compilePolicy, type KeyPath, layersFromConfig } from "../../src/index.js";
import { configured, parsed, problemsOf } from "../support/compiled-policy.js";
import { core, OWNER, plugin } from "../support/decision-input.js";

const exec = core("exec");

describe("the root's lists", () => {
  it("[POL-010] are layer 3", () => {
    const policy = configured({ tools: { allow: ["exec", "read"], deny: ["read"] } });
    expect(policy.decide(exec, OWNER)).toMatchObject({
      allowed: true,
      decidedBy: { layer: "global", list: "allow" },
    });
    expect(policy.decide(core("read"), OWNER)).toMatchObject({
      allowed: false,
      decidedBy: { layer: "global", list: "deny", source: { key: "tools.deny" } },
    });
    expect(policy.decide(core("write"), OWNER)).toMatchObject({
      allowed: false,
      decidedBy: { layer: "global", verdict: "deny-unlisted" },
    });
  });

  it("[POL-010] [POL-021] deny nothing with alsoAllow alone", () => {
    const policy = configured({ tools: { alsoAllow: ["lobster"] } });
    const lobster = plugin("lobster", "lobster", { optional: true });
    expect(policy.decide(exec, OWNER)).toMatchObject({
      allowed: true,
      decidedBy: { kind: "default" },
    });
    expect(policy.decide(lobster, OWNER)).toMatchObject({
      allowed: true,
      decidedBy: { layer: "global", list: "alsoAllow" },
    });
    expect(policy.explain(lobster, OWNER).layers[0]?.verdict).toBe("silent");
  });

  it("[POL-005] leave the decision to tools.default when every layer is silent", () => {
    expect(configured({}).decide(exec, OWNER).allowed).toBe(true);
    expect(configured({ tools: { default: "allow" } }).decide(exec, OWNER).allowed).toBe(true);
    expect(configured({ tools: { default: "deny" } }).decide(exec, OWNER).allowed).toBe(false);
  });
});

describe("tools.groups", () => {
  it("[POL-018] defines further groups", () => {
    const policy = configured({
      tools: { groups: { Net: ["group:web", "gopher"] }, deny: ["group:net"] },
    });
    expect(policy.decide(core("gopher"), OWNER).allowed).toBe(false);
    expect(policy.decide(core("http"), OWNER).allowed).toBe(false);
    expect(policy.decide(exec, OWNER).allowed).toBe(true);
  });

  it("[POL-018] [POL-037] reports a cycle as an error", () => {
    expect(problemsOf({ tools: { groups: { a: ["group:b"], b: ["group:a"] } } })).toEqual([
      'POLICY_GROUP_CYCLE tools.groups.b: group "a" contains itself: a → b → a',
    ]);
  });
});

describe("locations", () => {
  const lines = new Map([
    ["tools.deny.1", 7],
    ["tools", 3],
    ["agents.main.tools.allow", 12],
  ]);
  const locate = (path: KeyPath) => {
    const line = lines.get(path.join("."));
    return line === undefined ? undefined : { file: "openclaw.yaml", line, column: 5 };
  };

  it("[POL-026] of rules are found by their path", () => {
    const policy = configured({ tools: { deny: ["read", "bash"] } }, { locate });
    expect(policy.decide(exec, OWNER).decidedBy).toMatchObject({
      rule: "bash",
      source: { file: "openclaw.yaml", key: "tools.deny", line: 7, column: 5 },
    });
    expect(policy.decide(core("read"), OWNER).decidedBy).toMatchObject({
      source: { key: "tools.deny" },
    });
  });

  it("[POL-037] of errors include file, line, column and key", () => {
    const { errors } = layersFromConfig(
      parsed({ tools: {}, agents: { main: { tools: { allow: "exec" } } } }),
      { locate },
    );
    expect(errors).toEqual([
      {
        code: "POLICY_NOT_A_LIST",
        file: "openclaw.yaml",
        line: 12,
        column: 5,
        key: "agents.main.tools.allow",
        message: 'expected a list of strings, got string "exec"',
        suggestion: 'for example ["exec"]',
      },
    ]);
  });

  it("quote keys that are not identifiers in brackets", () => {
    const policy = configured({
      tools: { byProvider: { "openai/gpt-4.1": { deny: ["exec"] } } },
    });
    const context = { ...OWNER, provider: "openai", model: "gpt-4.1" };
    expect(policy.decide(exec, context).decidedBy).toMatchObject({
      source: { key: 'tools.byProvider["openai/gpt-4.1"].deny' },
    });
  });
});

describe("configuration errors", () => {
  it("[POL-037] include POLICY_UNKNOWN_KEY with the nearest key", () => {
    const { errors } = layersFromConfig(
      parsed({ tools: { alloww: ["exec"], alow: [], xyzzy: 1 } }),
    );
    expect(errors.map(({ code, key, suggestion }) => [code, key, suggestion])).toEqual([
      ["POLICY_UNKNOWN_KEY", "tools.alloww", 'did you mean "allow"?'],
      ["POLICY_UNKNOWN_KEY", "tools.alow", 'did you mean "allow"?'],
      ["POLICY_UNKNOWN_KEY", "tools.xyzzy", expect.stringContaining("use one of profile, allow")],
    ]);
  });

  it("[POL-037] include POLICY_NOT_A_LIST", () => {
    expect(problemsOf({ tools: { deny: "exec", allow: null, groups: { a: 1 } } })).toEqual([
      'POLICY_NOT_A_LIST tools.deny: expected a list of strings, got string "exec"',
      "POLICY_NOT_A_LIST tools.allow: expected a list of strings, got null",
      "POLICY_NOT_A_LIST tools.groups.a: expected a list of strings, got number 1",
    ]);
  });

  it("[POL-037] include POLICY_BAD_ENTRY for an entry that is not a string, is empty or too long, or contains control characters", () => {
    const misfits = [1, null, "", "a".repeat(129), "a".repeat(128)];
    expect(problemsOf({ tools: { deny: misfits } })).toEqual([
      "POLICY_BAD_ENTRY tools.deny: expected a string, got number 1",
      "POLICY_BAD_ENTRY tools.deny: expected a string, got null",
      'POLICY_BAD_ENTRY tools.deny: expected a string that is not empty, got string ""',
      "POLICY_BAD_ENTRY tools.deny: expected at most 128 characters, got 129",
    ]);
    expect(problemsOf({ tools: { deny: ["  ", "a\u0007b", "a".repeat(128)] } })).toEqual([
      "POLICY_BAD_ENTRY tools.deny: bad entry: expected a name, got empty text",
      "POLICY_BAD_ENTRY tools.deny: bad entry: expected no control characters",
    ]);
  });

  it("[POL-037] [POL-021] include POLICY_ALLOW_AND_ALSO_ALLOW", () => {
    expect(problemsOf({ tools: { allow: ["exec"], alsoAllow: [] } })).toEqual([
      'POLICY_ALLOW_AND_ALSO_ALLOW tools.alsoAllow: "allow" and "alsoAllow" are in the same object',
    ]);
  });

  it("[POL-037] include POLICY_TOO_LARGE, which counts every list and group", () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `tool_${index}`);
    const config = (extra: number) => ({
      tools: { deny: many(6_000), alsoAllow: many(2_000), groups: { own: many(2_000 + extra) } },
    });
    expect(problemsOf(config(0))).toEqual([]);
    expect(problemsOf(config(1))).toEqual([
      "POLICY_TOO_LARGE tools: expected at most 10000 entries in all lists and groups, got 10001",
    ]);
  });

  it("include POLICY_BAD_VALUE for values of the wrong kind", () => {
    expect(problemsOf({ tools: { default: "block", profile: 7, groups: [] } })).toEqual([
      'POLICY_BAD_VALUE tools.default: expected "allow" or "deny", got string "block"',
      "POLICY_BAD_VALUE tools.profile: expected a string, got number 7",
      "POLICY_BAD_VALUE tools.groups: expected an object of lists of strings, got a list",
    ]);
    expect(problemsOf({ tools: "all" })).toEqual([
      'POLICY_BAD_VALUE tools: expected an object, got string "all"',
    ]);
    expect(problemsOf({ tools: { profiles: { a: null } } })).toEqual([
      "POLICY_BAD_VALUE tools.profiles.a: expected an object, got null",
    ]);
    expect(problemsOf(["tools"])).toEqual(["POLICY_BAD_VALUE : expected an object, got a list"]);
    expect(problemsOf({ tools: { profile: "" } })).toEqual([
      'POLICY_BAD_VALUE tools.profile: expected a string that is not empty, got string ""',
    ]);
  });

  it("leave a policy that denies every tool, even when the caller ignores them", () => {
    const { layers, options, errors } = layersFromConfig(
      parsed({ tools: { allow: ["exec"], x: 1 } }),
    );
    expect(errors).toHaveLength(1);
    expect(compilePolicy(layers, options).decide(exec, OWNER).allowed).toBe(false);
  });
});

describe("configuration of other packages", () => {
  it("is ignored", () => {
    const config = {
      tools: {
        mine: 1,
        sandbox: { image: "x" },
        subagents: { max: 8 },
      },
      agents: { maxConcurrentTurns: 4, main: { model: "x" } },
      channels: { telegram: { groups: { a: { requireMention: true } } }, web: true },
      sandbox: { runtime: "docker" },
      models: {},
    };
    expect(problemsOf({ agents: 3, groups: ["a"], channels: "none", sandbox: true })).toEqual([
      "POLICY_BAD_VALUE agents: expected an object, got number 3",
      "POLICY_BAD_VALUE groups: expected an object, got a list",
      'POLICY_BAD_VALUE channels: expected an object, got string "none"',
      "POLICY_BAD_VALUE sandbox: expected an object, got boolean true",
    ]);
    expect(problemsOf(config)).toEqual(['POLICY_UNKNOWN_KEY tools.mine: unknown key "mine"']);
    expect(problemsOf(config, { otherToolKeys: ["mine"] })).toEqual([]);
  });

  it("can be undefined in configuration that code builds", () => {
    const built = { tools: undefined, agents: { main: undefined, other: { tools: undefined } } };
    // The types forbid `undefined`; JavaScript does not.
    const { layers, errors } = layersFromConfig(Object.assign(JSON.parse("{}"), built));
    expect({ layers, errors }).toEqual({ layers: layersFromConfig({}).layers, errors: [] });
  });

  it("can be absent, but not null", () => {
    for (const config of [{}, { tools: {} }]) {
      expect(layersFromConfig(config)).toMatchObject({ errors: [], warnings: [] });
    }
    for (const config of [null, { tools: null }]) {
      const { layers, options, errors } = layersFromConfig(parsed(config));
      expect(errors).toMatchObject([{ code: "POLICY_BAD_VALUE" }]);
      expect(compilePolicy(layers, options).decide(exec, OWNER).allowed).toBe(false);
    }
  });
});

describe("names of Object.prototype members", () => {
  it("[POL-039] are unknown names wherever configuration has names", () => {
    for (const name of ["__proto__", "constructor", "toString"]) {
      const section = (value: unknown): unknown =>
        JSON.parse(`{"${name}":${JSON.stringify(value)}}`);
      expect(problemsOf({ tools: { profile: name } })).toEqual([
        `POLICY_UNKNOWN_PROFILE tools.profile: unknown profile "${name.toLowerCase()}"`,
      ]);
      expect(problemsOf({ tools: section(["exec"]) })).toEqual([
        `POLICY_UNKNOWN_KEY tools.${name}: unknown key "${name}"`,
      ]);
      const policy = configured({
        tools: {
          profile: name,
          profiles: section({ allow: [`group:${name}`] }),
          groups: section(["exec"]),
          byProvider: section({ deny: ["read"] }),
        },
        agents: section({ tools: { deny: ["write"] } }),
      });
      expect(policy.decide(exec, OWNER).allowed).toBe(true);
      expect(policy.decide(core("process"), OWNER).allowed).toBe(false);
      expect(configured({}).decide(exec, { ...OWNER, profile: name }).allowed).toBe(false);
      expect(configured({}).decide(exec, { ...OWNER, agentId: name, provider: name }).allowed).toBe(
        true,
      );
    }
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
    expect("allow" in Object.prototype).toBe(false);
  });
});
