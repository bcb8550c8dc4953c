import { withSuggestion } from "@openclaw/foundation";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/**
 * Why a message was not accepted. `empty`: it has no text, and is not stored. `unacceptable`: its text is
 * too long, holds NUL or is denied by a safety rule. `stopping`: the host is stopping, and stores nothing.
 */
export type MessageRefusal = "empty" | "unacceptable" | "stopping";

/** A message was not accepted. */
export class MessageRefusedError extends OpenClawError {
  static override readonly code = "MESSAGE_REFUSED";
  static override readonly kind = "invalid";
  readonly reason: MessageRefusal;

  constructor(reason: MessageRefusal, message: string) {
    super(message, { kind: reason === "stopping" ? "unavailable" : "invalid" });
    this.reason = reason;
  }
}

/** A session cannot be deleted while something runs in it. */
export class SessionBusyError extends OpenClawError {
  static override readonly code = "SESSION_BUSY";
  static override readonly kind = "busy";
  readonly sessionKey: string;
  /** The turn that has not ended. */
  readonly runId: string;

  constructor(sessionKey: string, runId: string) {
    super(
      `session "${sessionKey}" is in use: turn ${runId} has not ended; ` +
        "wait for its end, answer what it asks, or end it with /stop",
    );
    this.sessionKey = sessionKey;
    this.runId = runId;
  }
}

/** No stored session has the key. */
export class SessionNotFoundError extends OpenClawError {
  static override readonly code = "SESSION_NOT_FOUND";
  static override readonly kind = "not-found";
  readonly sessionKey: string;

  constructor(sessionKey: string, nearest: string | undefined) {
    super(
      withSuggestion(
        `there is no session "${sessionKey}"`,
        nearest,
        "the operator's own is agent:main:main",
      ),
    );
    this.sessionKey = sessionKey;
  }
}
