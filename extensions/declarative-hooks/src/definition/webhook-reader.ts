import {
  checkOutboundWebhook,
  OutboundWebhookError,
  type OutboundWebhookProblem,
  type OutboundWebhookSettings,
} from "@openclaw/plugin-sdk/outbound-webhook";
import type { WebhookAction } from "./definition.js";
import type { Fields, Place } from "./fields.js";
import { checkHost, resolveSecrets } from "./network-fields.js";
import type { ReadContext } from "./read-context.js";

/** Fields that the problems of a receiver belong to. */
const FIELD: Partial<Record<OutboundWebhookProblem, string>> = {
  ForbiddenWebhookHeader: "headers",
  InvalidWebhookHeader: "headers",
  InvalidWebhookMaxInFlight: "maxInFlight",
  InvalidTimeout: "timeoutMs",
};

/**
 * Reads the receiver of a webhook, and checks it as it is checked when it is opened (DHOOK-031 to DHOOK-034).
 * @param fields - fields of the definition
 * @param place - place for messages
 * @param context - network check and secrets
 */
export function readWebhook(
  fields: Fields,
  { hook = "" }: Place,
  context: ReadContext,
): WebhookAction | undefined {
  const url = fields.text("url");
  if (url === undefined) {
    fields.report("InvalidWebhookUrl", "url", "expected an https URL");
    return undefined;
  }
  const headers = resolveSecrets(fields.record("headers") ?? {}, "headers", fields, context);
  const secret = fields.text("secret");
  const settings: OutboundWebhookSettings = {
    name: hook,
    url,
    headers,
    secret:
      secret === undefined
        ? undefined
        : resolveSecrets({ secret }, "secret", fields, context).secret,
    timeoutMs: numberOf(fields.get("timeoutMs")),
    maxInFlight: numberOf(fields.get("maxInFlight")),
    durable: fields.flag("durable", false),
    includeContent: fields.flag("includeContent", false),
  };
  try {
    const checked = checkOutboundWebhook(settings, context.checkUrl);
    checkHost(checked.url, fields, context.permissions?.hosts);
  } catch (error) {
    if (!OutboundWebhookError.isInstance(error)) throw error;
    const message = error.message.replace(/^webhook "[^"]*": /, "").replace(/ \(\w+\)$/, "");
    fields.report(error.problem, FIELD[error.problem] ?? "url", message);
    return undefined;
  }
  return { type: "webhook", settings };
}

/** A value of another type becomes one that the check rejects. */
function numberOf(value: unknown): number | undefined {
  return value === undefined ? undefined : typeof value === "number" ? value : Number.NaN;
}
