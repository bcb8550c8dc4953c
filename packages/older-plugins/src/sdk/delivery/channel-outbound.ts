import { defined } from "@openclaw/foundation";
import { isRecord } from "../string-coerce-runtime.js";
import {
  createTypingCallbacks as createTypingCallbacksOf,
  createReplyPrefixOptions as prefixOptionsOf,
} from "./channel-runtime.js";

export { sanitizeForPlainText } from "../text/text-runtime.js";
export { createReplyPrefixOptions, createTypingCallbacks } from "./channel-runtime.js";

/** Receipt of a message that was sent in one or more parts. */
export interface MessageReceipt {
  readonly primaryPlatformMessageId?: string;
  readonly platformMessageIds: string[];
  readonly parts: readonly {
    readonly platformMessageId: string;
    readonly kind: string;
    readonly index: number;
    readonly threadId?: string;
    readonly replyToId?: string;
    readonly raw: object;
  }[];
  readonly threadId?: string;
  readonly replyToId?: string;
  readonly sentAt: number;
}

/**
 * Returns the receipt of a message from the results of its parts.
 * @param sent - results, and the thread and message that it answers
 * @deprecated Return `{ messageId }` from `respond` of a `Channel`.
 */
export function createMessageReceiptFromOutboundResults(sent: {
  readonly results: readonly object[];
  readonly kind?: string;
  readonly threadId?: string | undefined;
  readonly replyToId?: string | undefined;
  readonly sentAt?: number;
}): MessageReceipt {
  const { results, kind = "unknown", threadId, replyToId, sentAt = Date.now() } = sent;
  const place = {
    ...defined({ threadId }),
    ...defined({ replyToId }),
  };
  const parts = results.flatMap((raw) =>
    idsOf(raw).map((platformMessageId) => ({ platformMessageId, kind, ...place, raw })),
  );
  const ids = parts.map(({ platformMessageId }) => platformMessageId);
  return {
    ...(ids[0] === undefined ? {} : { primaryPlatformMessageId: ids[0] }),
    platformMessageIds: [...new Set(ids)],
    parts: parts.map((part, index) => ({ ...part, index })),
    ...place,
    sentAt,
  };
}

/**
 * Returns the platform's IDs in a receipt.
 * @deprecated Return `{ messageId }` from `respond` of a `Channel`.
 */
export function listMessageReceiptPlatformIds(receipt: MessageReceipt): string[] {
  return receipt.platformMessageIds;
}

function idsOf(result: object): readonly string[] {
  if (!isRecord(result)) return [];
  if (isRecord(result.receipt) && Array.isArray(result.receipt.platformMessageIds)) {
    return result.receipt.platformMessageIds.map(String);
  }
  const id = result.messageId ?? result.id;
  return typeof id === "string" || typeof id === "number" ? [String(id)] : [];
}

/**
 * Returns a message adapter with its defaults.
 * @param adapter - adapter of the channel
 * @deprecated Implement `respond` and `broadcast` of `Channel`.
 */
export function defineChannelMessageAdapter<Adapter extends object>(
  adapter: Adapter,
): Adapter & { readonly receive: object } {
  const receive = { defaultAckPolicy: "manual", supportedAckPolicies: ["manual"] };
  return { receive, ...adapter };
}

/**
 * Creates the function that reports the status of one account.
 * @param account - account, and receiver of its status
 * @deprecated Call `context.connected()` in `start` of a `Channel`.
 */
export function createAccountStatusSink(account: {
  readonly accountId: string;
  readonly setStatus: (status: Readonly<Record<string, unknown>>) => void;
}): (patch: Readonly<Record<string, unknown>>) => void {
  return (patch) => account.setStatus({ accountId: account.accountId, ...patch });
}

/**
 * Waits until a signal aborts.
 * @param signal - signal; without one the promise never resolves
 * @param onAbort - called before it resolves
 * @deprecated End the stream of `start` of a `Channel` when its signal aborts.
 */
export async function waitUntilAbort(
  signal?: AbortSignal,
  onAbort?: () => void | Promise<void>,
): Promise<void> {
  await new Promise<void>((resolve) => {
    if (signal?.aborted === true) resolve();
    else signal?.addEventListener("abort", () => resolve(), { once: true });
  });
  await onAbort?.();
}

/**
 * Returns the options of the replies to a message: the text before each reply, and the typing indicator.
 * @param place - configuration, agent, and functions of the typing indicator
 * @deprecated The host calls `sendStatus` of a `Channel`.
 */
export function createChannelMessageReplyPipeline(place: {
  readonly cfg: Readonly<Record<string, unknown>>;
  readonly agentId: string;
  readonly channel?: string;
  readonly accountId?: string;
  readonly typingCallbacks?: object;
  readonly typing?: Parameters<typeof createTypingCallbacksOf>[0];
}) {
  const { typing, typingCallbacks, ...rest } = place;
  const callbacks = typingCallbacks ?? (typing && createTypingCallbacksOf(typing));
  return {
    ...prefixOptionsOf(rest),
    ...defined({ typingCallbacks: callbacks }),
  };
}
