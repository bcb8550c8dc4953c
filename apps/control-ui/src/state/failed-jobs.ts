import { computed } from "@preact/signals";
import { call, mayCall, onEvent } from "./link.js";
import { watched } from "./watched.js";

const summary = watched(async () =>
  mayCall("jobs.summary") ? await call("jobs.summary", {}) : undefined,
);

/** Number of jobs that failed or are stuck. */
export const failedJobs = computed(() => {
  const { failed = 0, stuck = 0 } = summary.value.value?.counts ?? {};
  return failed + stuck;
});

/** Keeps the number up to date, because the navigation always shows it. */
export function followFailedJobs(): void {
  summary.show();
  onEvent("job.changed", summary.refresh);
}
