import { startOfText } from "@openclaw/foundation";
import { ParameterError } from "@openclaw/plugin-sdk/errors";
import type { JobProgress, ToolJob } from "@openclaw/plugin-sdk/tools";
import type { TurnRequest } from "./request.js";

const LONGEST_NOTE = 200;

/**
 * Returns the job of a turn as its tools see it; undefined for a turn that is not of a job.
 * @param request - the turn
 */
export function toolJobOf({
  job,
  onEvent,
}: Pick<TurnRequest, "job" | "onEvent">): ToolJob | undefined {
  if (job === undefined) return undefined;
  const { jobId, title } = job;
  return {
    jobId,
    title,
    progress: (given) => onEvent({ type: "job-progress", progress: readProgress(given) }),
  };
}

/** Returns progress within its bounds: plugins without types report it too. */
function readProgress(given: JobProgress): JobProgress {
  const { done, total, note } = given;
  if (!isAmount(done, 0)) throw new ParameterError("done", "a number of at least 0", done);
  if (total !== undefined && !isAmount(total, done)) {
    throw new ParameterError("total", "a number that is not less than done", total);
  }
  if (note !== undefined && typeof note !== "string") {
    throw new ParameterError("note", "a string", note);
  }
  return {
    done,
    ...(total === undefined ? {} : { total }),
    ...(note === undefined ? {} : { note: startOfText(note, LONGEST_NOTE) }),
  };
}

function isAmount(value: unknown, least: number): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= least;
}
