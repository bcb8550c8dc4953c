import { Type } from "typebox";

const text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }));

/** A schedule as people write it: one of `at`, `every` and `cron`. */
export const scheduleFields = {
  at: text("One time: ISO 8601, `in 20 minutes`, `tomorrow 9:00`, `monday 9:00`."),
  every: text("Length of time between runs, such as `30m`."),
  anchor: text("A due time from which `every` counts; default the time of the request."),
  cron: text("Five to seven fields, or a name such as `@daily`."),
  tz: text("IANA zone; default that of the host."),
};

/** Parts of a routine that can be changed. */
export const routineChanges = {
  ...scheduleFields,
  manual: Type.Optional(Type.Boolean({ description: "True for no schedule: people start it." })),
  webhook: Type.Optional(
    Type.Boolean({ description: "True for requests that set it off; the secret is a new one." }),
  ),
  onMessage: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1024,
      description: "Pattern in RE2 syntax; a message of a person that matches sets it off.",
    }),
  ),
  onChannel: text("Channel of these messages; every one when absent."),
  onFile: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 400,
      description: "File or folder in the workspace; a file that is written there sets it off.",
    }),
  ),
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: "`[a-z0-9_-]{1,64}`." }),
  ),
  prompt: Type.Optional(Type.String({ minLength: 1, maxLength: 16_384 })),
  action: Type.Optional(
    Type.Enum(["message", "lightweight", "full_job"], {
      description:
        "`message`: a turn of the agent with its tools (default); `lightweight`: one model call without tools and history; `full_job`: a job.",
    }),
  ),
  tool: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: "Tool that each run calls, instead of a task of the agent.",
    }),
  ),
  workflow: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 400,
      description: "Workflow file in the workspace that each run executes, instead of a task.",
    }),
  ),
  params: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: "Parameters of the tool, or arguments of the workflow; at most 16 KiB.",
    }),
  ),
  model: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: "`provider/model`." }),
  ),
  catchUp: Type.Optional(
    Type.Enum(["latest", "all", "none"], {
      description: "Which missed due times run after an absence of the gateway; default `latest`.",
    }),
  ),
  overlap: Type.Optional(
    Type.Enum(["skip", "queue", "cancel-other"], {
      description:
        "A due time during a run: it is skipped (default), waits, or takes the place of that run.",
    }),
  ),
  cooldownSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 604_800,
      description: "Shortest time between two runs; default `routines.cooldownSeconds`.",
    }),
  ),
  dedupSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 604_800,
      description:
        "Time within which requests, messages and files with equal text set it off once; default 0.",
    }),
  ),
  contextPaths: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 400 }), {
      maxItems: 10,
      description: "Files of the workspace that each run is given, as untrusted text.",
    }),
  ),
  quiet: text("Hours in which it does not begin by itself, `22:00-07:00`, or `none`."),
  onAttention: Type.Optional(
    Type.Boolean({ description: "Deliver a reply without ROUTINE_OK; default true." }),
  ),
  onFailure: Type.Optional(Type.Boolean({ description: "Tell of a failure; default true." })),
  onSuccess: Type.Optional(
    Type.Boolean({ description: "Deliver a reply with ROUTINE_OK; default false." }),
  ),
};
