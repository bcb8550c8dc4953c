import type { AclDecision, ChannelAccess } from "@openclaw/tool-policy";
import type { ChannelSettings } from "../channels/settings.js";
import type { InboundMessage } from "../messages/inbound.js";

/** Decision on the sender of a message. */
export type SenderDecision =
  | { readonly outcome: "accepted" }
  /** The message is dropped without an answer. */
  | { readonly outcome: "refused"; readonly reason: string }
  /** The sender is offered a code, with which the operator can admit them (HOST-022). */
  | { readonly outcome: "unpaired"; readonly reason: string };

/** Sender and place of a message. */
export type SentBy = Pick<
  InboundMessage,
  "channel" | "accountId" | "senderId" | "senderIsOwner" | "room" | "ofChannel"
>;

/** Dependencies of {@link SenderAccess}. */
export interface SenderAccessDependencies {
  /** The access lists `channels.<channel>.senders` (SAFE-053). */
  readonly lists: Pick<ChannelAccess, "decide">;
  /** Returns the settings of an account of a channel; undefined for a surface of the host. */
  settingsOf(channel: string, accountId: string): ChannelSettings | undefined;
  /** Returns true for a sender whom the operator admitted. */
  isPaired(channel: string, accountId: string, senderId: string): boolean;
}

const ACCEPTED: SenderDecision = { outcome: "accepted" };

/** Decides whose messages are accepted: by access lists, then for channels by their policies (CHAN-042). */
export class SenderAccess {
  readonly #dependencies: SenderAccessDependencies;

  /** @param dependencies - access lists, settings of channels and paired senders */
  constructor(dependencies: SenderAccessDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Decides on the sender of a message. The owner is always accepted, and an entry of the access list decides before
   * the policy of the channel.
   * @param message - sender and place of the message
   */
  decide(message: SentBy): SenderDecision {
    const { channel, senderId, senderIsOwner, accountId = "default", room, ofChannel } = message;
    const settings =
      ofChannel === undefined ? undefined : this.#dependencies.settingsOf(channel, accountId);
    if (settings !== undefined && room !== undefined) {
      const refusal = groupRefusal(channel, settings, ofChannel?.isMention === true);
      if (refusal !== undefined) return refusal;
    }
    if (senderIsOwner) return ACCEPTED;
    const listed = this.#dependencies.lists.decide(channel, senderId);
    if (!listed.allowed) {
      return refused(`channels.${channel}.senders does not accept this sender`);
    }
    if (ofChannel === undefined || isAdmittedBy(listed)) return ACCEPTED;
    // A message of an earlier process, of a channel that is no longer configured.
    if (settings === undefined) return refused(`channel "${channel}" is not configured`);
    const isKnown = this.#isKnown(message, settings);
    return room === undefined
      ? directDecision(channel, settings, isKnown)
      : groupDecision(channel, settings, isKnown, room.id);
  }

  /**
   * Returns true for an owner, and for a sender whom the operator admitted: by an entry of the access list, in the
   * configuration, or with a pairing code. The commands of plugins ask for such a sender.
   * @param message - sender and place of the message
   */
  isAdmitted(message: SentBy): boolean {
    const { channel, accountId = "default", senderId, senderIsOwner, ofChannel } = message;
    if (senderIsOwner) return true;
    if (isAdmittedBy(this.#dependencies.lists.decide(channel, senderId))) return true;
    if (ofChannel === undefined || this.decide(message).outcome !== "accepted") return false;
    const settings = this.#dependencies.settingsOf(channel, accountId);
    return settings !== undefined && this.#isKnown(message, settings);
  }

  #isKnown({ channel, accountId = "default", senderId }: SentBy, settings: ChannelSettings) {
    const { allowFrom, dmPolicy } = settings;
    if (allowFrom.includes(senderId) || allowFrom.includes("*")) return true;
    // With the policy allowlist only the configuration admits senders.
    if (dmPolicy === "allowlist") return false;
    return this.#dependencies.isPaired(channel, accountId, senderId);
  }
}

function directDecision(
  channel: string,
  { dmPolicy }: ChannelSettings,
  isKnown: boolean,
): SenderDecision {
  if (dmPolicy === "off") return refused(`channels.${channel}.dmPolicy is off`);
  if (dmPolicy === "open" || isKnown) return ACCEPTED;
  const reason = `channels.${channel}.dmPolicy is ${dmPolicy}, and this sender is not admitted`;
  return dmPolicy === "pairing" ? { outcome: "unpaired", reason } : refused(reason);
}

/** Members of a group that the operator did not name must be known, because anyone can add a bot to a group. */
function groupDecision(
  channel: string,
  { groups, dmPolicy }: ChannelSettings,
  isKnown: boolean,
  groupId: string,
): SenderDecision {
  const isNamed = groups.includes(groupId) || groups.includes("*");
  if (isNamed || isKnown || dmPolicy === "open") return ACCEPTED;
  return refused(
    `channels.${channel}.groups does not name the group, and this sender is not admitted`,
  );
}

function groupRefusal(
  channel: string,
  { groupPolicy }: ChannelSettings,
  isMention: boolean,
): SenderDecision | undefined {
  if (groupPolicy === "off") return refused(`channels.${channel}.groupPolicy is off`);
  if (groupPolicy === "mention" && !isMention) {
    return refused(`channels.${channel}.groupPolicy is mention, and the bot is not mentioned`);
  }
  return undefined;
}

/** The mode of a list admits everyone it does not block; only an entry is a decision about the sender. */
function isAdmittedBy(decision: AclDecision): boolean {
  return decision.allowed && decision.decidedBy === "allow";
}

function refused(reason: string): SenderDecision {
  return { outcome: "refused", reason };
}
