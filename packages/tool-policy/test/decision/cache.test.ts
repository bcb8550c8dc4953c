import { describe, expect, it } from "vitest";
import { compilePolicy, type PolicyContext, type PolicyTool } from "../../src/index.js";
import { core, OWNER, plugin } from "../support/decision-input.js";

const exec = core("exec");

describe("decision cache", { timeout: 30_000 }, () => {
  it("[POL-043] returns the cached decision for an equal tool and context", () => {
    const policy = compilePolicy([{ layer: "global", deny: ["exec"] }]);
    const first = policy.decide(exec, OWNER);
    expect(policy.decide({ ...exec, aliases: [] }, { ...OWNER })).toBe(first);
    expect(policy.decide(core("read"), OWNER)).not.toBe(first);
    expect(policy.decide(exec, OWNER)).toBe(first);
  });

  it("[POL-043] is cleared by a reload", () => {
    let policy = compilePolicy([{ layer: "global", deny: ["exec"] }]);
    const before = policy.hash;
    expect(policy.decide(exec, OWNER).allowed).toBe(false);
    policy = compilePolicy([{ layer: "global", deny: ["read"] }]);
    expect(policy.hash).not.toBe(before);
    expect(policy.decide(exec, OWNER).allowed).toBe(true);
    expect(policy.decide(core("read"), OWNER).allowed).toBe(false);
  });

  it("[POL-043] is bounded: the oldest context is dropped and evaluated again", () => {
    const policy = compilePolicy([{ layer: "global", deny: ["exec"] }]);
    const first = policy.decide(exec, { ...OWNER, senderId: "0" });
    const latest = { ...OWNER, senderId: "4096" };
    for (let sender = 1; sender <= 4_095; sender += 1) {
      policy.decide(exec, { ...OWNER, senderId: String(sender) });
    }
    expect(policy.decide(exec, { ...OWNER, senderId: "0" })).toBe(first);
    const kept = policy.decide(exec, latest);
    expect(policy.decide(exec, { ...OWNER, senderId: "0" })).not.toBe(first);
    expect(policy.decide(exec, { ...OWNER, senderId: "0" })).toEqual(first);
    expect(policy.decide(exec, latest)).toBe(kept);
  });

  it("[POL-043] is bounded within one context as well", () => {
    const policy = compilePolicy([{ layer: "global", deny: ["tool_0"] }]);
    const first = policy.decide(core("tool_0"), OWNER);
    for (let tool = 1; tool < 4_096; tool += 1) policy.decide(core(`tool_${tool}`), OWNER);
    expect(policy.decide(core("tool_0"), OWNER)).toBe(first);
    policy.decide(core("tool_4096"), OWNER);
    expect(policy.decide(core("tool_0"), OWNER)).not.toBe(first);
    expect(policy.decide(core("tool_0"), OWNER)).toEqual(first);
  });

  it("notices a tool or context that is changed in place", () => {
    const policy = compilePolicy([
      { layer: "global", deny: ["plugin:sky", "forecast"], allow: ["*"] },
      { layer: "agent", when: { agentId: "careful" }, deny: ["*"] },
    ]);
    const tool: { -readonly [Key in keyof PolicyTool]: PolicyTool[Key] } = plugin("a", "land");
    const aliases: string[] = [];
    const runAllow: string[] = ["*"];
    const context: { -readonly [Key in keyof PolicyContext]: PolicyContext[Key] } = {
      ...OWNER,
      runAllow,
    };
    const allowed = () => policy.decide(tool, context).allowed;
    expect(allowed()).toBe(true);
    tool.pluginId = "sky";
    expect(allowed()).toBe(false);
    tool.pluginId = "land";
    tool.aliases = aliases;
    expect(allowed()).toBe(true);
    aliases.push("forecast");
    expect(allowed()).toBe(false);
    aliases.pop();
    expect(allowed()).toBe(true);
    runAllow[0] = "b";
    expect(allowed()).toBe(false);
    runAllow.push("a");
    expect(allowed()).toBe(true);
    context.agentId = "careful";
    expect(allowed()).toBe(false);
  });

  it("[POL-043] separates tools that differ in a single field", () => {
    const policy = compilePolicy([{ layer: "global", allow: ["*"] }]);
    const guest: PolicyContext = { ...OWNER, senderIsOwner: false };
    const tool = plugin("forecast", "sky");
    const others: PolicyTool[] = [
      { ...tool, ownerOnly: true },
      { ...tool, optional: true },
      { ...tool, pluginId: "land" },
      { ...tool, aliases: ["weather"] },
      { ...tool, origin: "mcp" },
    ];
    for (const other of others) {
      const decision = policy.decide(tool, guest);
      expect(decision.allowed).toBe(true);
      expect(policy.decide(other, guest)).not.toBe(decision);
    }
    expect(policy.decide({ ...tool, ownerOnly: true }, guest).allowed).toBe(false);
    expect(policy.decide({ ...tool, optional: true }, guest).allowed).toBe(false);
  });

  it("separates every field of tool and context", () => {
    const policy = compilePolicy([{ layer: "global", allow: ["*"] }]);
    const tools: PolicyTool[] = [
      exec,
      plugin("exec", "sky"),
      plugin("exec", "sky", { optional: true }),
      plugin("exec", "sky", { ownerOnly: true }),
      plugin("exec", "sky", { aliases: ["a"] }),
      plugin("exec", "sky", { aliases: ["b"] }),
      { ...exec, origin: "mcp" },
    ];
    const contexts: PolicyContext[] = [
      OWNER,
      { ...OWNER, agentId: "other" },
      { ...OWNER, provider: "p" },
      { ...OWNER, model: "p" },
      { ...OWNER, profile: "p" },
      { ...OWNER, channel: "p" },
      { ...OWNER, groupId: "p" },
      { ...OWNER, senderId: "p" },
      { ...OWNER, senderName: "p" },
      { ...OWNER, senderIsOwner: false },
      { ...OWNER, sandboxed: true },
      { ...OWNER, subagentDepth: 1 },
      { ...OWNER, parentPolicy: ["exec"] },
      { ...OWNER, runAllow: ["exec"] },
      { ...OWNER, runAllow: ["exec", "*"] },
      { ...OWNER, toolsAllow: ["exec"] },
      { ...OWNER, provider: "p1:m", model: "m" },
      { ...OWNER, provider: "p", model: "1:m1:m" },
    ];
    const inContexts = contexts.map((context) => policy.decide(exec, context));
    expect(new Set(inContexts).size).toBe(contexts.length);
    expect(contexts.map((context) => policy.decide(exec, context))).toEqual(inContexts);
    for (const [index, context] of contexts.entries()) {
      const base = policy.decide(exec, OWNER);
      expect(policy.decide(exec, context) === base).toBe(index === 0);
    }
    const aboutTools = tools.map((tool) => policy.decide(tool, OWNER));
    expect(new Set(aboutTools).size).toBe(tools.length);
  });
});
