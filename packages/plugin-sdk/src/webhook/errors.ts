import { OpenClawError } from "@openclaw/foundation/errors";

/** Setting of an outbound webhook that is not valid. */
export type OutboundWebhookProblem =
  | "InvalidWebhookUrl"
  | "InvalidWebhookScheme"
  | "ForbiddenWebhookHost"
  | "ForbiddenWebhookHeader"
  | "InvalidWebhookHeader"
  | "InvalidWebhookMaxInFlight"
  | "InvalidTimeout";

/** Thrown when a setting of an outbound webhook is not valid (DHOOK-031 to DHOOK-034). */
export class OutboundWebhookError extends OpenClawError {
  static override readonly code = "OUTBOUND_WEBHOOK_INVALID";
  static override readonly kind = "configuration";
  /** Name of the webhook. */
  readonly webhook: string;
  readonly problem: OutboundWebhookProblem;

  /**
   * @param problem - rule that was broken
   * @param message - the setting, and what to write instead
   * @param options - `cause` is the underlying error
   */
  constructor(
    webhook: string,
    problem: OutboundWebhookProblem,
    message: string,
    options: { cause?: unknown } = {},
  ) {
    super(`webhook "${webhook}": ${message} (${problem})`, options);
    this.webhook = webhook;
    this.problem = problem;
  }
}
