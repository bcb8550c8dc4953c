import { describe, expect, it } from "vitest";
import type { PolicyContext } from "../../src/index.js";
import { configured, problemsOf } from "../support/compiled-policy.js";
import { core, OWNER } from "../support/decision-input.js";

const inGroup: PolicyContext = { ...OWNER, channel: "telegram", groupId: "-100" };

function admitted(config: unknown, context = inGroup): readonly string[] {
  const policy = configured(config);
  return ["exec", "read", "write", "time"].filter(
    (name) => policy.decide(core(name), context).allowed,
  );
}

describe("rules of a group", () => {
  it("[POL-012] [SAFE-052] are layer 5, by channel and group or by group alone", () => {
    for (const config of [
      { channels: { Telegram: { groups: { "-100": { tools: { deny: ["exec"] } } } } } },
      { groups: { "-100": { tools: { deny: ["exec"] } } } },
    ]) {
      expect(admitted(config)).toEqual(["read", "write", "time"]);
      expect(configured(config).decide(core("exec"), inGroup).decidedBy).toMatchObject({
        layer: "group",
      });
      expect(admitted(config, { ...inGroup, groupId: "-101" })).toHaveLength(4);
    }
  });

  it("[POL-012] have no effect outside groups", () => {
    const config = { groups: { "*": { tools: { deny: ["*"] } } } };
    expect(admitted(config, OWNER)).toHaveLength(4);
    expect(configured(config).explain(core("exec"), OWNER).layers[4]).toMatchObject({
      verdict: "silent",
      note: "not in a group",
    });
  });

  it("[POL-012] fall back to * only without an entry for the group", () => {
    const config = {
      groups: {
        "*": { tools: { deny: ["exec"] } },
        "-100": { tools: { deny: ["read"] } },
        "-102": { requireMention: true },
      },
      channels: {
        telegram: {
          groups: { "*": { tools: { deny: ["write"] } }, "-101": { tools: { deny: ["time"] } } },
        },
      },
    };
    const deniedIn = (groupId: string, channel = "telegram") => {
      const allowed = admitted(config, { ...inGroup, groupId, channel });
      return ["exec", "read", "write", "time"].filter((name) => !allowed.includes(name));
    };
    expect(deniedIn("-100")).toEqual(["read"]);
    expect(deniedIn("-101")).toEqual(["time"]);
    expect(deniedIn("-102")).toEqual(["write"]);
    expect(deniedIn("-103")).toEqual(["write"]);
    expect(deniedIn("-103", "slack")).toEqual(["exec"]);
  });

  it("[SAFE-052] have no effect and do not fall back when switched off", () => {
    const config = {
      groups: {
        "*": { tools: { deny: ["*"] } },
        "-100": {
          tools: { enabled: false, deny: ["exec"], toolsBySender: { "*": { deny: ["read"] } } },
        },
        "-101": { tools: { enabled: true, deny: ["exec"] } },
      },
    };
    expect(admitted(config)).toHaveLength(4);
    expect(admitted(config, { ...inGroup, groupId: "-101" })).toHaveLength(3);
  });

  it("[POL-012] add the rules of the narrowest matching sender to the group's", () => {
    const config = {
      groups: {
        "-100": {
          tools: {
            allow: ["exec", "read", "write"],
            toolsBySender: {
              "id:7": { allow: ["read", "time"] },
              "NAME: Ann": { deny: ["read"] },
              "*": { deny: ["exec"] },
            },
          },
        },
      },
    };
    const by = (sender: Partial<PolicyContext>) => admitted(config, { ...inGroup, ...sender });
    expect(by({ senderId: "7", senderName: "Ann" })).toEqual(["read"]);
    expect(by({ senderId: "8", senderName: "ann" })).toEqual(["exec", "write"]);
    expect(by({ senderId: "8", senderName: "Bob" })).toEqual(["read", "write"]);
    expect(by({})).toEqual(["read", "write"]);
  });

  it("[POL-012] [SAFE-052] may require approval, also for a sender", () => {
    const policy = configured({
      groups: {
        "-100": {
          tools: {
            requireApproval: ["exec"],
            toolsBySender: { "id:7": { requireApproval: ["read"] } },
          },
        },
      },
    });
    expect(policy.decide(core("exec"), inGroup).approval).toBe("always");
    expect(policy.decide(core("read"), inGroup).approval).toBeUndefined();
    expect(policy.decide(core("read"), { ...inGroup, senderId: "7" }).approval).toBe("always");
  });

  it("[POL-037] are validated", () => {
    expect(
      problemsOf({
        groups: {
          a: { tools: { alsoAllow: [], enabled: "no" } },
          c: { tools: { toolsBySender: { "*": { allowed: [] } } } },
        },
      }),
    ).toEqual([
      'POLICY_UNKNOWN_KEY groups.a.tools.alsoAllow: unknown key "alsoAllow"',
      'POLICY_BAD_VALUE groups.a.tools.enabled: expected true or false, got string "no"',
      'POLICY_UNKNOWN_KEY groups.c.tools.toolsBySender["*"].allowed: unknown key "allowed"',
    ]);
    expect(
      problemsOf({
        groups: {
          a: { tools: { toolsBySender: { ann: {}, "id: ": {} } } },
          b: { toolsBySender: {} },
        },
      }),
    ).toEqual([
      'POLICY_UNKNOWN_KEY groups.a.tools.toolsBySender.ann: "ann" names no sender',
      'POLICY_UNKNOWN_KEY groups.a.tools.toolsBySender["id: "]: "id: " names no sender',
      'POLICY_UNKNOWN_KEY groups.b.toolsBySender: "toolsBySender" must be inside "tools"',
    ]);
  });
});
