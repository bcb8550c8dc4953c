import type { WebhookMessage } from "./event.js";
import type { CheckedWebhookSettings } from "./settings.js";
import { webhookSignature } from "./signature.js";

/** Number of tries after the first (DHOOK-030). */
const RETRIES = 3;
/** Wait before the first retry in milliseconds; it doubles each time. */
const FIRST_WAIT_MS = 100;
/** Share of a wait that is random, so that failed deliveries do not return at the same moment. */
const JITTER = 0.5;
/** Longest `Retry-After` that is waited for, in milliseconds; a longer one ends the delivery. */
const LONGEST_RETRY_AFTER_MS = 60_000;
/** Statuses below 500 that a retry can change. */
const TEMPORARY = new Set([408, 425, 429]);

/** One try of a delivery: the status of the response, or the error. */
export interface WebhookTry {
  /** Start, in milliseconds since the epoch. */
  readonly at: number;
  readonly durationMs: number;
  readonly status?: number;
  readonly error?: string;
}

/** Outcome of a delivery: `stopped` when the plugin was unloaded before its end. */
export type DeliveryState = "delivered" | "failed" | "stopped";

/** End of a delivery. */
export interface DeliveryEnd {
  readonly state: DeliveryState;
  readonly tries: readonly WebhookTry[];
}

/** Time, waiting and chance, which tests replace. */
export interface WebhookTiming {
  /** Returns milliseconds since the epoch. */
  now(): number;
  /**
   * Waits, and rejects when the signal aborts.
   * @param ms - milliseconds
   * @param signal - ends the wait
   */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** Returns a number from 0 to 1, without 1. */
  random(): number;
}

/** Dependencies of {@link deliver}. */
export interface DeliveryDependencies {
  readonly fetch: (url: URL, init: RequestInit) => Promise<Response>;
  readonly timing: WebhookTiming;
  /** Ends the delivery. */
  readonly signal: AbortSignal;
}

/**
 * Sends a message, and repeats it after errors of the network and statuses that a retry can change (DHOOK-030). Does
 * not follow redirects, and does not read the body of a response.
 * @param message - message to send
 * @param settings - receiver
 * @param dependencies - fetch of the host, and time
 */
export async function deliver(
  message: WebhookMessage,
  settings: CheckedWebhookSettings,
  { fetch, timing, signal }: DeliveryDependencies,
): Promise<DeliveryEnd> {
  const { url, secret, timeoutMs } = settings;
  const { id, event, timestamp, body } = message;
  const headers = {
    ...settings.headers,
    "Content-Type": "application/json",
    "X-Webhook-Event": event,
    "X-Webhook-Id": id,
    "X-Webhook-Timestamp": timestamp,
    ...(secret === undefined
      ? {}
      : { "X-Webhook-Signature": await webhookSignature(secret, body) }),
  };
  const tries: WebhookTry[] = [];
  for (;;) {
    const at = timing.now();
    const result = await attempt(async () => {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      const init = { method: "POST", headers, body, redirect: "manual", signal: limit } as const;
      return await fetch(url, init);
    });
    if (signal.aborted) return { state: "stopped", tries };
    tries.push({ at, durationMs: Math.max(0, Math.round(timing.now() - at)), ...result.outcome });
    if (result.end !== undefined) return { state: result.end, tries };
    if (tries.length > RETRIES) return { state: "failed", tries };
    const wait = FIRST_WAIT_MS * 2 ** (tries.length - 1) * (1 + JITTER * timing.random());
    const asked = retryAfterOf(result.retryAfter, timing.now());
    if (asked > LONGEST_RETRY_AFTER_MS) return { state: "failed", tries };
    try {
      await timing.wait(Math.max(wait, asked), signal);
    } catch {
      return { state: "stopped", tries };
    }
  }
}

interface Attempt {
  readonly outcome: Pick<WebhookTry, "status" | "error">;
  /** Absent when a retry may succeed. */
  readonly end?: "delivered" | "failed";
  readonly retryAfter?: string | null;
}

async function attempt(send: () => Promise<Response>): Promise<Attempt> {
  let response: Response;
  try {
    response = await send();
  } catch (error) {
    return { outcome: { error: causeOf(error) }, ...(isDenied(error) ? { end: "failed" } : {}) };
  }
  // The body is not used, and an open one keeps the connection.
  response.body?.cancel().catch(() => undefined);
  const { status } = response;
  if (status >= 200 && status < 300) return { outcome: { status }, end: "delivered" };
  const isTemporary = TEMPORARY.has(status) || status >= 500;
  return {
    outcome: { status, ...(status < 400 ? { error: "redirects are not followed" } : {}) },
    ...(isTemporary ? { retryAfter: response.headers.get("retry-after") } : { end: "failed" }),
  };
}

/** The network check of the host denies the same request each time. */
function isDenied(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return error.code === "NETWORK_DENIED" || error.code === "PLUGIN_PERMISSION_MISSING";
}

/** Returns the first message that says more than `fetch failed`. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "no response within the time of a try";
  const { cause } = error;
  if (cause instanceof AggregateError && cause.errors.length > 0) return causeOf(cause.errors[0]);
  return cause instanceof Error && cause.message !== "" ? causeOf(cause) : error.message;
}

/** From this number on, seconds are a time since the epoch. */
const EPOCH_SECONDS = 1_000_000_000;

/** Returns the milliseconds of a `Retry-After`: seconds, a date, or a time since the epoch. */
function retryAfterOf(value: string | null | undefined, now: number): number {
  if (value === null || value === undefined) return 0;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) {
    return Math.max(0, seconds * 1000 - (seconds >= EPOCH_SECONDS ? now : 0));
  }
  const date = Date.parse(value);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}
