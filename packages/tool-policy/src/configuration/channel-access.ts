import { type AccessControlList, type AclDecision, evaluateAcl } from "../decision/acl.js";
import { normalizeName } from "../matching/tool-name.js";
import { CHANNEL_SCHEMA, type ToolPolicyConfig } from "./schema.js";
import { fits } from "./shape.js";

const EVERYONE: AccessControlList = { mode: "allowall", allow: [], block: [] };
const NO_ONE: AccessControlList = { mode: "allowlist", allow: [], block: [] };

/** The access lists of channels, `channels.<channel>.senders` (SAFE-053). */
export class ChannelAccess {
  readonly #lists = new Map<string, AccessControlList>();

  /** @param config - the configuration; the list of a channel that does not fit its schema admits no one */
  constructor({ channels = {} }: Pick<ToolPolicyConfig, "channels">) {
    for (const [channel, settings] of Object.entries(channels)) {
      const list = fits(settings, CHANNEL_SCHEMA) ? accessList(settings.senders) : NO_ONE;
      this.#lists.set(normalizeName(channel), list);
    }
  }

  /**
   * Decides whether a channel accepts the messages of a sender.
   * @param channel - name of the channel, in any case
   */
  decide(channel: string, senderId: string): AclDecision {
    return evaluateAcl(this.#lists.get(normalizeName(channel)) ?? EVERYONE, senderId);
  }
}

function accessList(senders: Partial<AccessControlList> | undefined): AccessControlList {
  return senders === undefined ? EVERYONE : { ...NO_ONE, ...senders };
}
