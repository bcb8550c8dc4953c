import type { GatewayMethodParameters, GatewayMethodResult, JobSummary } from "@openclaw/protocol";
import { call, onEvent } from "../../state/link.js";
import { watched } from "../../state/watched.js";

/** Jobs of the board, at most. */
const LISTED = 200;

/** A job with its history and its files. */
export interface JobPage {
  readonly job: GatewayMethodResult<"jobs.get">;
  readonly log: GatewayMethodResult<"jobs.events">;
  readonly files: GatewayMethodResult<"jobs.files">["files"];
}

/** Methods that the state of a job permits. */
export type JobAction = JobSummary["actions"][number];

/** Newest jobs, with the number of all in each state. */
export const jobs = watched(async () => {
  const [{ jobs: listed }, { counts }] = await Promise.all([
    call("jobs.list", { limit: LISTED }),
    call("jobs.summary", {}),
  ]);
  return { jobs: listed, counts };
});

let shownId: string | undefined;

/** Job of the page. */
export const jobPage = watched(async (): Promise<JobPage | undefined> => {
  if (shownId === undefined) return undefined;
  const jobId = shownId;
  const [job, log, { files }] = await Promise.all([
    call("jobs.get", { jobId }),
    call("jobs.events", { jobId }),
    call("jobs.files", { jobId }),
  ]);
  return { job, log, files };
});

/** Background tasks of the host. */
export const tasks = watched(async () => (await call("tasks.list", {})).tasks);

/** Chooses the job of the page. */
export function showJob(jobId: string): () => void {
  if (shownId !== jobId) jobPage.value.value = undefined;
  shownId = jobId;
  return jobPage.show();
}

/**
 * Does what the state of a job permits.
 * @param action - method without `jobs.`
 * @returns the job that works now; undefined when it failed, with the failure on the page
 */
export async function actOnJob(
  action: "accept" | "cancel" | "restart",
  jobId: string,
): Promise<GatewayMethodResult<"jobs.get"> | undefined> {
  return await changeJobs(() => call(`jobs.${action}`, { jobId }));
}

/**
 * Creates a job.
 * @param request - title, task and limits
 */
export async function createJob(
  request: GatewayMethodParameters<"jobs.create">,
): Promise<GatewayMethodResult<"jobs.get"> | undefined> {
  return await changeJobs(() => call("jobs.create", request));
}

/**
 * Changes jobs, and reads what is on the page.
 * @param act - calls the method
 */
export async function changeJobs<Result>(act: () => Promise<Result>): Promise<Result | undefined> {
  const shown = shownId === undefined ? jobs : jobPage;
  return await shown.change(act);
}

/** Leaves the page of a job. */
export function leaveJob(): void {
  shownId = undefined;
}

onEvent("job.changed", ({ payload: { jobId } }) => {
  jobs.refresh();
  if (jobId === jobPage.value.peek()?.job.jobId) jobPage.refresh();
});
