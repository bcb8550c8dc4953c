import type { MessageOutcome, StatusUpdate } from "@openclaw/plugin-sdk/channel-core";

/** Progress as a component receives it. */
export interface GuestStatus {
  readonly status: string;
  readonly message: string;
}

/** Statuses that only components of version 0.3 know. */
const NEWER = new Set([
  ...["tool-result", "approval-needed", "status", "job-started", "auth-required"],
  "auth-completed",
]);

/**
 * Returns progress in the form of a component; undefined for what its version does not know (WASM-037).
 * @param update - progress of the host's work
 * @param version - version of the package `near:agent`
 */
export function guestStatus(
  update: StatusUpdate,
  version: string | undefined,
): GuestStatus | undefined {
  const status = statusOf(update);
  return status !== undefined && (version !== undefined || !NEWER.has(status.status))
    ? status
    : undefined;
}

/**
 * Returns the end of the host's work in the form of a component; undefined when no work began.
 * @param outcome - result of the work
 */
export function endStatus({ status }: MessageOutcome): GuestStatus | undefined {
  switch (status) {
    case "ignored":
    case "duplicate":
      return undefined;
    case "interrupted":
      return { status: "interrupted", message: "Interrupted" };
    default:
      return { status: "done", message: status === "failed" ? "Failed" : "Done" };
  }
}

function statusOf(update: StatusUpdate): GuestStatus | undefined {
  switch (update.kind) {
    case "thinking":
      return { status: "thinking", message: update.text };
    case "tool_started":
      return { status: "tool-started", message: update.name };
    case "tool_completed":
      return { status: "tool-completed", message: update.name };
    case "tool_result":
      return { status: "tool-result", message: update.preview };
    case "status":
      return { status: "status", message: update.text };
    case "job_started":
      return { status: "job-started", message: update.title };
    case "approval_needed":
      return { status: "approval-needed", message: `${update.tool}: ${update.description}` };
    case "auth_required":
      return { status: "auth-required", message: update.instructions ?? update.extension };
    case "auth_completed":
      return { status: "auth-completed", message: update.message };
    case "stream_chunk":
      return undefined;
  }
}
