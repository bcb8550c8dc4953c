import { type Timers, waitUnlessAborted } from "@openclaw/foundation";
import { ChannelError } from "@openclaw/plugin-sdk/channel-core";
import { type FailureRecord, failureRecord } from "../messages/failure-record.js";

/** Waits before the repeats of a failed send, in milliseconds (TURN-048). */
const WAITS_MS = [1000, 4000, 16_000] as const;

/** Longest wait that a platform is believed to ask for, in milliseconds: an hour. */
const LONGEST_WAIT_MS = 3_600_000;
/** From this number on, a wait is a time since the epoch. */
const EPOCH_MS = 1_000_000_000_000;

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
      const waited = await pause(Math.max(wait, askedWait(cause.retryAfterMs)), { timers, signal });
      if (!waited) return { error, attempts };
    }
  }
}

/** Returns the wait that a platform asks for: an absurd one must not keep a reply for days (TURN-741). */
function askedWait(ms: number | undefined): number {
  if (ms === undefined || Number.isNaN(ms)) return 0;
  return Math.min(Math.max(0, ms >= EPOCH_MS ? ms - Date.now() : ms), LONGEST_WAIT_MS);
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
