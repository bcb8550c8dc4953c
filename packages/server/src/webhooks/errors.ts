import { OpenClawError } from "@openclaw/foundation";
import { ProtocolError } from "@openclaw/protocol/registry";

const NOT_FOUND = {
  configuration: (name: string) => `webhook "${name}" not found; configure it as webhooks.${name}`,
  channel: (name: string) =>
    `webhook of channel "${name}" not found; this gateway has no channel of that name that receives webhooks`,
  routine: (name: string) =>
    `webhook "${name}" not found; no enabled routine has it, and \`openclaw cron list\` shows the routines`,
};

/** No webhook has the name of a request (GW-041). */
export class WebhookNotFoundError extends OpenClawError {
  static override readonly code = "WEBHOOK_NOT_FOUND";
  static override readonly kind = "not-found";

  /**
   * @param name - name from the request
   * @param owner - channel or routine that would receive the request; the configuration when absent
   */
  constructor(name: string, owner?: "channel" | "routine") {
    super(NOT_FOUND[owner ?? "configuration"](name));
  }
}

/** A request to a webhook does not prove that it comes from the configured sender (GW-041). */
export class WebhookUnauthorizedError extends OpenClawError {
  static override readonly code = "WEBHOOK_UNAUTHORIZED";
  static override readonly kind = "unauthenticated";

  /**
   * @param name - name of the webhook
   * @param problem - end of the sentence "the request …", with the next step
   */
  constructor(name: string, problem: string) {
    super(`webhook "${name}": the request ${problem}`);
  }
}

/** A signed request was received again (GW-041). */
export class WebhookReplayedError extends ProtocolError {
  static override readonly code = "WEBHOOK_REPLAYED";
  static override readonly kind = "conflict";

  /**
   * @param name - name of the webhook
   * @param first - message of the first request, or due time of the run that it set off
   */
  constructor(
    name: string,
    first: { readonly messageId: string } | { readonly plannedAt: number },
  ) {
    const accepted =
      "messageId" in first
        ? `message ${first.messageId}`
        : `the run of ${new Date(first.plannedAt).toISOString()}`;
    super(
      `webhook "${name}": this signed request was already accepted as ${accepted}; sign a new request for a new event`,
      { details: { ...first } },
    );
  }
}

/** The body of a request to a webhook cannot become a message (GW-041). */
export class WebhookBodyError extends OpenClawError {
  static override readonly code = "WEBHOOK_BODY_INVALID";
  static override readonly kind = "invalid";

  /**
   * @param name - name of the webhook
   * @param problem - problem and next step
   */
  constructor(name: string, problem: string) {
    super(`webhook "${name}": ${problem}`);
  }
}

/** The body of a request to a webhook, or the text made of it, is too large (GW-041). */
export class WebhookTooLargeError extends OpenClawError {
  static override readonly code = "WEBHOOK_TOO_LARGE";
  static override readonly kind = "too-large";

  /**
   * @param name - name of the webhook
   * @param what - `body` of the request or `text` of the message
   * @param limit - maximum size in bytes
   */
  constructor(name: string, what: "body" | "text", limit: number) {
    super(`webhook "${name}": the ${what} is larger than ${limit} bytes; send or use less of it`);
  }
}

/** A webhook of a routine gets more requests than it accepts (JOB-493). */
export class WebhookFloodError extends ProtocolError {
  static override readonly code = "WEBHOOK_FLOOD";
  static override readonly kind = "rate-limited";

  /** @param name - name of the webhook */
  constructor(name: string) {
    super(
      `webhook "${name}": more than 60 requests came within a minute; send it again in a minute`,
      { retryAfterMs: 60_000 },
    );
  }
}
