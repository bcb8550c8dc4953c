import { tracingChannel } from "node:diagnostics_channel";
import { startOfText } from "@openclaw/plugin-sdk/kit";
import type { GuardHost } from "../guard-host.js";
import { isNotificationEvent, type Notification } from "./event.js";

/** Tracing channel of approvals; its messages have ids and the decision, no content. */
const APPROVALS = "openclaw:approval";

interface ApprovalMessage {
  readonly approvalId: string;
  readonly sessionKey?: string;
  readonly outcome?: string;
}

/**
 * Observes the events that can be forwarded.
 * @param host - hooks, notices of other guards, and clock
 * @param isWanted - returns true for an event that is forwarded; its text may still have secrets
 * @param notify - called with each of these events
 */
export function observeEvents(
  { api, notices, now }: Pick<GuardHost, "api" | "notices" | "now">,
  isWanted: (notification: Notification) => boolean,
  notify: (notification: Notification) => void,
): void {
  const tell = (event: Omit<Notification, "at">) => {
    const notification = { ...event, at: now() };
    if (!isWanted(notification)) return;
    notify({ ...notification, text: shortened(withoutSecrets(notification.text)) });
  };
  const withoutSecrets = (text: string) => String(api.runtime.logging.redact(text));

  api.on("agent_end", ({ success, aborted, error }, { sessionKey, senderId }) => {
    if (aborted === true) return;
    const text = success
      ? `A turn of ${sessionKey ?? "an agent"} ended.`
      : `A turn of ${sessionKey ?? "an agent"} failed: ${error ?? "unknown error"}`;
    tell({
      event: "agent_end",
      severity: success ? "info" : "warning",
      text,
      sessionKey,
      senderId,
    });
  });
  api.on("tool_error", ({ toolName, error }, { sessionKey, senderId }) => {
    const text = `The tool ${toolName} failed in ${sessionKey ?? "a session"}: ${error.message}`;
    tell({ event: "tool_error", severity: "warning", text, sessionKey, senderId });
  });
  api.on("cron_changed", ({ action, jobId, job, status, error, sessionKey }) => {
    if (action !== "finished") return;
    const name = job?.name ?? jobId;
    const text =
      status === "error"
        ? `The job ${name} failed: ${error ?? "unknown error"}`
        : `The job ${name} ended.`;
    tell({ event: "job", severity: status === "error" ? "warning" : "info", text, sessionKey });
  });

  const approvals = tracingChannel<unknown, ApprovalMessage>(APPROVALS);
  const requested = ({ approvalId, sessionKey }: ApprovalMessage) => {
    const text = `Approval ${approvalId} is requested in ${sessionKey ?? "a session"}.`;
    tell({ event: "approval_requested", severity: "warning", text, sessionKey });
  };
  const decided = ({ approvalId, sessionKey, outcome }: ApprovalMessage) => {
    const text = `Approval ${approvalId} of ${sessionKey ?? "a session"} is ${outcome ?? "settled"}.`;
    tell({ event: "approval_decided", severity: "info", text, sessionKey });
  };
  approvals.start.subscribe(asListener(requested));
  approvals.asyncEnd.subscribe(asListener(decided));
  api.lifecycle.onDispose(() => {
    approvals.start.unsubscribe(asListener(requested));
    approvals.asyncEnd.unsubscribe(asListener(decided));
  });

  notices.subscribe(({ event, severity, text, sessionKey, senderId }) => {
    if (isNotificationEvent(event)) tell({ event, severity, text, sessionKey, senderId });
  });
}

const listeners = new WeakMap<(message: ApprovalMessage) => void, (message: unknown) => void>();

/** Returns the listener for a channel, whose messages have no type; the same one for the same function. */
function asListener(handle: (message: ApprovalMessage) => void): (message: unknown) => void {
  const known = listeners.get(handle);
  if (known !== undefined) return known;
  const listener = (message: unknown) => {
    if (isApproval(message)) handle(message);
  };
  listeners.set(handle, listener);
  return listener;
}

function isApproval(message: unknown): message is ApprovalMessage {
  return typeof message === "object" && message !== null && "approvalId" in message;
}

/** Longest text of an event, in UTF-16 code units. */
const LONGEST = 500;

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${startOfText(text, LONGEST)} …`;
}
