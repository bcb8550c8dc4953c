import { withSuggestion } from "@openclaw/foundation";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import { ProtocolError } from "@openclaw/protocol/registry";

/**
 * Reason why a message was not accepted. `empty`: it has no text, and is not stored. `unacceptable`: its text
 * is too long, contains NUL or is denied by a safety rule. `stopping`: the host no longer accepts messages.
 * `draining`: this node leaves new messages to others.
 */
export type MessageRefusal = "empty" | "unacceptable" | "stopping" | "draining";

/** A later attempt, or one at another node, can succeed. */
const PASSING: readonly MessageRefusal[] = ["stopping", "draining"];

/** A message was not accepted. */
export class MessageRefusedError extends OpenClawError {
  static override readonly code = "MESSAGE_REFUSED";
  static override readonly kind = "invalid";
  readonly reason: MessageRefusal;

  constructor(reason: MessageRefusal, message: string) {
    super(message, { kind: PASSING.includes(reason) ? "unavailable" : "invalid" });
    this.reason = reason;
  }
}

/** Too many accepted messages have no outcome yet; nothing was stored (SCALE-040). */
export class InboxFullError extends ProtocolError {
  static override readonly code = "INBOX_FULL";
  static override readonly kind = "rate-limited";

  /**
   * @param limit - maximum number of messages without an outcome
   * @param retryAfterMs - time in milliseconds before a retry can succeed
   */
  constructor(limit: number, retryAfterMs: number) {
    super(
      `${limit} accepted messages wait for their outcomes (inbox.maxBacklog); try again later`,
      {
        retryAfterMs,
      },
    );
  }
}

/** A plugin cannot ask a conversation for a credential (SUB-045). */
export class CredentialRequestRefusedError extends OpenClawError {
  static override readonly code = "CREDENTIAL_REQUEST_REFUSED";
  static override readonly kind = "conflict";

  /**
   * @param name - name of the credential
   * @param problem - reason and next step
   */
  constructor(name: string, problem: string) {
    super(`the credential ${JSON.stringify(name)} was not requested: ${problem}`);
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
        // The advice must not name the session that was not found.
        sessionKey === "agent:main:main"
          ? "it begins with its first message, for example `openclaw chat -m hello`"
          : "the operator's main session is agent:main:main",
      ),
    );
    this.sessionKey = sessionKey;
  }
}

/** A message has no image with the given number. */
export class ImageNotFoundError extends OpenClawError {
  static override readonly code = "IMAGE_NOT_FOUND";
  static override readonly kind = "not-found";

  /**
   * @param sessionKey - session of the message
   * @param seq - position of the message
   * @param image - number of the image
   */
  constructor(sessionKey: string, seq: number, image: number) {
    super(
      `message ${seq} of session "${sessionKey}" has no image ${image}; chat.history lists the messages with their images`,
    );
  }
}

/** A session with the given key exists. */
export class SessionExistsError extends OpenClawError {
  static override readonly code = "SESSION_EXISTS";
  static override readonly kind = "conflict";

  /** @param sessionKey - full key of the session */
  constructor(sessionKey: string) {
    super(
      `session "${sessionKey}" exists; use another key, or change the session with sessions.patch`,
    );
  }
}

/** No active plugin keeps values of the given namespace with sessions (GW-025). */
export class SessionExtensionNotFoundError extends OpenClawError {
  static override readonly code = "SESSION_EXTENSION_NOT_FOUND";
  static override readonly kind = "not-found";

  /**
   * @param pluginId - plugin of the caller
   * @param namespace - namespace of the caller
   * @param nearest - similar namespace of an active plugin
   */
  constructor(pluginId: string, namespace: string, nearest: string | undefined) {
    super(
      withSuggestion(
        `plugin "${pluginId}" has no session extension "${namespace}"`,
        nearest,
        "only a namespace that an active plugin registered can be changed",
      ),
    );
  }
}

/** The value that a plugin keeps with a session would exceed its maximum size (TURN-050). */
export class SessionValueTooLargeError extends OpenClawError {
  static override readonly code = "SESSION_VALUE_TOO_LARGE";
  static override readonly kind = "too-large";

  /**
   * @param namespace - namespace of the value
   * @param bytes - size of the changed value as JSON
   */
  constructor(namespace: string, bytes: number) {
    super(
      `the changed value of "${namespace}" has ${bytes} bytes of JSON, and at most 16384 are kept with a session; store large values elsewhere and keep a reference`,
    );
  }
}

/** The value that a plugin keeps with a session was changed by someone else in the meantime. */
export class SessionValueChangedError extends ProtocolError {
  static override readonly code = "SESSION_VALUE_CHANGED";
  static override readonly kind = "conflict";

