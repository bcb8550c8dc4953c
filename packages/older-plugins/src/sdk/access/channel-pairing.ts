import type { HostRuntime } from "@openclaw/plugin-sdk";

/** Senders whom the operator admits, for one account of a channel. */
export interface ChannelPairingController {
  readAllowFromStore(): Promise<readonly string[]>;
  /** Older name of `readAllowFromStore`; its parameters are those of the controller. */
  readStoreForDmPolicy(): Promise<readonly string[]>;
  upsertPairingRequest(request: {
    readonly id: string | number;
    readonly meta?: Readonly<Record<string, unknown>>;
  }): Promise<{ readonly code: string; readonly created: boolean }>;
  /**
   * Sends a code to a sender who has none yet.
   * @param challenge - the sender, and the function that sends the message
   */
  issueChallenge(challenge: PairingChallenge): Promise<{
    readonly created: boolean;
    readonly code?: string;
  }>;
}

/** Sender who asks to be admitted. */
export interface PairingChallenge {
  readonly senderId: string;
  readonly senderIdLine?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly sendPairingReply: (text: string) => unknown;
  readonly buildReplyText?: (parts: {
    readonly code: string;
    readonly senderIdLine: string;
  }) => string;
  readonly onCreated?: (request: { readonly code: string }) => unknown;
  readonly onReplyError?: (error: unknown) => unknown;
}

/** Functions of `runtime.channel.pairing` that are used. */
interface PairingRuntime {
  readAllowFromStore(place: { channel: string; accountId: string }): Promise<readonly string[]>;
  upsertPairingRequest(request: {
    readonly channel: string;
    readonly accountId: string;
    readonly id: string | number;
    readonly meta?: unknown;
  }): Promise<{ readonly code: string; readonly created: boolean }>;
  buildPairingReply(parts: {
    readonly channel: string;
    readonly idLine: string;
    readonly code: string;
  }): string;
}

/**
 * Creates access to the senders whom the operator admits, for one account of a channel.
 * @param place - `api.runtime`, channel and account
 * @deprecated The host pairs the senders of a `Channel`.
 */
export function createChannelPairingController(place: {
  readonly core: Pick<HostRuntime, "channel">;
  readonly channel: string;
  readonly accountId: string;
}): ChannelPairingController {
  const { core, channel, accountId } = place;
  const pairing = (): PairingRuntime => {
    const found: unknown = core.channel?.pairing;
    if (!isPairingRuntime(found)) throw new Error("this host has no runtime.channel.pairing");
    return found;
  };
  const upsertPairingRequest: ChannelPairingController["upsertPairingRequest"] = (request) =>
    pairing().upsertPairingRequest({ channel, accountId, ...request });
  return {
    readAllowFromStore: () => pairing().readAllowFromStore({ channel, accountId }),
    readStoreForDmPolicy: () => pairing().readAllowFromStore({ channel, accountId }),
    upsertPairingRequest,
    async issueChallenge({ senderId: id, senderIdLine = "", meta, ...challenge }) {
      const asked = meta === undefined ? { id } : { id, meta };
      const { code, created } = await upsertPairingRequest(asked);
      if (!created) return { created: false };
      await challenge.onCreated?.({ code });
      const text =
        challenge.buildReplyText?.({ code, senderIdLine }) ??
        pairing().buildPairingReply({ channel, idLine: senderIdLine, code });
      try {
        await challenge.sendPairingReply(text);
      } catch (error) {
        challenge.onReplyError?.(error);
      }
      return { created: true, code };
    },
  };
}

function isPairingRuntime(value: unknown): value is PairingRuntime {
  return typeof value === "object" && value !== null && "upsertPairingRequest" in value;
}

/**
 * Creates the function that writes to the log when a sender was admitted.
 * @param format - line, or the function that returns it
 * @param log - receiver of the line; standard error by default
 * @deprecated The host logs it.
 */
export function createLoggedPairingApprovalNotifier<Notice extends { readonly id: string }>(
  format: string | ((notice: Notice) => string),
  log: (message: string) => void = (message) => void process.stderr.write(`${message}\n`),
): (notice: Notice) => Promise<void> {
  return async (notice) => log(typeof format === "string" ? format : format(notice));
}

/**
 * Creates the function that removes a prefix from the ID of a sender.
 * @param prefix - prefix to remove
 * @param map - further change
 * @deprecated The host removes the name of the channel.
 */
export function createPairingPrefixStripper(
  prefix: RegExp,
  map: (entry: string) => string = (entry) => entry,
): (entry: string) => string {
  return (entry) => map(entry.trim().replace(prefix, "").trim());
}
