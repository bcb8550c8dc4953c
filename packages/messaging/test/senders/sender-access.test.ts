import { ChannelAccess, type ToolPolicyConfig } from "@openclaw/tool-policy";
import { describe, expect, it } from "vitest";
import { channelSettings } from "../../src/channels/settings.js";
import { SenderAccess, type SentBy } from "../../src/senders/sender-access.js";

const ALICE: SentBy = {
  channel: "telegram",
  senderId: "alice",
  senderIsOwner: false,
  ofChannel: { isMention: false },
};
const IN_GROUP: SentBy = {
  ...ALICE,
  room: { kind: "group", id: "team" },
  ofChannel: { isMention: true },
};

interface Admission {
  readonly paired?: readonly string[];
  readonly senders?: object;
}

function accessOf(section: Record<string, unknown>, { paired = [], senders }: Admission = {}) {
  const channels = { telegram: { senders } } as NonNullable<ToolPolicyConfig["channels"]>;
  return new SenderAccess({
    lists: new ChannelAccess(senders === undefined ? {} : { channels }),
    settingsOf: (channel) => (channel === "telegram" ? channelSettings(section) : undefined),
    isPaired: (_channel, _account, senderId) => paired.includes(senderId),
  });
}

function outcome(section: Record<string, unknown>, message: SentBy, admission?: Admission) {
  return accessOf(section, admission).decide(message).outcome;
}

describe("SenderAccess", () => {
  it("[CHAN-042] accepts direct messages by the policy of the channel, pairing by default", () => {
    expect(outcome({}, ALICE)).toBe("unpaired");
    expect(outcome({}, ALICE, { paired: ["alice"] })).toBe("accepted");
    expect(outcome({ allowFrom: ["alice"] }, ALICE)).toBe("accepted");
    expect(outcome({ dmPolicy: "allowlist" }, ALICE)).toBe("refused");
    expect(outcome({ dmPolicy: "allowlist" }, ALICE, { paired: ["alice"] })).toBe("refused");
    expect(outcome({ dmPolicy: "allowlist", allowFrom: ["alice"] }, ALICE)).toBe("accepted");
    expect(outcome({ dmPolicy: "open" }, ALICE)).toBe("accepted");
    expect(outcome({ dmPolicy: "off" }, ALICE, { paired: ["alice"] })).toBe("refused");
    expect(outcome({ dmPolicy: "everyone" }, ALICE)).toBe("refused");
  });

  it("[CHAN-043] accepts messages in groups by the policy of the channel, mention by default", () => {
    const team = { groups: { team: {} } };
    const unaddressed = { ...IN_GROUP, ofChannel: { isMention: false } };
    expect(outcome(team, IN_GROUP)).toBe("accepted");
    expect(outcome(team, unaddressed)).toBe("refused");
    expect(outcome({ ...team, groupPolicy: "all" }, unaddressed)).toBe("accepted");
    expect(outcome({ ...team, groupPolicy: "off" }, IN_GROUP)).toBe("refused");
    expect(outcome({ ...team, groupPolicy: "off" }, { ...IN_GROUP, senderIsOwner: true })).toBe(
      "refused",
    );
  });

  it("[CHAN-043] obeys only known senders in a group that the configuration does not name, and offers no code there", () => {
    expect(outcome({}, IN_GROUP)).toBe("refused");
    expect(outcome({}, IN_GROUP, { paired: ["alice"] })).toBe("accepted");
    expect(outcome({}, { ...IN_GROUP, senderIsOwner: true })).toBe("accepted");
    expect(outcome({ groups: { "*": {} } }, IN_GROUP)).toBe("accepted");
  });

  it("[SAFE-053] decides by an entry of the access list before the policy of the channel", () => {
    const allow = [{ kind: "exact", value: "alice" }];
    expect(outcome({}, ALICE, { senders: { mode: "allowlist", allow } })).toBe("accepted");
    expect(outcome({}, ALICE, { senders: { mode: "allowlist" } })).toBe("refused");
    const blocked = { mode: "blocklist", block: allow };
    expect(outcome({ dmPolicy: "open" }, ALICE, { senders: blocked })).toBe("refused");
    expect(outcome({}, { ...ALICE, senderIsOwner: true }, { senders: blocked })).toBe("accepted");
  });

  it("[PLUG-033] counts paired, listed and owning senders as admitted, and not everyone on an open channel", () => {
    const admitted = (section: Record<string, unknown>, message: SentBy, paired: string[] = []) =>
      accessOf(section, { paired }).isAdmitted(message);
    expect(admitted({}, ALICE)).toBe(false);
    expect(admitted({}, ALICE, ["alice"])).toBe(true);
    expect(admitted({ dmPolicy: "open" }, ALICE)).toBe(false);
    expect(admitted({ dmPolicy: "open", allowFrom: ["alice"] }, ALICE)).toBe(true);
    expect(admitted({ dmPolicy: "off" }, ALICE, ["alice"])).toBe(false);
    expect(admitted({}, { ...ALICE, senderIsOwner: true })).toBe(true);
  });

  it("accepts surfaces of the host without a policy, and not a channel that is no longer configured", () => {
    const { ofChannel: _, ...typed } = ALICE;
    expect(outcome({}, { ...typed, channel: "api" })).toBe("accepted");
    expect(outcome({}, { ...ALICE, channel: "slack" })).toBe("refused");
  });
});
