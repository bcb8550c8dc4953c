import { type Static, Type } from "typebox";
import type { Immutable } from "../definition/immutable.js";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";
import { jobBudgetRequest, jobPlan, jobProgress, jobState } from "../events/job.js";

const closed = { additionalProperties: false };
const time = (description: string) =>
  Type.Integer({ description: `${description}, in milliseconds since the epoch.` });

const jobId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "ID of the job, or the beginning of it.",
});

const jobMode = Type.Enum(["worker", "sandboxed", "claude_code"], {
  description:
    "Execution model: the process of the host, a worker in a sandbox, or Claude Code in a sandbox.",
});

const changedFile = Type.Object({
  path: Type.String({ description: "Relative to the workspace." }),
  kind: Type.Enum(["added", "modified", "deleted"]),
  bytes: Type.Integer({ description: "Size afterwards." }),
  isConflict: Type.Boolean({
    description: "True when the file of the workspace changed since the job began.",
  }),
});

const summary = {
  jobId: Type.String({ description: "ID, a UUID." }),
  title: Type.String(),
  state: jobState,
  mode: jobMode,
  awaitsApproval: Type.Boolean({ description: "True while it waits for an approval." }),
  agentId: Type.String(),
  sessionKey: Type.String({ description: "Session in which its turns run." }),
  parentId: Type.Optional(Type.String({ description: "Job that asked for it." })),
  askedIn: Type.Optional(Type.String({ description: "Session that gets the result." })),
  createdAt: time("Time of its creation"),
  startedAt: Type.Optional(time("Time of its first start")),
  completedAt: Type.Optional(time("Time at which it was completed, failed or was cancelled")),
  reason: Type.Optional(Type.String({ description: "Why it failed." })),
  question: Type.Optional(jobBudgetRequest),
  plan: Type.Optional(jobPlan),
  progress: Type.Optional(jobProgress),
  channel: Type.String({ description: "Channel on which it was asked for." }),
  priority: Type.Integer(),
  repairAttempts: Type.Integer({ description: "Number of times it was started again when stuck." }),
  usedUsd: Type.Number(),
  maxUsd: Type.Number({ description: "Budget; 0 for none." }),
  actions: Type.Array(Type.Enum(["accept", "cancel", "continue", "prompt", "restart"]), {
    description: "Methods that its state permits, without `jobs.`.",
  }),
};

const delivery = Type.Object(
  {
    state: Type.Enum(["delivered", "suppressed", "failed"]),
    reason: Type.Optional(
      Type.String({
        description: "Why it was not delivered; for a failure the error of the channel.",
      }),
    ),
    code: Type.Optional(Type.String({ description: "Code of the error of the channel." })),
    at: Type.Optional(time("Time at which it ended")),
  },
  { description: "Delivery of the result, kept for good; absent until it has ended." },
);

const jobSummarySchema = Type.Object(summary);

const jobDetailsSchema = Type.Object({
  ...summary,
  description: Type.String({ description: "The task." }),
  depth: Type.Integer({ description: "0 for a job that a person asked for." }),
  model: Type.Optional(Type.String()),
  runId: Type.Optional(
    Type.String({ description: "Turn that works on it, or worked on it last." }),
  ),
  usedTokens: Type.Integer(),
  maxTokens: Type.Integer({ description: "Budget; 0 for none." }),
  steps: Type.Optional(
    Type.Array(
      Type.Object({
        text: Type.String(),
        state: Type.Enum(["pending", "active", "done"]),
      }),
      { description: "Steps of its plan." },
    ),
  ),
  runtime: Type.Optional(
    Type.String({ description: "Program that separated its last worker from the host." }),
  ),
  deniedHosts: Type.Optional(
    Type.Array(Type.String(), { description: "Hosts that its worker asked for and was denied." }),
  ),
  result: Type.Optional(Type.String()),
  delivery: Type.Optional(delivery),
});

