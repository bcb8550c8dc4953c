import { answer, type CoreTool, refusing, ToolRefusalError } from "@openclaw/core-tools";
import { isJobKey, isSubagentKey } from "@openclaw/messaging";
import { jsonResult } from "@openclaw/plugin-sdk/tool-results";
import { defineTool, type ToolSessionContext } from "@openclaw/plugin-sdk/tools";
import type { JobMode } from "@openclaw/store";
import { Type } from "typebox";
import { BUILDER_TOOL_NAME, createBuilderTool } from "./builder.js";
import { creatorOfSession, type JobViewer, viewerOf } from "./creator.js";
import { JOB_FILTERS } from "./filters.js";
import type { Jobs } from "./jobs.js";
import { createPlanTool, PLAN_TOOL_NAME } from "./plan-tool.js";
import { jobDetails, jobSummary } from "./view.js";

const closed = { additionalProperties: false };
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Jobs that the agent may create for one sender (JOB-017). */
const PER_MINUTE = 5;
const PER_HOUR = 30;

/** Names of the tools (JOB-046). */
export const JOB_TOOL_NAMES = [
  "create_job",
  "list_jobs",
  "job_status",
  "cancel_job",
  PLAN_TOOL_NAME,
  BUILDER_TOOL_NAME,
] as const;

// One object each for all turns: a schema is compiled once.
const creation = Type.Object(
  {
    title: Type.String({ minLength: 1, maxLength: 200 }),
    description: Type.String({
      minLength: 1,
      description: "All it needs to know; at most 32 KiB.",
    }),
    wait: Type.Optional(Type.Boolean({ description: "Wait for the result. Default: false." })),
    mode: Type.Optional(
      Type.Enum(["worker", "sandboxed", "claude_code"], {
        description: "Default: worker. sandboxed: on a copy of the workspace.",
      }),
    ),
  },
  closed,
);
const filtering = Type.Object(
  { filter: Type.Optional(Type.Enum(["active", "done", "failed"])) },
  closed,
);
const naming = Type.Object({ job_id: Type.String({ minLength: 1 }) }, closed);

/**
 * Creates the tools `create_job`, `list_jobs`, `job_status` and `cancel_job` (JOB-046), and in the session of a job
 * `update_plan` (JOB-014); where the builder is enabled `build_software` (TURN-068). A subagent has none of them: a job would have more tools than the subagent may use.
 * @param jobs - returns the jobs of the host; not called before a tool is, except in the session of a job
 * @param hasBuilder - returns true where agents may build software
 */
export function createJobTools(jobs: () => Jobs, hasBuilder: () => boolean): CoreTool {
  return (session) => {
    const { sessionKey } = session;
    if (isSubagentKey(sessionKey)) return [];
    const builder = hasBuilder() ? [createBuilderTool(session, jobs)] : [];
    const tools = [...toolsOf(session, jobs), ...builder];
    const isPlanned = isJobKey(sessionKey) && jobs().isPlanned;
    return isPlanned ? [...tools, createPlanTool(sessionKey, jobs)] : tools;
  };
}

function toolsOf(session: ToolSessionContext, host: () => Jobs) {
  const creator = creatorOfSession(session);
  const viewer: JobViewer = viewerOf(creator);
  return [
    defineTool({
      name: "create_job",
      label: "Create a job",
      description:
        "Start work in the background that survives a restart. Its result is delivered to this conversation.",
      parameters: creation,
      // The same call names the same job, so that a repeat after a crash finds it.
      idempotent: true,
      execute: (toolCallId, { title, description, wait, mode }, signal) =>
        answer("create a job", () =>
          refusing(async () => {
            assertMode(mode);
            const jobs = host();
            const runId = jobs.runningTurn(session.sessionKey) ?? "";
            await assertRate(viewer, jobs);
            const job = await jobs.create({
              ...{ title, description, creator, agentId: session.agentId },
              ...{ askedIn: session.sessionKey, mode },
              identity: JSON.stringify(["call", session.sessionKey, runId, toolCallId, title]),
            });
            if (wait !== true) return jsonResult(jobSummary(job));
            return jsonResult(jobDetails(await jobs.ended(job.jobId, signal)));
          }),
        ),
    }),
    defineTool({
      name: "list_jobs",
      label: "List jobs",
      description: "List the newest jobs of this user.",
      parameters: filtering,
      idempotent: true,
      execute: (_id, { filter }) =>
        answer("list jobs", async () => {
          const states = filter === undefined ? undefined : JOB_FILTERS[filter];
          const found = await host().list(viewer, { states });
          return jsonResult(found.map(jobSummary));
        }),
    }),
    defineTool({
      name: "job_status",
      label: "Job status",
      description: "Show the state and the result of a job.",
      parameters: naming,
      idempotent: true,
      execute: (_id, { job_id }) =>
        answer(`show the job "${job_id}"`, () =>
          refusing(async () => jsonResult(jobDetails(await host().get(job_id, viewer)))),
        ),
    }),
    defineTool({
      name: "cancel_job",
      label: "Cancel a job",
      description: "End a job without its result.",
      parameters: naming,
      approval: "unless-granted",
      execute: (_id, { job_id }) =>
        answer(`cancel the job "${job_id}"`, () =>
          refusing(async () => jsonResult(jobSummary(await host().cancel(job_id, viewer)))),
        ),
    }),
  ];
}

/** Nothing is downgraded silently. */
function assertMode(mode: JobMode | undefined): void {
  if (mode !== "claude_code") return;
  throw new ToolRefusalError(
    "invalid-value",
    "This host does not run jobs with claude_code. Leave mode out, or use worker or sandboxed.",
  );
}

async function assertRate(viewer: JobViewer, jobs: Pick<Jobs, "createdWithin">): Promise<void> {
  const inMinute = await jobs.createdWithin(viewer, MINUTE_MS);
  const inHour = await jobs.createdWithin(viewer, HOUR_MS);
  if (inMinute < PER_MINUTE && inHour < PER_HOUR) return;
  throw new ToolRefusalError(
    "too-many",
    `At most ${PER_MINUTE} jobs per minute and ${PER_HOUR} per hour can be created. Do the work here, or create the job later.`,
  );
}
