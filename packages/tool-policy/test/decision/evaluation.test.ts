import { describe, expect, it } from "vitest";
import { compilePolicy, type PolicyLayer, type PolicyTool } from "../../src/index.js";
import { core, EVERYWHERE, OWNER, plugin } from "../support/decision-input.js";

const GUEST = { ...OWNER, senderIsOwner: false };

describe("caps", () => {
  const open = compilePolicy([{ layer: "global", allow: ["*"] }]);

  it("[POL-015] deny owner-only tools to everyone else", () => {
    const names = ["gateway", "tool_install", "build_software", "tool_list", "cron", "CRON"];
    for (const tool of [...names.map(core), plugin("vault", "bank", { ownerOnly: true })]) {
      expect(open.decide(tool, OWNER).allowed).toBe(true);
      expect(open.decide(tool, GUEST)).toMatchObject({
        allowed: false,
        decidedBy: { kind: "cap", cap: "owner", verdict: "deny" },
      });
    }
    expect(open.decide(core("exec"), GUEST).allowed).toBe(true);
  });

  it("[POL-015] apply the run's list and the hook's list together", () => {
    const run = { ...OWNER, runAllow: ["group:fs", "bash"], toolsAllow: ["e*", "sky"] };
    const allowed = (tool: PolicyTool) => open.decide(tool, run).allowed;
    expect(allowed(core("exec"))).toBe(true);
    expect(allowed(core("edit"))).toBe(true);
    expect(allowed(core("read"))).toBe(false);
    expect(allowed(core("echo"))).toBe(false);
    expect(allowed(plugin("forecast", "sky"))).toBe(false);
    expect(open.decide(core("read"), run).decidedBy).toEqual({
      kind: "cap",
      cap: "run",
      verdict: "deny",
      list: "toolsAllow",
    });
    expect(open.decide(core("echo"), run).decidedBy).toMatchObject({ list: "runAllow" });
  });

  it("[POL-015] only remove tools, and are not layers", () => {
    const closed = compilePolicy([{ layer: "global", deny: ["exec", "cron"] }]);
    const context = { ...OWNER, runAllow: ["exec", "cron"] };
    for (const name of ["exec", "cron"]) {
      const explanation = closed.explain(core(name), context);
      expect(explanation.decidedBy).toMatchObject({ kind: "layer", layer: "global" });
      expect(explanation.layers).toHaveLength(7);
      expect(explanation.caps).toEqual([
        { cap: "owner", verdict: "silent", note: "does not apply" },
        { cap: "run", verdict: "silent", note: "does not apply" },
      ]);
    }
    expect(open.explain(core("cron"), { ...GUEST, runAllow: [] }).caps).toEqual([
      { cap: "owner", verdict: "deny", note: "only owners may use it" },
      { cap: "run", verdict: "deny", note: "not in runAllow" },
    ]);
  });
});

describe("optional tools", () => {
  const tool = plugin("workspace-sync", "sync", { optional: true });
  const decide = (layers: readonly PolicyLayer[], asked = tool) =>
    compilePolicy(layers, { groups: [{ name: "own", members: ["Workspace-Sync"] }] }).decide(
      asked,
      EVERYWHERE,
    );

  it.each(["workspace-sync", "sync", "plugin:sync", "group:plugins", "workspace-*", "group:own"])(
    "[POL-023] are opted in by %s, in allow and alsoAllow of layers 1 to 5",
    (entry) => {
      for (const layer of ["profile", "provider", "global", "agent", "group"] as const) {
        expect(decide([{ layer, allow: [entry] }]).allowed).toBe(true);
        expect(decide([{ layer, alsoAllow: [entry] }]).allowed).toBe(true);
      }
    },
  );

  it.each(["*", "**", "??*", "?*"])("[POL-023] are not opted in by %s", (entry) => {
    expect(decide([{ layer: "global", allow: [entry] }])).toEqual({
      allowed: false,
      decidedBy: { kind: "optional", verdict: "not-opted-in" },
    });
  });

  it("[POL-023] are opted in neither by default nor by the layers that limit", () => {
    expect(decide([]).allowed).toBe(false);
    expect(decide([{ layer: "sandbox", allow: ["workspace-sync"] }]).allowed).toBe(false);
    expect(decide([{ layer: "subagent", alsoAllow: ["workspace-sync"] }]).allowed).toBe(false);
    expect(
      decide([{ layer: "global", alsoAllow: ["group:wasm"] }], { ...tool, origin: "wasm" }),
    ).toMatchObject({
      decidedBy: { kind: "optional" },
    });
  });

  it("[POL-023] must also pass the layers", () => {
    const layers: PolicyLayer[] = [
      { layer: "profile", allow: ["workspace-sync"] },
      { layer: "agent", allow: ["read"] },
    ];
    expect(decide(layers)).toMatchObject({ allowed: false, decidedBy: { layer: "agent" } });
  });

  it("[POL-024] stay denied regardless of the opt-in", () => {
    const layers: PolicyLayer[] = [
      { layer: "global", allow: ["workspace-sync"], deny: ["plugin:sync"] },
    ];
    const explanation = compilePolicy(layers).explain(tool, OWNER);
    expect(explanation).toMatchObject({
      allowed: false,
      decidedBy: { kind: "layer", verdict: "deny" },
      optional: {
        isOptional: true,
        optedInBy: { layer: "global", list: "allow", rule: "workspace-sync" },
      },
    });
  });

  it("[POL-024] without an opt-in are distinguished from denied tools", () => {
    const explanation = compilePolicy([{ layer: "global", allow: ["*"] }]).explain(tool, OWNER);
    expect(explanation.decidedBy).toEqual({ kind: "optional", verdict: "not-opted-in" });
    expect(explanation.optional).toEqual({ isOptional: true });
    expect(explanation.layers.every(({ verdict }) => !verdict.startsWith("deny"))).toBe(true);
    const ordinary = compilePolicy([]).explain(core("exec"), OWNER);
    expect(ordinary.optional).toEqual({ isOptional: false });
  });
});

