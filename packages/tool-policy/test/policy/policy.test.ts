import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  compilePolicy,
  LAYER_NAMES,
  PolicyConfigError,
  type PolicyLayer,
  type PolicyTool,
} from "../../src/index.js";
import { core, EVERYWHERE, OWNER, plugin } from "../support/decision-input.js";

const exec = core("exec");
const pairs = LAYER_NAMES.flatMap((first) =>
  LAYER_NAMES.filter((second) => second !== first).map((second) => [first, second] as const),
);

describe("seven layers", () => {
  it("[POL-003] are listed in one order, regardless of the order they are given in", () => {
    const layers = LAYER_NAMES.map((layer): PolicyLayer => ({ layer, deny: ["exec"] }));
    const policy = compilePolicy(layers.toReversed());
    expect(policy.explain(exec, EVERYWHERE).layers.map(({ layer }) => layer)).toEqual([
      "profile",
      "provider",
      "global",
      "agent",
      "group",
      "sandbox",
      "subagent",
    ]);
    expect(policy.decide(exec, EVERYWHERE).decidedBy).toMatchObject({ layer: "profile" });
  });

  it("[POL-003] give the same outcome regardless of the layer with the only denial", () => {
    for (const denying of LAYER_NAMES) {
      const policy = compilePolicy(
        LAYER_NAMES.map((layer) =>
          layer === denying ? { layer, deny: ["exec"] } : { layer, allow: ["exec"] },
        ),
      );
      expect(policy.decide(exec, EVERYWHERE)).toMatchObject({
        allowed: false,
        decidedBy: { kind: "layer", layer: denying, verdict: "deny" },
      });
    }
  });

  it.each(pairs)("[POL-006] cannot re-admit each other's denials: %s and %s", (one, other) => {
    for (const [denying, allowing] of [
      [one, other],
      [other, one],
    ] as const) {
      for (const layers of [
        [
          { layer: denying, deny: ["exec"] },
          { layer: allowing, allow: ["exec"] },
        ],
        [
          { layer: denying, allow: ["read"] },
          { layer: allowing, allow: ["exec"] },
        ],
      ] satisfies PolicyLayer[][]) {
        const { allowed, decidedBy } = compilePolicy(layers).decide(exec, EVERYWHERE);
        expect(allowed).toBe(false);
        expect(decidedBy).toMatchObject({ layer: denying });
      }
    }
  });

  it("[POL-006] are completely covered by the pairs above", () => {
    expect(pairs).toHaveLength(42);
  });
});

describe("policy layer", () => {
  const verdictOf = (layer: Omit<PolicyLayer, "layer">, tool: PolicyTool = exec) =>
    compilePolicy([{ layer: "global", ...layer }])
      .explain(tool, OWNER)
      .layers.find((each) => each.layer === "global")?.verdict;

  it("[POL-004] gives deny, allow, deny-unlisted or nothing", () => {
    expect(verdictOf({ deny: ["exec"] })).toBe("deny");
    expect(verdictOf({ allow: ["exec"] })).toBe("allow");
    expect(verdictOf({ alsoAllow: ["exec"] })).toBe("allow");
    expect(verdictOf({ allow: ["read"] })).toBe("deny-unlisted");
    expect(verdictOf({ deny: ["read"] })).toBe("silent");
    expect(verdictOf({})).toBe("silent");
  });

  it("[POL-004] prefers its deny to its allow, regardless of specificity", () => {
    expect(verdictOf({ allow: ["exec"], deny: ["*"] })).toBe("deny");
    expect(verdictOf({ allow: ["exec"], deny: ["group:runtime"] })).toBe("deny");
    expect(verdictOf({ alsoAllow: ["exec"], deny: ["e*"] })).toBe("deny");
  });

  it("evaluates every definition that applies; all of them must admit a tool", () => {
    const policy = compilePolicy([
      { layer: "global", allow: ["exec", "read"] },
      { layer: "global", allow: ["read"] },
    ]);
    expect(policy.decide(core("read"), OWNER).allowed).toBe(true);
    expect(policy.decide(exec, OWNER)).toMatchObject({
      allowed: false,
      decidedBy: { verdict: "deny-unlisted" },
    });
  });
});

