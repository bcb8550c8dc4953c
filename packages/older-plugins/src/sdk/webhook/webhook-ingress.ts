export {
  createAuthRateLimiter,
  createFixedWindowRateLimiter,
  WEBHOOK_RATE_LIMIT_DEFAULTS,
} from "../../access/rate-limits.js";
export {
  beginWebhookRequestPipelineOrReject,
  createWebhookInFlightLimiter,
  isRequestBodyLimitError,
  readRequestBodyWithLimit,
  requestBodyErrorToText,
} from "./webhook-request-guards.js";
export { registerPluginHttpRoute } from "./webhook-targets.js";
