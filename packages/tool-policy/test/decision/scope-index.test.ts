import { describe, expect, it } from "vitest";
import { compilePolicy, type LayerScope, type PolicyContext } from "../../src/index.js";
import { core, EVERYWHERE, OWNER } from "../support/decision-input.js";

function applies(when: LayerScope, context: PolicyContext): boolean {
  const policy = compilePolicy([{ layer: "global", when, deny: ["exec"] }]);
  return !policy.decide(core("exec"), context).allowed;
}

describe("layer scope", () => {
  it("requires every field it names", () => {
    const when = { agentId: "main", provider: "anthropic" };
    expect(applies(when, { ...OWNER, provider: "anthropic" })).toBe(true);
    expect(applies(when, OWNER)).toBe(false);
    expect(applies(when, { ...OWNER, agentId: "other", provider: "anthropic" })).toBe(false);
    expect(applies({}, OWNER)).toBe(true);
  });

  it("ignores the case of names and compares ids of groups and senders exactly", () => {
    expect(applies({ agentId: " Main " }, { ...OWNER, agentId: "MAIN" })).toBe(true);
    expect(applies({ channel: "Slack" }, { ...OWNER, channel: "slack" })).toBe(true);
    expect(applies({ senderName: "ann" }, { ...OWNER, senderName: "Ann" })).toBe(true);
    expect(applies({ profile: "Coding" }, { ...OWNER, profile: "coding" })).toBe(true);
    expect(applies({ groupId: "C1" }, { ...OWNER, groupId: "c1" })).toBe(false);
    expect(applies({ senderId: "U1" }, { ...OWNER, senderId: "u1" })).toBe(false);
    expect(applies({ senderId: "U1" }, { ...OWNER, senderId: "U1" })).toBe(true);
  });

  it("matches any value that is set with *", () => {
    expect(applies({ groupId: "*" }, { ...OWNER, groupId: "C1" })).toBe(true);
    expect(applies({ groupId: "*" }, OWNER)).toBe(false);
  });

  it("matches a model with and without its provider", () => {
    const context = { ...OWNER, provider: "openai", model: "gpt-5" };
    const full = { ...context, model: "OpenAI/gpt-5" };
    for (const model of ["gpt-5", "openai/GPT-5"]) {
      expect(applies({ provider: "openai", model }, context)).toBe(true);
      expect(applies({ provider: "openai", model }, full)).toBe(true);
    }
    expect(applies({ provider: "openai", model: "gpt-5-mini" }, context)).toBe(false);
  });

  it("can start at a depth of subagents", () => {
    expect(applies({ minimumSubagentDepth: 2 }, { ...OWNER, subagentDepth: 1 })).toBe(false);
    expect(applies({ minimumSubagentDepth: 2 }, { ...OWNER, subagentDepth: 3 })).toBe(true);
  });
});

describe("layer slot", () => {
  it("holds only the narrowest layers that apply", () => {
    const policy = compilePolicy([
      { layer: "provider", slot: "p", deny: ["exec"] },
      { layer: "provider", slot: "p", when: { provider: "anthropic" }, deny: ["read"] },
      {
        layer: "provider",
        slot: "p",
        when: { provider: "anthropic", model: "big" },
        deny: ["cron"],
      },
      { layer: "provider", slot: "q", deny: ["write"] },
    ]);
    const deniedIn = (context: PolicyContext) =>
      ["exec", "read", "cron", "write"].filter(
        (name) => !policy.decide(core(name), context).allowed,
      );
    expect(deniedIn(OWNER)).toEqual(["exec", "write"]);
    expect(deniedIn({ ...OWNER, provider: "anthropic" })).toEqual(["read", "write"]);
    expect(deniedIn({ ...OWNER, provider: "anthropic", model: "big" })).toEqual(["cron", "write"]);
  });

  it("holds both of two equally narrow layers", () => {
    const policy = compilePolicy([
      { layer: "agent", slot: "a", when: { agentId: "Main" }, deny: ["exec"] },
      { layer: "agent", slot: "a", when: { agentId: "main" }, deny: ["read"] },
    ]);
    expect(policy.decide(core("exec"), OWNER).allowed).toBe(false);
    expect(policy.decide(core("read"), OWNER).allowed).toBe(false);
  });

  it("leaves nested layers to their parent layer", () => {
    const within = [
      { layer: "group" as const, slot: "s", when: { senderId: "1" }, deny: ["exec"] },
    ];
    const policy = compilePolicy([
      { layer: "group", slot: "g", when: { groupId: "*" }, within },
      { layer: "group", slot: "g", when: { groupId: "mine" } },
    ]);
    const context = { ...EVERYWHERE, senderId: "1" };
    expect(policy.decide(core("exec"), context).allowed).toBe(false);
    expect(policy.decide(core("exec"), { ...context, senderId: "2" }).allowed).toBe(true);
    expect(policy.decide(core("exec"), { ...context, groupId: "mine" }).allowed).toBe(true);
  });
});
