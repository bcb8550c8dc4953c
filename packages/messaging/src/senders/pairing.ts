import type { Logger } from "@openclaw/plugin-sdk";
import { ChannelError, type ChannelPairingAccess } from "@openclaw/plugin-sdk/channel-core";
import type {
  AdmittedSender,
  ChannelSender,
  PairingOffer,
  PairingRequest,
  Store,
} from "@openclaw/store";
import { PairedSenderNotFoundError, PairingCodeError, PairingLockedError } from "../errors.js";
import type { InboundMessage } from "../messages/inbound.js";
import { PAIRING, pairingCode } from "./pairing-code.js";

/** Dependencies of {@link ChannelPairing}. */
export interface ChannelPairingDependencies {
  readonly store: Pick<Store, "channelSenders">;
  readonly logger: Logger;
}

/** Senders of channels whom the operator admits with codes (HOST-021, HOST-022). */
export class ChannelPairing {
  readonly #dependencies: ChannelPairingDependencies;
  /** Kept in memory, because each message is checked against them. */
  readonly #admitted = new Map<string, ChannelSender>();

  /** @param dependencies - stored senders, and log */
  constructor(dependencies: ChannelPairingDependencies) {
    this.#dependencies = dependencies;
  }

  /** Reads the admitted senders; must be called before the first message is processed. */
  async load(): Promise<void> {
    for (const sender of await this.#dependencies.store.channelSenders.admitted()) {
      this.#admitted.set(keyOf(sender.channel, sender.accountId, sender.senderId), sender);
    }
  }

  /** Returns true for a sender whom the operator admitted. */
  isPaired(channel: string, accountId: string, senderId: string): boolean {
    return this.#admitted.has(keyOf(channel, accountId, senderId));
  }

  /**
   * Returns the senders of an account whom the operator admitted.
   * @param accountId - its account; every account when absent
   */
  pairedSenders(channel: string, accountId?: string): readonly string[] {
    return [...this.#admitted.values()]
      .filter((sender) => sender.channel === channel)
      .filter((sender) => accountId === undefined || sender.accountId === accountId)
      .map(({ senderId }) => senderId);
  }

  /**
   * Stores the request of an unknown sender to be admitted, unless the sender has one or too many others wait.
   * @param sender - the sender, with the name on the channel
   */
  async request(
    sender: ChannelSender & { readonly userName?: string | undefined },
  ): Promise<PairingOffer> {
    const { store, logger } = this.#dependencies;
    const { channel, senderId, userName } = sender;
    const asked = { ...sender, userName };
    const offer = await store.channelSenders.request(asked, pairingCode(), PAIRING);
    if (offer.outcome === "full") {
      const { maxPendingPerChannel } = PAIRING;
      logger.warn(
        `a sender on ${channel} got no pairing code: ${maxPendingPerChannel} others wait`,
        { code: "PAIRING_FULL", senderId },
      );
    }
    if (offer.outcome === "created") {
      logger.info(`a sender on ${channel} asks to be admitted: openclaw pairing list`, {
        senderId,
      });
    }
    return offer;
  }

  /** Returns the senders of an account for its channel. */
  access(channel: string, accountId: string): ChannelPairingAccess {
    return {
      request: async (senderId, userName) => {
        const offer = await this.request({ channel, accountId, senderId, userName });
        if (offer.outcome === "full") {
          const problem = "too many senders wait for their pairing; admit or revoke some of them";
          throw new ChannelError(channel, problem, { retryable: true });
        }
        return { code: offer.request.code, created: offer.outcome === "created" };
      },
      isPaired: (senderId) => this.isPaired(channel, accountId, senderId),
      senders: () => this.pairedSenders(channel, accountId),
    };
  }

  /**
   * Offers a code to an unknown sender. A sender gets it once, and no other answer, so that strangers learn nothing
   * and two bots do not answer each other.
   * @param message - message of the sender
   * @returns text for the sender; undefined when the sender has a code, or too many others wait
   */
  async offer({
    channel,
    accountId = "default",
    senderId,
    userName,
  }: InboundMessage): Promise<string | undefined> {
    const offer = await this.request({ channel, accountId, senderId, userName });
    return offer.outcome === "created" ? pairingText(channel, offer.request.code) : undefined;
  }

  /** Returns the requests that wait, and the admitted senders. */
  async list(): Promise<{
    readonly pending: readonly PairingRequest[];
    readonly admitted: readonly AdmittedSender[];
  }> {
    const { channelSenders } = this.#dependencies.store;
    return {
      pending: await channelSenders.pending(),
      admitted: await channelSenders.admitted(),
    };
  }

  /**
   * Admits the sender of a request.
   * @param channel - channel of the request
   * @param code - its code, in any letter case
   * @param by - operator
   * @throws PairingCodeError when no request has the code
   * @throws PairingLockedError after too many wrong codes
   */
  async approve(channel: string, code: string, by: string): Promise<AdmittedSender> {
    const { store } = this.#dependencies;
    const written = code.trim().toUpperCase();
    const approval = await store.channelSenders.approve(channel, written, by, PAIRING);
    switch (approval.outcome) {
      case "locked":
        throw new PairingLockedError(channel, approval.retryAfterMs);
      case "unknown":
        throw new PairingCodeError(channel, approval.attemptsLeft);
      case "approved": {
        const { sender } = approval;
        this.#admitted.set(keyOf(sender.channel, sender.accountId, sender.senderId), sender);
        return sender;
      }
    }
  }

  /**
   * Removes an admitted sender, or the request of one.
   * @param accountId - account; every account when absent
   * @returns the accounts from which it was removed
   * @throws PairedSenderNotFoundError
   */
  async revoke(channel: string, senderId: string, accountId?: string): Promise<readonly string[]> {
    const { channelSenders } = this.#dependencies.store;
    const accounts = await channelSenders.remove(channel, senderId, accountId);
    for (const each of accounts) this.#admitted.delete(keyOf(channel, each, senderId));
    if (accounts.length === 0) throw new PairedSenderNotFoundError(channel, senderId);
    return accounts;
  }
}

/**
 * Returns the message for a sender who asks to be admitted.
 * @param code - code of the request
 */
export function pairingText(channel: string, code: string): string {
  return [
    `This assistant does not know you yet. Your pairing code is ${code}.`,
    `Ask its operator to run: openclaw pairing approve ${channel} ${code}`,
    `The code is valid for ${PAIRING.pendingMs / 60_000} minutes.`,
  ].join("\n");
}

function keyOf(channel: string, accountId: string, senderId: string): string {
  return JSON.stringify([channel, accountId, senderId]);
}
