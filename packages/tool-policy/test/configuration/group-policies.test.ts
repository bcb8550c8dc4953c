import { describe, expect, it } from "vitest";
import type { PolicyContext } from "../../src/index.js";
import { configured, problemsOf } from "../support/compiled-policy.js";
import { core, OWNER, plugin } from "../support/decision-input.js";
import vectors from "../vectors/group-policy.json" with { type: "json" };

const family = { channel: "telegram", group: "family" };
const inFamily: PolicyContext = { ...OWNER, channel: "telegram", groupId: "family" };

function permission(groupPolicies: readonly object[], tool = "exec", context = inFamily) {
  const { allowed, approval } = configured({ tools: { groupPolicies } }).decide(
    core(tool),
    context,
  );
  if (!allowed) return "Denied";
  return approval === "always" ? "RequiresApproval" : "Allowed";
}

describe("tools.groupPolicies", () => {
  it.each(vectors)("[SAFE-052] $id", ({ input, expected }) => {
    const policies = input.policies.map((policy) => ({
      group: policy.group_id,
      channel: policy.channel,
      allow: policy.allowed_tools,
      deny: policy.denied_tools,
      requireApproval: policy.require_approval_tools,
      enabled: policy.enabled,
    }));
    const context = { ...OWNER, channel: input.channel, groupId: input.group };
    expect(permission(policies, input.tool, context)).toBe(expected.permission);
  });

  it("[SAFE-052] have no effect when switched off", () => {
    expect(permission([{ ...family, deny: ["*"], enabled: false }])).toBe("Allowed");
  });

  it("[SAFE-052] apply to exactly their channel and group", () => {
    const denying = { ...family, deny: ["*"] };
    expect(permission([denying])).toBe("Denied");
    expect(permission([denying], "exec", { ...inFamily, channel: "slack" })).toBe("Allowed");
    expect(permission([denying], "exec", { ...inFamily, channel: "Telegram" })).toBe("Denied");
    expect(permission([{ ...denying, group: "Family" }])).toBe("Allowed");
    expect(permission([{ ...denying, group: "family2" }])).toBe("Allowed");
    expect(permission([denying], "exec", OWNER)).toBe("Allowed");
    expect(problemsOf({ tools: { groupPolicies: [{ ...denying, group: "*" }] } })).toEqual([
      expect.stringContaining("tools.groupPolicies[0].group"),
    ]);
  });

  it("[SAFE-052] evaluate deny, then requireApproval, then allow", () => {
    const policy = {
      ...family,
      allow: ["read"],
      deny: ["cron"],
      requireApproval: ["exec", "cron"],
    };
    expect(permission([policy], "cron")).toBe("Denied");
    expect(permission([policy], "exec")).toBe("RequiresApproval");
    expect(permission([policy], "write")).toBe("Denied");
    expect(permission([policy], "read")).toBe("Allowed");
  });

  it("[SAFE-052] deny nothing by requireApproval without allow", () => {
    const policy = { ...family, requireApproval: ["exec"] };
    expect(permission([policy], "exec")).toBe("RequiresApproval");
    expect(permission([policy], "read")).toBe("Allowed");
  });

  it("[SAFE-052] apply the strictest of several entries and of the group's own rules", () => {
    const mild = { ...family, requireApproval: ["exec"] };
    const strict = { ...family, deny: ["group:runtime"] };
    expect(permission([mild, family])).toBe("RequiresApproval");
    for (const policies of [
      [strict, mild],
      [mild, strict],
    ]) {
      expect(permission(policies)).toBe("Denied");
    }
    const policy = configured({
      tools: { groupPolicies: [mild] },
      groups: { family: { tools: { deny: ["exec"] } } },
    });
    expect(policy.decide(core("exec"), inFamily).allowed).toBe(false);
  });

  it("[SAFE-052] are layer 5, and match tools of plugins by plugin", () => {
    const policy = configured({ tools: { groupPolicies: [{ ...family, deny: ["plugin:sky"] }] } });
    expect(policy.decide(plugin("a", "sky"), inFamily).decidedBy).toMatchObject({ layer: "group" });
    expect(policy.decide(plugin("a", "land"), inFamily).allowed).toBe(true);
    const { layers } = policy.explain(plugin("a", "sky"), inFamily);
    expect(JSON.stringify(layers)).toContain("tools.groupPolicies[0].deny");
  });
});