/** The methods of jobs (JOB-017). */
export const jobMethods = methodTable(
  defineMethod({
    name: "jobs.list",
    summary: "Lists jobs, newest first.",
    params: Type.Object(
      {
        states: Type.Optional(Type.Array(jobState, { description: "Only jobs in these states." })),
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 200, default: 50, description: "Default 50." }),
        ),
      },
      closed,
    ),
    result: Type.Object({ jobs: Type.Array(jobSummarySchema) }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "jobs.summary",
    summary: "Returns the number of jobs in each state.",
    params: Type.Object({}, closed),
    result: Type.Object({
      total: Type.Integer(),
      counts: Type.Record(Type.String(), Type.Integer(), { description: "By state." }),
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "jobs.get",
    summary: "Returns one job with its task, what it used, and its result.",
    params: Type.Object({ jobId }, closed),
    result: jobDetailsSchema,
    errors: ["JOB_NOT_FOUND"],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "jobs.events",
    summary: "Returns the newest 200 moves of a job between states, and its runs, oldest first.",
    params: Type.Object({ jobId }, closed),
    result: Type.Object({
      job: jobSummarySchema,
      moves: Type.Array(
        Type.Object({
          number: Type.Integer(),
          from: jobState,
          to: jobState,
          reason: Type.Optional(Type.String()),
          at: time("Time of the move"),
        }),
      ),
      runs: Type.Array(
        Type.Object({
          runId: Type.String({ description: "ID of the turn, for `runs.get`." }),
          startedAt: time("Time of its start"),
          endedAt: Type.Optional(time("Time of its end")),
          outcome: Type.Optional(Type.String()),
          reason: Type.Optional(Type.String()),
          delivery: Type.Optional(delivery),
        }),
      ),
    }),
    errors: ["JOB_NOT_FOUND"],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "jobs.create",
    summary: "Creates a job, which starts when a place is free.",
    params: Type.Object(
      {
        title: Type.String({ minLength: 1, maxLength: 200 }),
        description: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 32_768,
            description: "The task; default the title.",
          }),
        ),
        agentId: Type.Optional(
          Type.String({ minLength: 1, maxLength: 64, description: "Default the default agent." }),
        ),
        sessionKey: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 400,
            description: "Full or short key of the session that gets the result; none when absent.",
          }),
        ),
        model: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
        mode: Type.Optional(jobMode),
        priority: Type.Optional(
          Type.Integer({ minimum: -100, maximum: 100, description: "Higher ones start first." }),
        ),
        maxTokens: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
        maxUsd: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
      },
      closed,
    ),
    result: jobDetailsSchema,
    errors: ["JOB_MODE_UNAVAILABLE", "JOB_REFUSED", "MAX_JOBS_EXCEEDED"],
    scope: "operator.write",
    effect: "write",
  }),
  defineMethod({
    name: "jobs.runtimes",
    summary:
      "Returns the runtimes in which sandboxed jobs can run, and Claude Code, with what each one lacks.",
    params: Type.Object({}, closed),
    result: Type.Object({
      runtimes: Type.Array(
        Type.Object({
          name: Type.String(),
          isAvailable: Type.Boolean(),
          notice: Type.Optional(Type.String({ description: "A limit that it does not offer." })),
          version: Type.Optional(Type.String({ description: "Version of Claude Code." })),
          cause: Type.Optional(Type.String({ description: "What is missing." })),
          remedy: Type.Optional(Type.String({ description: "How to get it." })),
        }),
      ),
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "jobs.diff",
    summary:
      "Returns what a sandboxed job changed in its copy of the workspace, with a unified diff of at most about 256 KiB.",
    params: Type.Object({ jobId }, closed),
    result: Type.Object({
      files: Type.Array(changedFile),
      diff: Type.String({ description: "Unified diff; binary and large files are named only." }),
      isCut: Type.Boolean({ description: "True when the diff leaves files out." }),
      digest: Type.String({ description: "Digest of the changes, for `jobs.apply`." }),
    }),
    errors: ["JOB_MODE_UNAVAILABLE", "JOB_NOT_FOUND", "JOB_REFUSED", "WORKER_WORKSPACE"],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "jobs.apply",
    summary:
      "Applies what a sandboxed job changed to the workspace: exactly the changes that `jobs.diff` returned, or none when a file of the workspace changed meanwhile.",
    params: Type.Object(
      {
        jobId,
        digest: Type.String({
          pattern: "^[0-9a-f]{64}$",
          description: "Digest of `jobs.diff`.",
        }),
      },
      closed,
    ),
    result: Type.Object({ files: Type.Array(changedFile) }),
    errors: ["JOB_MODE_UNAVAILABLE", "JOB_NOT_FOUND", "JOB_REFUSED", "WORKER_WORKSPACE"],
    scope: "operator.approvals",
    effect: "write",
  }),
  defineMethod({
    name: "jobs.gc",
    summary:
      "Removes the leftovers of workers of earlier processes, and copies of workspaces that no job has. The gateway does it at each start.",
    params: Type.Object({}, closed),
    result: Type.Object({
      workers: Type.Integer({ description: "Number of removed leftovers of workers." }),
      copies: Type.Integer({ description: "Number of removed copies." }),
    }),
    errors: [],
    scope: "operator.write",
    effect: "write",
  }),
  defineMethod({
    name: "jobs.cancel",
    summary: "Cancels a job and the jobs that it asked for.",
    params: Type.Object({ jobId }, closed),
    result: jobDetailsSchema,
    errors: ["JOB_NOT_FOUND", "JOB_TRANSITION"],
    scope: "operator.write",
    effect: "write",
  }),
  defineMethod({
    name: "jobs.restart",
    summary:
      "Starts a stuck job again, or creates one again that failed or was cancelled; the result is the job that works now.",
    params: Type.Object({ jobId }, closed),
    result: jobDetailsSchema,
    errors: ["JOB_NOT_FOUND", "JOB_REFUSED", "JOB_TRANSITION", "MAX_JOBS_EXCEEDED"],
    scope: "operator.write",
    effect: "write",
  }),
  defineMethod({
    name: "jobs.files",
    summary: "Lists the files that the file tools of a job made or changed in its workspace.",
    params: Type.Object({ jobId }, closed),
    result: Type.Object({
      files: Type.Array(
        Type.Object({
          path: Type.String({ description: "Relative to the workspace." }),
          bytes: Type.Integer(),
          modifiedAt: time("Time of its last change"),
        }),
      ),
    }),
    errors: ["JOB_NOT_FOUND"],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "jobs.file",
    summary:
      "Returns a file in the workspace of a job, at most 512 KiB. Links are followed; a file outside is forbidden.",
    params: Type.Object({ jobId, path: Type.String({ minLength: 1, maxLength: 4096 }) }, closed),
    result: Type.Object({
      path: Type.String({ description: "Relative to the workspace." }),
      bytes: Type.Integer(),
      modifiedAt: time("Time of its last change"),
      content: Type.String({ description: "Its bytes, in base64." }),
    }),
    errors: ["JOB_NOT_FOUND", "JOB_FILE_FORBIDDEN", "JOB_FILE_UNREADABLE"],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "jobs.prompt",
    summary:
      "Gives a job that works a further prompt, which it reads after its next tool call, or in another turn.",
    params: Type.Object({ jobId, text: Type.String({ minLength: 1, maxLength: 32_768 }) }, closed),
    result: jobDetailsSchema,
    errors: ["JOB_NOT_FOUND", "JOB_NOT_RUNNING", "JOB_REFUSED"],
    scope: "operator.write",
    effect: "write",
  }),
  defineMethod({
    name: "jobs.continue",
    summary:
      "Lets a job continue whose budget is used up: with as much again as it had, or with an amount of tokens or money.",
    params: Type.Object(
      {
        jobId,
        tokens: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: "Further tokens." }),
        ),
        usd: Type.Optional(
          Type.Number({
            exclusiveMinimum: 0,
            maximum: 1_000_000,
            description: "Further money in US dollars.",
          }),
        ),
      },
      closed,
    ),
    result: jobDetailsSchema,
    errors: ["JOB_NOT_FOUND", "JOB_NOT_WAITING", "JOB_REFUSED"],
    scope: "operator.write",
    effect: "write",
  }),
  defineMethod({
    name: "jobs.accept",
    summary: "Accepts the result of a job.",
    params: Type.Object({ jobId }, closed),
    result: jobDetailsSchema,
    errors: ["JOB_NOT_FOUND", "JOB_TRANSITION"],
    scope: "operator.write",
    effect: "write",
  }),
);

/** A job as lists show it. */
export type JobSummary = Immutable<Static<typeof jobSummarySchema>>;

/** A job with its task and its result. */
export type JobDetails = Immutable<Static<typeof jobDetailsSchema>>;
