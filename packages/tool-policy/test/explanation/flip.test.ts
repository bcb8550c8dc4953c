import { describe, expect, it } from "vitest";
import {
  compilePolicy,
  layersFromConfig,
  type PolicyContext,
  type PolicyLayer,
  type PolicyTool,
} from "../../src/index.js";
import { configured } from "../support/compiled-policy.js";
import { core, EVERYWHERE, OWNER, plugin } from "../support/decision-input.js";

describe("smallest flip", () => {
  const flipOf = (config: unknown, tool: PolicyTool, context: PolicyContext = OWNER) =>
    configured(config).explain(tool, context).flip;

  it("[POL-028] denies an allowed tool in the object of the rule that admits it", () => {
    const config = { tools: { allow: ["*"] }, agents: { main: { tools: { allow: ["exec"] } } } };
    expect(flipOf(config, core("exec"))).toEqual({
      kind: "edit",
      key: "tools.deny",
      op: "add",
      value: "exec",
      text: 'tools.deny: ["exec"]',
    });
    expect(
      flipOf({ agents: { main: { tools: { allow: ["bash"] } } } }, core("shell")),
    ).toMatchObject({
      key: "agents.main.tools.deny",
      value: "exec",
    });
    expect(flipOf({}, core("exec"))).toMatchObject({ key: "tools.deny" });
    expect(flipOf({ tools: { profile: "coding" } }, core("exec"))).toMatchObject({
      key: "tools.deny",
    });
    expect(flipOf({}, core("exec"), { ...OWNER, sandboxed: true })).toMatchObject({
      key: "tools.deny",
    });
  });

  it("[POL-028] removes the deny entry as written to admit a denied tool", () => {
    expect(flipOf({ tools: { deny: ["Bash", "read"] } }, core("exec"))).toEqual({
      kind: "edit",
      key: "tools.deny",
      op: "remove",
      value: "Bash",
      text: 'tools.deny: ["read"]',
    });
  });

  it("[POL-028] names the user's key when a built-in rule denies", () => {
    expect(flipOf({}, core("http"), { ...OWNER, sandboxed: true })).toMatchObject({
      kind: "steps",
    });
    const open = { tools: { sandbox: { tools: { allow: ["*"] } } } };
    expect(flipOf(open, core("http"), { ...OWNER, sandboxed: true })).toEqual({
      kind: "edit",
      key: "tools.sandbox.tools.deny",
      op: "remove",
      value: "http",
      text: 'tools.sandbox.tools.deny: ["message","group:automation","group:gateway"]',
    });
    expect(flipOf({}, core("web_fetch"), { ...OWNER, sandboxed: true })).toMatchObject({
      key: "tools.sandbox.tools.allow",
      op: "add",
      text: 'tools.sandbox.tools.allow: ["group:fs","group:runtime","group:sessions","group:util","web_fetch"]',
    });
    expect(flipOf({}, core("cron"), { ...OWNER, subagentDepth: 1 })).toMatchObject({
      key: "tools.subagents.tools.alsoAllow",
      text: 'tools.subagents.tools.alsoAllow: ["cron"]',
    });
    expect(flipOf({ tools: { profile: "minimal" } }, core("exec"))).toMatchObject({
      key: "tools.alsoAllow",
    });
  });

  it("[POL-028] edits the file of the rule", () => {
    const locate = () => ({ file: "agents/main/config.yaml", line: 1, column: 1 });
    const { layers } = layersFromConfig(
      { agents: { main: { tools: { deny: ["read"] } } } },
      { agentFolders: [{ agentId: "main", config: { tools: { deny: ["exec"] } }, locate }] },
    );
    expect(compilePolicy(layers).explain(core("exec"), OWNER).flip).toMatchObject({
      file: "agents/main/config.yaml",
      key: "tools.deny",
      op: "remove",
    });
  });

  it("describes the edit in words when the list is long", () => {
    const deny = Array.from({ length: 42 }, (_, index) => `tool_${index}`);
    expect(flipOf({ tools: { deny } }, core("tool_7"))).toMatchObject({
      text: 'remove "tool_7" from tools.deny',
    });
    expect(flipOf({ tools: { deny } }, core("exec"))).toMatchObject({
      text: 'add "exec" to tools.deny',
    });
  });

  it("opts in an optional tool, and admits one when everything is denied", () => {
    const tool = plugin("sync", "sync", { optional: true });
    expect(flipOf({}, tool)).toMatchObject({ key: "tools.alsoAllow", value: "sync" });
    expect(flipOf({ tools: { allow: ["*"] } }, tool)).toMatchObject({ key: "tools.allow" });
    expect(flipOf({ tools: { default: "deny" } }, core("exec"))).toMatchObject({
      key: "tools.alsoAllow",
    });
    expect(flipOf({ tools: { default: "deny", allow: [] } }, core("exec"))).toMatchObject({
      key: "tools.allow",
    });
    const { flip } = compilePolicy([], { default: "deny" }).explain(core("exec"), OWNER);
    expect(flip).toMatchObject({ key: "global.alsoAllow" });
  });
});

