import { SEVERITIES, type Severity } from "../notices.js";
import type { Notification, NotificationEvent } from "./event.js";

/** Rule that selects notifications; all given fields must match. */
export interface NotificationRule {
  readonly events?: readonly NotificationEvent[] | undefined;
  /** Least severity. */
  readonly severity?: Severity | undefined;
  /** Ids of senders who caused the event. */
  readonly senders?: readonly string[] | undefined;
}

/**
 * Returns true if a rule selects a notification.
 * @param rule - rule of the configuration
 * @param notification - event
 */
export function selects(
  { events, severity = "info", senders }: NotificationRule,
  notification: Notification,
): boolean {
  if (events !== undefined && !events.includes(notification.event)) return false;
  if (SEVERITIES.indexOf(notification.severity) < SEVERITIES.indexOf(severity)) return false;
  if (senders === undefined) return true;
  return notification.senderId !== undefined && senders.includes(notification.senderId);
}
