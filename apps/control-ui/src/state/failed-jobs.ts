import { signal } from "@preact/signals";
import { call, mayCall, onEvent, onOpened } from "./link.js";

/** Time in milliseconds after a change until the number is read, so that many changes cause one read. */
const SETTLE_MS = 500;

/** Number of jobs that failed or are stuck. */
export const failedJobs = signal(0);

let timer: ReturnType<typeof setTimeout> | undefined;

async function load(): Promise<void> {
  if (!mayCall("jobs.summary")) return;
  const { counts } = await call("jobs.summary", {});
  failedJobs.value = (counts.failed ?? 0) + (counts.stuck ?? 0);
}

function refresh(): void {
  if (timer !== undefined) return;
  timer = setTimeout(() => {
    timer = undefined;
    // The next connection reads it again.
    load().catch(() => undefined);
  }, SETTLE_MS);
}

/** Forgets the number, when the session ends. */
export function forgetFailedJobs(): void {
  clearTimeout(timer);
  timer = undefined;
  failedJobs.value = 0;
}

/** Connects this part of the state to the gateway. */
export function followFailedJobs(): void {
  onOpened(refresh);
  onEvent("job.changed", refresh);
}
