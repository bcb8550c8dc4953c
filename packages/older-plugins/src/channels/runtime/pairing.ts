import { isSection, pairingText } from "@openclaw/messaging";
import type { PairingOffer } from "@openclaw/store";

/** Senders whom the operator admits, as older plugins ask for them. */
export interface OlderPairing {
  /**
   * Returns the senders whom the operator admitted.
   * @param accountId - its account; every account when absent
   */
  read(channel: string, accountId?: string): readonly string[];
  /** Stores the request of a sender. */
  request(sender: {
    readonly channel: string;
    readonly accountId: string;
    readonly senderId: string;
    readonly userName: string | undefined;
  }): Promise<PairingOffer>;
}

/**
 * Creates `runtime.channel.pairing`. A sender gets one code, as with every channel.
 * @param pairing - senders of the host
 */
export function createPairingGroup(pairing: OlderPairing) {
  return {
    /** Takes the channel and account as an object, or the channel alone. */
    async readAllowFromStore(
      place: string | { readonly channel: string; readonly accountId?: string },
      _environment?: unknown,
      account?: string,
    ): Promise<readonly string[]> {
      const { channel, accountId = account } =
        typeof place === "string" ? { channel: place } : place;
      return pairing.read(channel, accountId);
    },
    async upsertPairingRequest(request: {
      readonly channel: string;
      readonly id: string | number;
      readonly accountId?: string;
      readonly meta?: unknown;
    }): Promise<{ readonly code: string; readonly created: boolean }> {
      const { channel, id, accountId = "default", meta } = request;
      const name = isSection(meta) ? (meta.name ?? meta.username) : undefined;
      const offer = await pairing.request({
        ...{ channel, accountId, senderId: String(id) },
        userName: typeof name === "string" && name !== "" ? name : undefined,
      });
      if (offer.outcome === "full") return { code: "", created: false };
      return { code: offer.request.code, created: offer.outcome === "created" };
    },
    buildPairingReply: ({
      channel,
      idLine,
      code,
    }: {
      readonly channel: string;
      readonly idLine?: string;
      readonly code: string;
    }): string => [pairingText(channel, code), idLine ?? ""].filter(Boolean).join("\n"),
  };
}
