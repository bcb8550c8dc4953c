/** Names of the guards, as in the configuration. */
export const GUARD_NAMES = [
  "profanity_filter",
  "rate_limit_guard",
  "sensitive_data_redactor",
  "audit_logger",
  "input_validator",
  "response_formatter",
  "cost_tracker",
  "notification_forwarder",
] as const;

/** Name of a guard. */
export type GuardName = (typeof GUARD_NAMES)[number];
