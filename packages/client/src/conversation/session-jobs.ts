import type { GatewayEventPayload } from "@openclaw/protocol";

/** A job of a conversation whose work is not finished. */
export type SessionJob = Pick<
  GatewayEventPayload<"job.changed">,
  "jobId" | "title" | "state" | "awaitsApproval" | "question" | "plan" | "progress"
>;

const UNFINISHED: readonly string[] = ["pending", "in_progress", "stuck"];
const SHORT_ID = 8;

/** The jobs that a conversation asked for and that are not finished, as they change. */
export class SessionJobs {
  readonly #jobs = new Map<string, SessionJob>();

  /**
   * Takes over the state of a job.
   * @param job - the job as it is now
   */
  changed(job: SessionJob): void {
    if (UNFINISHED.includes(job.state)) this.#jobs.set(job.jobId, job);
    else this.#jobs.delete(job.jobId);
  }

  /** Returns one line for each job, for example `job 85c961bd running, 2 of 5: read the files`. */
  lines(): readonly string[] {
    return [...this.#jobs.values()].map(lineOf);
  }
}

function lineOf(job: SessionJob): string {
  const { jobId, title, plan, progress } = job;
  const step = plan?.step === undefined ? "" : `: ${plan.step}`;
  const planned = plan === undefined ? "" : `, ${plan.done} of ${plan.total}${step}`;
  const total = progress?.total === undefined ? "" : ` of ${progress.total}`;
  const reported = progress === undefined ? "" : ` (${progress.done}${total})`;
  return `job ${jobId.slice(0, SHORT_ID)} "${title}" ${stateOf(job)}${planned}${reported}`;
}

function stateOf({ state, awaitsApproval, question }: SessionJob): string {
  if (state === "stuck") return "is stuck";
  if (state === "pending") return "waits for a place";
  if (question !== undefined) return "waits for an answer";
  return awaitsApproval ? "waits for an approval" : "runs";
}
