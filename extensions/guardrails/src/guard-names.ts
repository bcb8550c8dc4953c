/** Effect of each guard, in the order in which they are listed; its keys are the names in the configuration. */
export const GUARD_DESCRIPTIONS = {
  profanity_filter: "Masks or blocks profanity in messages and replies.",
  rate_limit_guard: "Limits messages and tool calls in a sliding window.",
  sensitive_data_redactor:
    "Removes secrets and personal data from replies and parameters of tools, or blocks them.",
  audit_logger: "Records what happens in a chain that shows changes, without content.",
  input_validator:
    "Rejects messages, attachments and parameters of tools that no user would write.",
  response_formatter: "Writes replies in the markup of their channel and divides long ones.",
  cost_tracker: "Adds up tokens and cost, warns, and blocks turns over a budget.",
  notification_forwarder: "Sends summaries of events to a conversation or a webhook.",
} as const;

/** Name of a guard. */
export type GuardName = keyof typeof GUARD_DESCRIPTIONS;

/** Names of the guards. */
export const GUARD_NAMES = Object.keys(GUARD_DESCRIPTIONS).filter(isGuardName);

/**
 * Returns true for the name of a guard.
 * @param name - any string
 */
export function isGuardName(name: string): name is GuardName {
  return Object.hasOwn(GUARD_DESCRIPTIONS, name);
}
