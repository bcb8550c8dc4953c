import { describe, expect, it } from "vitest";
import {
  channelIngressRoutes,
  createChannelIngressResolver,
  defineStableChannelIngressIdentity,
  type IngressMessage,
} from "../../../src/sdk/access/channel-ingress-runtime.js";
import { createChannelPairingController } from "../../../src/sdk/access/channel-pairing.js";

const resolver = createChannelIngressResolver({
  channelId: "lines",
  accountId: "default",
  identity: defineStableChannelIngressIdentity({
    normalize: (value) => value.toLowerCase(),
    aliases: [{ key: "name", dangerous: true }],
  }),
  readStoreAllowFrom: () => ["paired"],
});

const DIRECT: IngressMessage = {
  subject: { stableId: "ANN", aliases: { name: "Annie" } },
  conversation: { kind: "direct" },
};
const GROUP: IngressMessage = { ...DIRECT, conversation: { kind: "group", id: "ops" } };

/** Returns the admission of a message and its reason. */
async function decide(message: IngressMessage): Promise<string> {
  const { ingress } = await resolver.message(message);
  return `${ingress.admission} ${ingress.reasonCode}`;
}

describe("the access decision of older channel plugins", () => {
  it.each<[Partial<IngressMessage>, string]>([
    [{}, "pairing-required dm_policy_pairing_required"],
    [{ event: { mayPair: false } }, "drop event_pairing_not_allowed"],
    [{ subject: { stableId: "paired" } }, "dispatch activation_allowed"],
    [{ allowFrom: ["ann"] }, "dispatch activation_allowed"],
    [{ dmPolicy: "allowlist", allowFrom: ["bob"] }, "drop dm_policy_not_allowlisted"],
    [{ dmPolicy: "allowlist", subject: { stableId: "paired" } }, "drop dm_policy_not_allowlisted"],
    [{ dmPolicy: "disabled", allowFrom: ["ann"] }, "drop dm_policy_disabled"],
    [{ dmPolicy: "open" }, "dispatch activation_allowed"],
    [{ dmPolicy: "open", allowFrom: ["bob"] }, "drop dm_policy_not_allowlisted"],
    // A name counts only where the operator allows it.
    [{ allowFrom: ["Annie"] }, "pairing-required dm_policy_pairing_required"],
  ])("[PLUG-151] of a direct message with %j is %s", async (rules, expected) => {
    expect(await decide({ ...DIRECT, ...rules })).toBe(expected);
  });

  it.each<[Partial<IngressMessage>, string]>([
    [{}, "drop group_policy_empty_allowlist"],
    [{ groupAllowFrom: ["bob"] }, "drop group_policy_not_allowlisted"],
    [{ groupAllowFrom: ["ann"] }, "dispatch activation_allowed"],
    [{ groupPolicy: "open" }, "dispatch activation_allowed"],
    [{ groupPolicy: "disabled", groupAllowFrom: ["*"] }, "drop group_policy_disabled"],
    [{ groupPolicy: "open", route: { id: "room", allowed: false } }, "drop route_blocked"],
    [
      {
        groupPolicy: "open",
        route: { id: "room", senderPolicy: "replace", senderAllowFrom: ["bob"] },
      },
      "drop group_policy_not_allowlisted",
    ],
    [
      {
        groupPolicy: "open",
        mentionFacts: { canDetectMention: true, wasMentioned: false },
        policy: { activation: { requireMention: true } },
      },
      "skip activation_skipped",
    ],
    [
      {
        groupPolicy: "open",
        command: { allowTextCommands: true, hasControlCommand: true, useAccessGroups: true },
      },
      "drop control_command_unauthorized",
    ],
  ])("[PLUG-151] of a message in a group with %j is %s", async (rules, expected) => {
    expect(await decide({ ...GROUP, ...rules })).toBe(expected);
  });

  it("leaves out rules that do not apply", () => {
    expect(channelIngressRoutes(false, null, { id: "room" }, undefined)).toEqual([{ id: "room" }]);
  });

  it("[PLUG-151] sends a code to a sender once", async () => {
    const sent: string[] = [];
    let created = true;
    const pairing = {
      readAllowFromStore: async () => [],
      upsertPairingRequest: async () => ({ code: "ABCD", created }),
      buildPairingReply: ({ code, idLine }: { code: string; idLine: string }) =>
        `${code} ${idLine}`,
    };
    const controller = createChannelPairingController({
      core: { channel: { pairing } } as never,
      channel: "lines",
      accountId: "default",
    });
    const challenge = {
      senderId: "bob",
      senderIdLine: "You are bob.",
      sendPairingReply: (text: string) => sent.push(text),
    };
    expect(await controller.issueChallenge(challenge)).toEqual({ created: true, code: "ABCD" });
    created = false;
    expect(await controller.issueChallenge(challenge)).toEqual({ created: false });
    expect(sent).toEqual(["ABCD You are bob."]);
  });
});