describe("flip of several steps", () => {
  const stepsOf = (layers: readonly PolicyLayer[], tool: PolicyTool, context = OWNER) => {
    const { flip } = compilePolicy(layers).explain(tool, context);
    return flip?.kind === "steps" ? flip.steps : flip;
  };

  it("[POL-028] lists up to three steps", () => {
    const source = { file: "a.yaml", key: "tools" };
    expect(
      stepsOf(
        [
          { layer: "global", deny: ["exec", "EXEC", "e*", "bash"], source },
          { layer: "agent", allow: ["read"] },
        ],
        core("exec"),
      ),
    ).toEqual([
      'remove "bash" from tools.deny (a.yaml)',
      'remove "exec" from tools.deny (a.yaml)',
      'remove "EXEC" from tools.deny (a.yaml)',
    ]);
    expect(
      stepsOf(
        [
          { layer: "profile", allow: ["read"] },
          { layer: "agent", allow: ["time"] },
        ],
        core("exec"),
      ),
    ).toEqual(['add "exec" to profile.allow', 'add "exec" to agent.allow']);
  });

  it("[POL-028] describes in words a denial that no list can change", () => {
    const guest = { ...OWNER, senderIsOwner: false };
    expect(stepsOf([], core("cron"), guest)).toEqual([
      "ask as an owner; only owners may use this tool",
    ]);
    expect(stepsOf([], core("exec"), { ...OWNER, runAllow: ["read"] })).toEqual([
      'name "exec" in runAllow of the run',
    ]);
    expect(stepsOf([], core("exec"), { ...EVERYWHERE, parentPolicy: [] })).toEqual([
      'admit "exec" for the parent agent, then spawn the subagent again',
    ]);
    expect(stepsOf([{ layer: "global", deny: ["cron"] }], core("cron"), guest)).toEqual([
      'remove "cron" from global.deny',
      "ask as an owner; only owners may use this tool",
    ]);
  });

  it("[POL-028] names a built-in rule that prevents the flip", () => {
    const limits = { tools: { subagents: { tools: { allow: ["cron"] } } } };
    const child = { ...OWNER, subagentDepth: 1 };
    expect(configured(limits).explain(core("cron"), child).flip).toEqual({
      kind: "steps",
      steps: [
        'write "cron" under tools.subagents.tools.alsoAllow, which overrides the built-in rule',
      ],
    });
    expect(configured({}).explain(core("exec"), { ...OWNER, profile: "none" }).flip).toEqual({
      kind: "steps",
      steps: ['write "exec" under tools.profiles.<name>.allow, which overrides the built-in rule'],
    });
    expect(stepsOf([{ layer: "agent", deny: ["exec"], builtIn: true }], core("exec"))).toEqual([
      'write "exec" under the agent layer, which overrides the built-in rule',
    ]);
  });

  it("is absent for a tool that no entry can name", () => {
    for (const name of ["", "group:fs", "plugin:a", "a*", "a\u0000b", "x".repeat(129)]) {
      expect(compilePolicy([]).explain(core(name), OWNER)).not.toHaveProperty("flip");
    }
  });
});
