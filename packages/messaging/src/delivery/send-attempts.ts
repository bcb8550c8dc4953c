import { type Timers, waitUnlessAborted } from "@openclaw/foundation";
import { ChannelError } from "@openclaw/plugin-sdk/channel-core";
import { type FailureRecord, failureRecord } from "../messages/failure-record.js";

/** Waits before the repeats of a failed send, in milliseconds (TURN-048). */
const WAITS_MS = [1000, 4000, 16_000] as const;

/** Dependencies of {@link sendWithRepeats}. */
export interface SendAttemptDependencies {
  readonly timers: Timers;
  /** Aborts when the host stops, which ends the waits. */
  readonly signal: AbortSignal;
}

/** Outcome of all attempts to send a message. */
export type SendOutcome<Receipt> =
  | { readonly receipt: Receipt; readonly attempts: number }
  | { readonly error: FailureRecord; readonly attempts: number };

/**
 * Sends a message, and repeats a failed attempt up to three times when its error allows that (TURN-048).
 * @param send - sends the message; called once for each attempt
 * @param dependencies - timers, and the signal of the host
 */
export async function sendWithRepeats<Receipt>(
  send: () => Promise<Receipt>,
  { timers, signal }: SendAttemptDependencies,
): Promise<SendOutcome<Receipt>> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return { receipt: await send(), attempts };
    } catch (cause) {
      const { message } = failureRecord(cause);
      const isOfChannel = ChannelError.isInstance(cause);
      const error = { code: isOfChannel ? cause.code : "SEND_FAILED", message };
      const wait = WAITS_MS[attempts - 1];
      const mayRepeat = isOfChannel && cause.retryable && wait !== undefined;
      if (!mayRepeat || signal.aborted) return { error, attempts };
      const waited = await pause(Math.max(wait, cause.retryAfterMs ?? 0), { timers, signal });
      if (!waited) return { error, attempts };
    }
  }
}

async function pause(ms: number, { timers, signal }: SendAttemptDependencies): Promise<boolean> {
  let timer: unknown;
  try {
    await waitUnlessAborted(
      signal,
      () =>
        new Promise<void>((resolve) => {
          timer = timers.setTimeout(resolve, ms);
        }),
    );
    return true;
  } catch {
    return false;
  } finally {
    timers.clearTimeout(timer);
  }
}