describe("policy decision", () => {
  it("[POL-005] names a deny before an earlier deny-unlisted", () => {
    const policy = compilePolicy([
      { layer: "profile", allow: ["read"] },
      { layer: "agent", deny: ["exec"] },
    ]);
    expect(policy.decide(exec, OWNER).decidedBy).toMatchObject({ layer: "agent", verdict: "deny" });
  });

  it("[POL-005] names the first deny-unlisted when no layer denies outright", () => {
    const policy = compilePolicy([
      { layer: "agent", allow: ["read"] },
      { layer: "provider", allow: ["read"] },
    ]);
    expect(policy.decide(exec, OWNER).decidedBy).toMatchObject({
      layer: "provider",
      verdict: "deny-unlisted",
      list: "allow",
    });
  });

  it("[POL-005] is the first allow when no layer denies", () => {
    const policy = compilePolicy([
      { layer: "agent", allow: ["exec"] },
      { layer: "global", allow: ["ex*"] },
    ]);
    expect(policy.decide(exec, OWNER)).toMatchObject({
      allowed: true,
      decidedBy: { layer: "global", verdict: "allow", rule: "ex*" },
    });
  });

  it("[POL-005] is the default when every layer is silent", () => {
    const byDefault = { kind: "default", default: "allow", verdict: "allow" };
    expect(compilePolicy([]).decide(exec, OWNER)).toEqual({ allowed: true, decidedBy: byDefault });
    expect(compilePolicy([], { default: "deny" }).decide(exec, OWNER)).toEqual({
      allowed: false,
      decidedBy: { kind: "default", default: "deny", verdict: "deny" },
    });
    const policy = compilePolicy([{ layer: "global", allow: ["exec"] }], { default: "deny" });
    expect(policy.decide(exec, OWNER).allowed).toBe(true);
  });

  it("[POL-007] ignores an empty list and reports it", () => {
    const policy = compilePolicy([{ layer: "global", allow: [], deny: [] }]);
    expect(policy.decide(exec, OWNER).decidedBy.kind).toBe("default");
    expect(policy.warnings).toMatchObject([
      { code: "POLICY_EMPTY_LIST", severity: "warning", key: "global.allow" },
      { code: "POLICY_EMPTY_LIST", severity: "warning", key: "global.deny" },
    ]);
  });

  it("[POL-007] denies every tool under an empty run cap", () => {
    const policy = compilePolicy([{ layer: "global", allow: ["*"] }]);
    for (const cap of [{ runAllow: [] }, { toolsAllow: [] }]) {
      for (const tool of [exec, core("read"), plugin("weather", "sky")]) {
        expect(policy.decide(tool, { ...OWNER, ...cap })).toMatchObject({
          allowed: false,
          decidedBy: { kind: "cap", cap: "run" },
        });
      }
    }
  });
});

describe("compiled policy", () => {
  it("[POL-001] changes neither its input nor the values it returned", () => {
    const layers = [{ layer: "global" as const, allow: ["exec", "group:fs"], deny: ["bash"] }];
    const tool = plugin("weather", "sky", { aliases: ["forecast"] });
    const context = { ...EVERYWHERE, runAllow: ["exec"], parentPolicy: ["exec"] };
    const before = structuredClone({ layers, tool, context });
    const policy = compilePolicy(layers);
    const decision = policy.decide(tool, context);
    policy.explain(tool, context);
    expect({ layers, tool, context }).toEqual(before);
    expect(Object.isFrozen(decision)).toBe(true);
    expect(Object.isFrozen(decision.decidedBy)).toBe(true);
  });

  it("[POL-001] imports only pure functions of foundation: no clock, no files, no environment", () => {
    const pure = [
      "canonicalJson",
      "defined",
      "didYouMean",
      "misfits",
      "nearestName",
      "sha256",
      "withSuggestion",
    ];
    const folder = new URL("../../src/", import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    for (const file of files.filter((name) => name.endsWith(".ts"))) {
      const source = readFileSync(new URL(file, folder), "utf8");
      for (const [, names = "", from = ""] of source.matchAll(
        /(?<!type )\{([^{}]*)\} from "([^"]+)"/g,
      )) {
        if (from === "@openclaw/foundation/errors") continue;
        if (from !== "@openclaw/foundation") expect(from).toMatch(/^\./);
        else
          expect(pure).toEqual(
            expect.arrayContaining(
              names.split(",").flatMap((name) => (/^\s*type /.test(name) ? [] : [name.trim()])),
            ),
          );
      }
      expect(source).not.toMatch(/\bprocess\.|\bDate\b|\bperformance\.|Math\.random|\bimport\(/);
    }
  });

  it("lists the tools it was compiled with", () => {
    const tools = [exec];
    expect(compilePolicy([], { tools }).tools).toEqual(tools);
    expect(compilePolicy([]).tools).toEqual([]);
  });

  it("[POL-039] treats names of Object.prototype members like any other unknown name", () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];
    for (const name of names) {
      const tool = core(name);
      expect(compilePolicy([]).decide(tool, OWNER).allowed).toBe(true);
      const denying = compilePolicy([{ layer: "global", deny: [name, `group:${name}`] }]);
      expect(denying.decide(tool, OWNER)).toMatchObject({
        allowed: false,
        decidedBy: { rule: name.toLowerCase() },
      });
      expect(denying.decide(exec, OWNER).allowed).toBe(true);
      const admitting = compilePolicy([{ layer: "agent", allow: [name], when: { agentId: name } }]);
      expect(admitting.decide(exec, OWNER).allowed).toBe(true);
      expect(admitting.decide(exec, { ...OWNER, agentId: name }).allowed).toBe(false);
      const grouped = compilePolicy([{ layer: "global", allow: [`group:${name}`] }], {
        groups: [{ name, members: ["exec"] }],
      });
      expect(grouped.decide(exec, OWNER).allowed).toBe(true);
      expect(grouped.decide(core("read"), OWNER).allowed).toBe(false);
    }
  });
});

