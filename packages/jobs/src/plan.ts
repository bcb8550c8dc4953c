import type { Job, JobStep } from "@openclaw/store";

/** Number of steps of a plan that are done. */
export interface PlanSummary {
  readonly done: number;
  readonly total: number;
  /** The step that is worked on. */
  readonly step?: string;
}

/**
 * Returns the number of steps of a plan that are done.
 * @param steps - its steps
 */
export function planSummary(steps: readonly JobStep[]): PlanSummary {
  const done = steps.filter(({ state }) => state === "done").length;
  const active = steps.find(({ state }) => state === "active");
  return { done, total: steps.length, ...(active && { step: active.text }) };
}

/**
 * Returns the plan and the progress of a job, for example `, 2 of 5: read the files (30 of 1000)`; empty while nothing was reported.
 * @param job - the job
 */
export function progressText({ plan, progress }: Pick<Job, "plan" | "progress">): string {
  const summary = plan && planSummary(plan);
  const step = summary?.step === undefined ? "" : `: ${summary.step}`;
  const planned = summary === undefined ? "" : `, ${summary.done} of ${summary.total}${step}`;
  if (progress === undefined) return planned;
  const { done, total, note } = progress;
  const amount = total === undefined ? `${done}` : `${done} of ${total}`;
  return `${planned} (${amount}${note === undefined ? "" : `, ${note}`})`;
}
