import { withSuggestion } from "@openclaw/foundation";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/**
 * Reason why a message was not accepted. `empty`: it has no text, and is not stored. `unacceptable`: its text
 * is too long, contains NUL or is denied by a safety rule. `stopping`: the host no longer accepts messages.
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

/** A session cannot be deleted while one of its turns has not ended. */
export class SessionBusyError extends OpenClawError {
  static override readonly code = "SESSION_BUSY";
  static override readonly kind = "busy";
  readonly sessionKey: string;
  /** ID of the turn that has not ended. */
  readonly runId: string;

  constructor(sessionKey: string, runId: string) {
    super(
      `session "${sessionKey}" is in use: turn ${runId} has not ended; ` +
        "wait until it ends, decide its approval request, or end it with /stop",
    );
    this.sessionKey = sessionKey;
    this.runId = runId;
  }
}

/** No stored session has the given key. */
export class SessionNotFoundError extends OpenClawError {
  static override readonly code = "SESSION_NOT_FOUND";
  static override readonly kind = "not-found";
  readonly sessionKey: string;

  constructor(sessionKey: string, nearest: string | undefined) {
    super(
      withSuggestion(
        `session "${sessionKey}" not found`,
        nearest,
        "the operator's main session is agent:main:main",
      ),
    );
    this.sessionKey = sessionKey;
  }
}

/** A client may not use a session key. */
export class SessionKeyRefusedError extends OpenClawError {
  static override readonly code = "SESSION_KEY_REFUSED";
  static override readonly kind = "invalid";
  readonly sessionKey: string;

  /**
   * @param sessionKey - key from the client
   * @param agentIds - IDs of the configured agents
   */
  constructor(sessionKey: string, agentIds: readonly string[]) {
    const keys = agentIds.map((id) => `agent:${id}:…`).join(", ");
    super(`clients may not send messages to the session "${sessionKey}"; use main, or ${keys}`);
    this.sessionKey = sessionKey;
  }
}