describe("compiled policy with large and odd input", { timeout: 30_000 }, () => {
  it("decides exactly with 10 000 rules", () => {
    const deny = Array.from({ length: 10_000 }, (_, index) => `tool_${index}`);
    const policy = compilePolicy([{ layer: "global", deny }]);
    expect(policy.decide(core("tool_9999"), OWNER).allowed).toBe(false);
    expect(policy.decide(core("tool_10000"), OWNER).allowed).toBe(true);
  });

  it("follows a chain of thousands of groups", () => {
    const groups = Array.from({ length: 4_000 }, (_, index) => ({
      name: `level-${index}`,
      members: index === 0 ? ["exec"] : [`group:level-${index - 1}`],
    }));
    const policy = compilePolicy([{ layer: "global", deny: ["group:level-3999"] }], { groups });
    expect(policy.decide(exec, OWNER)).toMatchObject({
      allowed: false,
      decidedBy: { rule: "group:level-3999" },
    });
    expect(policy.decide(core("read"), OWNER).allowed).toBe(true);
  });

  it("distinguishes look-alike letters", () => {
    const policy = compilePolicy([{ layer: "global", deny: ["еxec", "ＲＥＡＤ", "İstat?"] }]);
    expect(policy.decide(exec, OWNER).allowed).toBe(true);
    expect(policy.decide(core("read"), OWNER).allowed).toBe(true);
    expect(policy.decide(core("İstat😀"), OWNER).allowed).toBe(false);
    expect(policy.decide(core("istat1"), OWNER).allowed).toBe(true);
  });

  it("gives ids with half of a surrogate pair separate decision ids", () => {
    const policy = compilePolicy([{ layer: "agent", when: { agentId: "\ud800" }, deny: ["exec"] }]);
    const high = { ...OWNER, agentId: "\ud800" };
    const low = { ...OWNER, agentId: "\udc00" };
    expect(policy.decide(exec, high).allowed).toBe(false);
    expect(policy.decide(exec, low).allowed).toBe(true);
    expect(policy.decisionId(exec, high)).not.toBe(policy.decisionId(exec, low));
  });

  it("ignores undefined groups and keeps restricting", () => {
    const policy = compilePolicy([{ layer: "global", allow: ["group:nowhere"] }]);
    expect(policy.decide(exec, OWNER)).toMatchObject({
      allowed: false,
      decidedBy: { verdict: "deny-unlisted" },
    });
  });

  it("treats a depth that is not a number as the deepest", () => {
    const policy = compilePolicy([
      { layer: "subagent", deny: ["exec"], when: { minimumSubagentDepth: 2 } },
    ]);
    expect(policy.decide(exec, { ...OWNER, subagentDepth: 1 }).allowed).toBe(true);
    expect(policy.decide(exec, { ...OWNER, subagentDepth: 2 }).allowed).toBe(false);
    expect(policy.decide(exec, { ...OWNER, subagentDepth: Number.NaN }).allowed).toBe(false);
  });
});

describe("layers compiled by a program", () => {
  it.each(["a".repeat(129), "a\u0007b", " "])(
    "[POL-037] are rejected with the entry %j",
    (entry) => {
      expect(() => compilePolicy([{ layer: "global", deny: [entry] }])).toThrow(PolicyConfigError);
    },
  );

  it("[POL-037] can have entries of up to 128 characters", () => {
    const name = "a".repeat(128);
    const policy = compilePolicy([{ layer: "global", deny: [name] }]);
    expect(policy.decide(core(name), OWNER).allowed).toBe(false);
  });
});