describe("parent's bound", () => {
  const child = { ...OWNER, subagentDepth: 1, parentPolicy: ["bash", "read"] };
  const open = compilePolicy([
    { layer: "global", allow: ["*"] },
    { layer: "subagent", alsoAllow: ["write", "exec"] },
  ]);

  it("[POL-014] denies every tool that the parent was denied", () => {
    expect(open.decide(core("exec"), child).allowed).toBe(true);
    expect(open.decide(core("read"), child).allowed).toBe(true);
    expect(open.decide(core("write"), child).decidedBy).toEqual({
      kind: "layer",
      layer: "subagent",
      verdict: "deny-unlisted",
      list: "parentPolicy",
    });
    expect(open.explain(core("edit"), child).layers[6]).toMatchObject({
      verdict: "deny-unlisted",
      note: "the parent agent was denied it",
    });
  });

  it("[POL-014] of a parent without tools denies everything, in subagents only", () => {
    expect(open.decide(core("exec"), { ...child, parentPolicy: [] }).allowed).toBe(false);
    expect(open.decide(core("write"), { ...child, subagentDepth: 0 }).allowed).toBe(true);
  });

  it("does not replace the decider of another denial", () => {
    const policy = compilePolicy([{ layer: "subagent", deny: ["write"], allow: ["exec"] }]);
    expect(policy.decide(core("write"), child).decidedBy).toMatchObject({ verdict: "deny" });
    expect(policy.decide(core("edit"), child).decidedBy).toMatchObject({ list: "deny" });
    expect(policy.decide(core("grep"), child).decidedBy).toMatchObject({ list: "allow" });
  });
});

describe("yielding list", () => {
  it("yields to alsoAllow of its layer; other deny lists do not", () => {
    const limit: PolicyLayer = { layer: "subagent", deny: ["cron"], yieldsToAlsoAllow: true };
    const lift: PolicyLayer = { layer: "subagent", alsoAllow: ["cron"] };
    const decide = (layers: readonly PolicyLayer[]) =>
      compilePolicy(layers).decide(core("cron"), EVERYWHERE).allowed;
    expect(decide([limit])).toBe(false);
    expect(decide([limit, lift])).toBe(true);
    expect(decide([limit, lift, { layer: "subagent", deny: ["cron"] }])).toBe(false);
    expect(decide([limit, { layer: "global", alsoAllow: ["cron"] }])).toBe(false);
  });
});

describe("requireApproval", () => {
  it("[POL-012] changes no verdict and marks allowed tools as needing approval", () => {
    const policy = compilePolicy([
      { layer: "group", requireApproval: ["group:runtime", "cron"], deny: ["cron"] },
    ]);
    expect(policy.decide(core("exec"), EVERYWHERE)).toEqual({
      allowed: true,
      decidedBy: { kind: "default", default: "allow", verdict: "allow" },
      approval: "always",
    });
    expect(policy.explain(core("exec"), EVERYWHERE).approval).toBe("always");
    expect(policy.decide(core("read"), EVERYWHERE)).not.toHaveProperty("approval");
    expect(policy.decide(core("cron"), EVERYWHERE)).not.toHaveProperty("approval");
    expect(policy.explain(core("cron"), EVERYWHERE)).not.toHaveProperty("approval");
    expect(policy.decide(core("exec"), OWNER)).not.toHaveProperty("approval");
  });
});
