import { describe, expect, it } from "vitest";
import { evaluateGroupPolicy, type GroupPolicy } from "../../src/index.js";
import { plugin } from "../support/decision-input.js";
import vectors from "../vectors/group-policy.json" with { type: "json" };

const family: GroupPolicy = {
  group: "family",
  channel: "telegram",
  allowed: [],
  denied: [],
  requireApproval: [],
  enabled: true,
};

function ask(policies: readonly GroupPolicy[], tool = "exec", channel = "telegram") {
  return evaluateGroupPolicy(policies, { group: "family", channel, tool });
}

describe("evaluateGroupPolicy", () => {
  it.each(vectors)("[SAFE-052] $id", ({ input, expected }) => {
    const policies = input.policies.map((policy) => ({
      group: policy.group_id,
      channel: policy.channel,
      allowed: policy.allowed_tools,
      denied: policy.denied_tools,
      requireApproval: policy.require_approval_tools,
      enabled: policy.enabled,
    }));
    expect(evaluateGroupPolicy(policies, input)).toBe(expected.permission);
  });

  it("[SAFE-052] a policy that is switched off says nothing", () => {
    expect(ask([{ ...family, denied: ["*"], enabled: false }])).toBe("Allowed");
  });

  it("[SAFE-052] only the exact channel and group apply", () => {
    const denying = { ...family, denied: ["*"] };
    expect(ask([denying])).toBe("Denied");
    expect(ask([denying], "exec", "slack")).toBe("Allowed");
    expect(ask([{ ...denying, group: "Family" }])).toBe("Allowed");
    expect(ask([{ ...denying, group: "family2" }])).toBe("Allowed");
  });

  it("[SAFE-052] asks denied, then requireApproval, then allowed", () => {
    const policy = {
      ...family,
      allowed: ["read"],
      denied: ["cron"],
      requireApproval: ["exec", "cron"],
    };
    expect(ask([policy], "cron")).toBe("Denied");
    expect(ask([policy], "exec")).toBe("RequiresApproval");
    expect(ask([policy], "write")).toBe("Denied");
    expect(ask([policy], "read_file")).toBe("Allowed");
  });

  it("takes the strictest of several policies for one group", () => {
    const mild = { ...family, requireApproval: ["exec"] };
    const strict = { ...family, denied: ["group:runtime"] };
    expect(ask([mild, family])).toBe("RequiresApproval");
    expect(ask([strict, mild])).toBe("Denied");
  });

  it("names tools of plugins by their plugin", () => {
    const policies = [{ ...family, denied: ["plugin:sky"] }];
    const question = { group: "family", channel: "Telegram" };
    expect(evaluateGroupPolicy(policies, { ...question, tool: plugin("a", "sky") })).toBe("Denied");
    expect(evaluateGroupPolicy(policies, { ...question, tool: plugin("a", "land") })).toBe(
      "Allowed",
    );
  });
});
