export type { DeliveryState, WebhookTiming, WebhookTry } from "./webhook/delivery.js";
export type { WebhookDelivery } from "./webhook/delivery-log.js";
export { OutboundWebhookError, type OutboundWebhookProblem } from "./webhook/errors.js";
export type { WebhookEvent } from "./webhook/event.js";
export {
  type OutboundWebhook,
  type OutboundWebhookHost,
  openOutboundWebhook,
  type WebhookCounts,
  type WebhookReceipt,
} from "./webhook/outbound-webhook.js";
export { checkOutboundWebhook, type OutboundWebhookSettings } from "./webhook/settings.js";