  /**
   * @param namespace - namespace of the value
   * @param expected - version that the caller expected
   * @param version - version of the stored value
   */
  constructor(namespace: string, expected: number, version: number) {
    super(
      `the value of "${namespace}" has version ${version}, not ${expected}; read it again and repeat the change`,
      { details: { version } },
    );
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

/** No pairing request of a channel has the given code (HOST-021). */
export class PairingCodeError extends ProtocolError {
  static override readonly code = "PAIRING_CODE_UNKNOWN";
  static override readonly kind = "not-found";

  /**
   * @param channel - channel of the code
   * @param attemptsLeft - number of further wrong codes before the channel is locked
   */
  constructor(channel: string, attemptsLeft: number) {
    super(
      `no pending pairing request on ${channel} has this code; list them with "openclaw pairing list" (${attemptsLeft} attempts left)`,
      { details: { attemptsLeft } },
    );
  }
}

/** Too many wrong pairing codes were given for a channel (HOST-021). */
export class PairingLockedError extends ProtocolError {
  static override readonly code = "PAIRING_LOCKED";
  static override readonly kind = "rate-limited";

  /**
   * @param channel - the channel
   * @param retryAfterMs - milliseconds until codes are accepted again
   */
  constructor(channel: string, retryAfterMs: number) {
    super(
      `too many wrong pairing codes for ${channel}; try again in ${Math.ceil(retryAfterMs / 1000)} seconds`,
      { retryAfterMs },
    );
  }
}

/** A sender was neither admitted to a channel nor asked to be. */
export class PairedSenderNotFoundError extends OpenClawError {
  static override readonly code = "PAIRED_SENDER_NOT_FOUND";
  static override readonly kind = "not-found";

  /**
   * @param channel - the channel
   * @param senderId - the sender
   */
  constructor(channel: string, senderId: string) {
    super(
      `sender "${senderId}" is not paired on ${channel}; list paired senders with "openclaw pairing list"`,
    );
  }
}

/** No running channel has the given name (CHAN-011). */
export class ChannelNotFoundError extends OpenClawError {
  static override readonly code = "CHANNEL_NOT_FOUND";
  static override readonly kind = "not-found";

  /**
   * @param channel - name of the channel
   * @param nearest - similar name of a channel that exists
   */
  constructor(channel: string, nearest: string | undefined) {
    super(
      withSuggestion(
        `channel "${channel}" not found`,
        nearest,
        'list the channels with "openclaw channels list"',
      ),
    );
  }
}

/** A message cannot be sent, because no surface of its channel is running (SDK-054). */
export class MessageTargetNotFoundError extends OpenClawError {
  static override readonly code = "MESSAGE_TARGET_NOT_FOUND";
  static override readonly kind = "not-found";

  /** @param channel - name of the channel */
  constructor(channel: string) {
    super(
      `the channel "${channel}" cannot send messages now; "openclaw channels list" shows the channels that run`,
    );
  }
}

/** A message of an agent could not be sent, changed or deleted on a channel (TURN-063). */
export class ChannelActionError extends OpenClawError {
  static override readonly code = "CHANNEL_ACTION_FAILED";
  static override readonly kind = "unavailable";

  /**
   * @param channel - name of the channel
   * @param problem - end of the sentence "channel … "
   */
  constructor(channel: string, problem: string) {
    super(`channel "${channel}" ${problem}; see openclaw channels status ${channel}`);
  }
}

/** A run cannot be continued from an earlier point. */
export class RunNotForkableError extends OpenClawError {
  static override readonly code = "RUN_NOT_FORKABLE";
  static override readonly kind = "conflict";
  readonly runId: string;

  /**
   * @param runId - the run
   * @param problem - reason and next step
   */
  constructor(runId: string, problem: string) {
    super(`run ${runId} cannot be forked: ${problem}`);
    this.runId = runId;
  }
}

/** A turn is run by another node, which has taken it over (SCALE-009). */
export class TurnTakenOverError extends OpenClawError {
  static override readonly code = "TURN_TAKEN_OVER";
  static override readonly kind = "conflict";

  /**
   * @param sessionKey - full key of the session
   * @param reason - why this node does not run it
   */
  constructor(sessionKey: string, reason: string) {
    super(
      `a turn of session ${sessionKey} does not run here: ${reason}; its reply follows from the node that runs it`,
    );
  }
}

/** No lost message of a channel has an ID (CHAN-521). */
export class LostMessageNotFoundError extends OpenClawError {
  static override readonly code = "LOST_MESSAGE_NOT_FOUND";
  static override readonly kind = "not-found";

  /** @param id - ID of the message */
  constructor(id: string) {
    super(
      `lost message ${JSON.stringify(id)} not found, or it was replayed; list them with "openclaw channels lost"`,
    );
  }
}

/** A lost message cannot be handed to the host, because the failed call did not contain all of it (CHAN-521). */
export class LostMessageIncompleteError extends OpenClawError {
  static override readonly code = "LOST_MESSAGE_INCOMPLETE";
  static override readonly kind = "conflict";

  /**
   * @param id - ID of the message
   * @param missing - the unknown part, for example `its text`
   */
  constructor(id: string, missing: string) {
    super(
      `lost message ${id} cannot be replayed, because ${missing} is unknown; ask the sender to repeat it, and delete it with "openclaw channels lost --discard ${id}"`,
    );
  }
}
