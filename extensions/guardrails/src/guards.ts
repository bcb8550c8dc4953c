import type { Guard } from "./guard.js";
import type { GuardName } from "./guard-names.js";

/** Loads the code of a guard; that of a guard that is off is never imported. */
export const GUARDS: Readonly<Record<GuardName, () => Promise<Guard>>> = {
  profanity_filter: async () => (await import("./profanity/guard.js")).profanityFilter,
  rate_limit_guard: async () => (await import("./rate-limit/guard.js")).rateLimitGuard,
  sensitive_data_redactor: async () =>
    (await import("./sensitive-data/guard.js")).sensitiveDataRedactor,
  audit_logger: async () => (await import("./audit-log/guard.js")).auditLogger,
  input_validator: async () => (await import("./input/guard.js")).inputValidator,
  response_formatter: async () => (await import("./response-format/guard.js")).responseFormatter,
  cost_tracker: async () => (await import("./cost/guard.js")).costTracker,
  notification_forwarder: async () =>
    (await import("./notifications/guard.js")).notificationForwarder,
};
