import { OpenClawError } from "@openclaw/foundation/errors";

/** Facts about a failure of a channel. */
export interface ChannelErrorOptions {
  /** Underlying error. */
  readonly cause?: unknown;
  /** True when a repeat can succeed; by default what is usual for the class. */
  readonly retryable?: boolean | undefined;
  /** Milliseconds that the platform asks to wait before a repeat. */
  readonly retryAfterMs?: number | undefined;
}

/** Base of the errors that channels throw; each says whether a repeat can succeed (CHAN-007). */
export class ChannelError extends OpenClawError {
  static override readonly code: string = "CHANNEL";
  static override readonly kind: OpenClawError["kind"] = "unavailable";
  /** Default of {@link ChannelError.retryable} for the errors of the class. */
  static readonly canRetry: boolean = false;
  readonly channel: string;
  readonly retryable: boolean;
  /** Milliseconds that the platform asks to wait before a repeat. */
  readonly retryAfterMs: number | undefined;

  /**
   * @param problem - failure, its reason and the next step
   * @param options - cause, and whether a repeat can succeed
   */
  constructor(channel: string, problem: string, options: ChannelErrorOptions = {}) {
    super(`channel "${channel}": ${problem}`, { cause: options.cause });
    this.channel = channel;
    this.retryable = options.retryable ?? new.target.canRetry;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Thrown when a channel cannot start, for example because a setting is missing. */
export class ChannelStartupFailedError extends ChannelError {
  static override readonly code = "CHANNEL_STARTUP_FAILED";
  static override readonly kind = "configuration";
}

/** Thrown when the connection of a channel to its platform ended. */
export class ChannelDisconnectedError extends ChannelError {
  static override readonly code = "CHANNEL_DISCONNECTED";
  static override readonly kind = "unavailable";
  static override readonly canRetry = true;
}

/** Thrown when a channel cannot send a message. */
export class ChannelSendFailedError extends ChannelError {
  static override readonly code = "CHANNEL_SEND_FAILED";
  static override readonly kind = "unavailable";
}

/** Thrown when a message from or for a channel has an invalid form. */
export class ChannelInvalidMessageError extends ChannelError {
  static override readonly code = "CHANNEL_INVALID_MESSAGE";
  static override readonly kind = "invalid";
}

/** Thrown when the platform does not accept the credential of a channel. */
export class ChannelAuthFailedError extends ChannelError {
  static override readonly code = "CHANNEL_AUTH_FAILED";
  // Not unauthenticated: the credential of the channel is wrong, not that of a caller.
  static override readonly kind = "configuration";
}

/** Thrown when the platform limits the rate of requests. */
export class ChannelRateLimitedError extends ChannelError {
  static override readonly code = "CHANNEL_RATE_LIMITED";
  static override readonly kind = "rate-limited";
  static override readonly canRetry = true;
}

/** Thrown when the platform answers with an unexpected HTTP status. */
export class ChannelHttpError extends ChannelError {
  static override readonly code = "CHANNEL_HTTP";
  static override readonly kind = "unavailable";
  /** HTTP status of the response. */
  readonly status: number;

  /**
   * @param status - HTTP status of the response; a repeat can succeed from 500 on, and for 408 and 429
   * @param problem - failure and the next step
   * @param options - cause, and whether a repeat can succeed
   */
  constructor(channel: string, status: number, problem: string, options: ChannelErrorOptions = {}) {
    const retryable = status >= 500 || status === 408 || status === 429;
    super(channel, problem, { ...options, retryable: options.retryable ?? retryable });
    this.status = status;
  }
}

/** Thrown when a channel does not work, as its health check found. */
export class ChannelHealthCheckFailedError extends ChannelError {
  static override readonly code = "CHANNEL_HEALTH_CHECK_FAILED";
  static override readonly kind = "unavailable";
  static override readonly canRetry = true;
}
