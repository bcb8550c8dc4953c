import type { GatewayMethodResult } from "@openclaw/protocol";
import { signal } from "@preact/signals";
import { call, mayCall, onEvent, onOpened } from "./link.js";

/** Time in milliseconds after a change until the runs are read, so that many changes cause one read. */
const SETTLE_MS = 300;

/** Run of a list. */
export type ListedRun = GatewayMethodResult<"runs.list">["runs"][number];

/** Failures with the same cause. */
export type FailureCause = GatewayMethodResult<"runs.failures">["causes"][number];

/** Runs that have not ended, newest first; undefined before the first read. */
export const openRuns = signal<readonly ListedRun[] | undefined>(undefined);

/** Causes for which runs of the last day failed, newest first. */
export const failures = signal<readonly FailureCause[]>([]);

let timer: ReturnType<typeof setTimeout> | undefined;

async function loadRuns(): Promise<void> {
  if (!mayCall("runs.list") || !mayCall("runs.failures")) return;
  const [open, failed] = await Promise.all([
    call("runs.list", { limit: 200 }),
    call("runs.failures", {}),
  ]);
  openRuns.value = open.runs;
  failures.value = failed.causes;
}

function refresh(): void {
  // Events that follow each other without a pause do not put the read off.
  if (timer !== undefined) return;
  timer = setTimeout(() => {
    timer = undefined;
    // The next connection reads them again.
    loadRuns().catch(() => undefined);
  }, SETTLE_MS);
}

/** Forgets everything, when the session ends. */
export function forgetRuns(): void {
  clearTimeout(timer);
  timer = undefined;
  openRuns.value = undefined;
  failures.value = [];
}

/** Connects this part of the state to the gateway. */
export function followRuns(): void {
  onOpened(refresh);
  for (const name of [
    "approval.requested",
    "approval.resolved",
    "sessions.changed",
    "chat.started",
    "chat.waiting",
    "chat.paused",
    "chat.final",
    "chat.error",
    "tool.started",
    "tool.result",
  ] as const) {
    onEvent(name, refresh);
  }
}
