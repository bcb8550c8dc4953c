import { errorMessage } from "@openclaw/plugin-sdk/kit";

/** Reason why a connection or a call failed, and its kind. */
export interface FailureReason {
  /** End of a sentence that begins with the server. */
  readonly reason: string;
  readonly kind: string;
}

/**
 * Returns the reason of a failure. It does not need the library, which is loaded with the first server only.
 * @param error - error of a connection
 */
export function problemOf(error: unknown): FailureReason {
  const isOwn = error instanceof Error && "kind" in error && typeof error.kind === "string";
  return isOwn
    ? { reason: error.message, kind: String(error.kind) }
    : { reason: `failed (${errorMessage(error)})`, kind: "failed" };
}

/**
 * Returns the next step after a failure.
 * @param until - time of the next attempt
 */
export function nextAttempt(until: number): string {
  const seconds = Math.max(0, Math.ceil((until - Date.now()) / 1000));
  return `it is tried again in ${seconds} s, and \`openclaw mcp logs\` shows what it wrote`;
}
