import type { Severity } from "../notices.js";

/** Events that can be forwarded, as in the configuration. */
export const NOTIFICATION_EVENTS = [
  "agent_end",
  "tool_error",
  "job",
  "approval_requested",
  "approval_decided",
  "budget",
  "input_validator",
  "rate_limit_guard",
] as const;

/** Name of an event. */
export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number];

/** Event with the sentence that is sent. */
export interface Notification {
  readonly event: NotificationEvent;
  readonly severity: Severity;
  /** One or two sentences without secrets. */
  readonly text: string;
  readonly sessionKey?: string | undefined;
  readonly senderId?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Returns true for the name of an event that can be forwarded. */
export function isNotificationEvent(name: string): name is NotificationEvent {
  const names: readonly string[] = NOTIFICATION_EVENTS;
  return names.includes(name);
}
