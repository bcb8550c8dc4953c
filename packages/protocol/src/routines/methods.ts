import { type Static, Type } from "typebox";
import type { Immutable } from "../definition/immutable.js";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";
import { routineRunState } from "../events/routine.js";
import { routineChanges, scheduleFields } from "./fields.js";

const closed = { additionalProperties: false };
const time = (description: string) =>
  Type.Integer({ description: `${description}, in milliseconds since the epoch.` });

const routine = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "Name of the routine, its ID, or the beginning of the ID.",
});

const instant = (description: string) =>
  Type.Integer({
    minimum: 0,
    maximum: 8_640_000_000_000_000,
    description: `${description}, in milliseconds since the epoch; at most 31 days between both.`,
  });

const shownTimes = Type.Array(
  Type.Object({
    at: time("Due time"),
    local: Type.String({ description: "In the zone of the schedule." }),
    utc: Type.String({ description: "ISO 8601." }),
  }),
  { description: "The next due times, at most five." },
);

/** Status of a due time. */
export const runSchema = Type.Object({
  plannedAt: time("Due time"),
  origin: Type.Enum(["schedule", "manual", "webhook", "event", "file"]),
  state: routineRunState,
  reason: Type.Optional(Type.String({ description: "Why it ended so, or how late it began." })),
  startedAt: Type.Optional(time("Time of its start")),
  endedAt: Type.Optional(time("Time of its end")),
  runId: Type.Optional(Type.String({ description: "ID of the turn, for `runs.get`." })),
  jobId: Type.Optional(Type.String({ description: "ID of the job, for `jobs.get`." })),
  answer: Type.Optional(Type.String({ description: "Its reply." })),
  delivery: Type.Optional(
    Type.Object({
      state: Type.Enum(["not-requested", "delivered", "not-delivered"]),
      reason: Type.Optional(Type.String()),
    }),
  ),
});

const summary = {
  routineId: Type.String({ description: "ID, a UUID." }),
  name: Type.String(),
  enabled: Type.Boolean(),
  disabledReason: Type.Optional(Type.String({ description: "Why the host disabled it." })),
  schedule: Type.String({ description: "Its schedule in plain words." }),
  kind: Type.Enum(["at", "every", "cron", "manual", "webhook", "event", "file"], {
    description: "What sets it off; the first three are schedules.",
  }),
  action: Type.Enum(["message", "lightweight", "full_job", "heartbeat", "tool", "workflow"]),
  agentId: Type.String(),
  sessionKey: Type.String({ description: "Session in which its turns run." }),
  askedIn: Type.Optional(Type.String({ description: "Session that gets its results." })),
  nextAt: Type.Optional(time("Next due time")),
  lastRun: Type.Optional(runSchema),
};

/** A routine as lists show it. */
export const routineSummarySchema = Type.Object(summary);

const routineDetailsSchema = Type.Object({
  ...summary,
  trigger: Type.Record(Type.String(), Type.Unknown(), { description: "Its schedule as stored." }),
  prompt: Type.String({ description: "Task of the agent; empty when it calls a tool." }),
  call: Type.Optional(
    Type.Object(
      { tool: Type.String(), params: Type.Record(Type.String(), Type.Unknown()) },
      { description: "Call of each run; a workflow is a call of `lobster`." },
    ),
  ),
  model: Type.Optional(Type.String()),
  catchUp: Type.Enum(["latest", "all", "none"]),
  overlap: Type.Enum(["skip", "queue", "cancel-other"]),
  cooldownMs: Type.Optional(Type.Integer()),
  dedupMs: Type.Optional(Type.Integer()),
  contextPaths: Type.Optional(Type.Array(Type.String())),
  quietHours: Type.Optional(Type.Object({ from: Type.String(), to: Type.String() })),
  notify: Type.Object({
    onAttention: Type.Boolean(),
    onFailure: Type.Boolean(),
    onSuccess: Type.Boolean(),
  }),
  next: shownTimes,
  createdAt: time("Time of its creation"),
  webhook: Type.Optional(Type.String({ description: "Path of the requests that set it off." })),
  webhookSecret: Type.Optional(
    Type.String({ description: "Secret of its webhook, returned when the webhook is set." }),
  ),
});

/** The methods of routines. */
export const routineMethods = methodTable(
  defineMethod({
    name: "cron.list",
    summary: "Lists routines by name.",
    params: Type.Object({}, closed),
    result: Type.Object({ routines: Type.Array(routineSummarySchema) }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "cron.summary",
    summary: "Returns the number of routines, and of those that are enabled and that failed last.",
    params: Type.Object({}, closed),
    result: Type.Object({
      total: Type.Integer(),
      enabled: Type.Integer(),
      failing: Type.Integer({ description: "Enabled ones whose last run failed." }),
      nextAt: Type.Optional(time("Next due time of all")),
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "cron.get",
    summary: "Returns a routine with its next five due times.",
    params: Type.Object({ routine }, closed),
    result: routineDetailsSchema,
    errors: ["ROUTINE_NOT_FOUND"],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "cron.runs",
    summary: "Returns the due times of a routine with their status, newest first.",
    params: Type.Object(
      {
        routine,
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 200, default: 20, description: "Default 20." }),
        ),
      },
      closed,
    ),
    result: Type.Object({ routine: routineSummarySchema, runs: Type.Array(runSchema) }),
    errors: ["ROUTINE_NOT_FOUND"],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "cron.agenda",
    summary:
      "Returns the due times of all routines and of the heartbeat in a period, oldest first, past ones with their status.",
    params: Type.Object({ from: instant("Begin"), to: instant("End, exclusive") }, closed),
    result: Type.Object({
      entries: Type.Array(
        Type.Object({
          routineId: Type.String(),
          name: Type.String(),
          agentId: Type.String(),
          at: time("Due time"),
          run: Type.Optional(runSchema),
          quietHours: Type.Optional(
            Type.String({
              description:
                "Quiet hours of the routine in which it is, and for which it is skipped.",
            }),
          ),
        }),
      ),
      isCut: Type.Boolean({ description: "True when later due times are left out." }),
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "cron.why",
    summary: "Explains in sentences the last due time of a routine and the next one.",
    params: Type.Object({ routine }, closed),
    result: Type.Object({ routine: routineSummarySchema, lines: Type.Array(Type.String()) }),
    errors: ["ROUTINE_NOT_FOUND"],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "cron.preview",
    summary: "Reads a schedule, and returns it in words with its next five due times.",
    params: Type.Object(scheduleFields, closed),
    result: Type.Object({
      schedule: Type.String({ description: "In plain words." }),
      next: shownTimes,
    }),
    errors: ["SCHEDULE_INVALID"],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "cron.add",
    summary: "Creates a routine.",
    params: Type.Object(
      {
        ...routineChanges,
        name: Type.String({ minLength: 1, maxLength: 64, description: "`[a-z0-9_-]{1,64}`." }),
        agentId: Type.Optional(
          Type.String({ minLength: 1, maxLength: 64, description: "Default the default agent." }),
        ),
        sessionKey: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 400,
            description:
              "Full or short key of the session that gets its results; none when absent.",
          }),
        ),
      },
      closed,
    ),
    result: routineDetailsSchema,
    errors: ["ROUTINE_REFUSED", "SCHEDULE_INVALID"],
    scope: "operator.write",
    effect: "write",
  }),
  defineMethod({
    name: "cron.update",
    summary: "Changes a routine; what is absent stays as it is.",
    params: Type.Object(
      {
        routine,
        ...routineChanges,
        enabled: Type.Optional(Type.Boolean()),
      },
      closed,
    ),
    result: routineDetailsSchema,
    errors: ["ROUTINE_NOT_FOUND", "ROUTINE_REFUSED", "SCHEDULE_INVALID"],
    scope: "operator.write",
    effect: "write",
  }),
  defineMethod({
    name: "cron.run",
    summary: "Runs a routine now, also a disabled one; its due times stay as they are.",
    params: Type.Object({ routine }, closed),
    result: Type.Object({ routine: routineSummarySchema, run: runSchema }),
    errors: ["ROUTINE_NOT_FOUND", "ROUTINE_REFUSED"],
    scope: "operator.write",
    effect: "write",
  }),
  defineMethod({
    name: "cron.remove",
    summary: "Removes a routine with its history, and ends a run of it.",
    params: Type.Object({ routine }, closed),
    result: routineSummarySchema,
    errors: ["ROUTINE_NOT_FOUND"],
    scope: "operator.write",
    effect: "write",
  }),
);

/** A routine as lists show it. */
export type RoutineSummary = Immutable<Static<typeof routineSummarySchema>>;

/** A routine with everything that it does. */
export type RoutineDetails = Immutable<Static<typeof routineDetailsSchema>>;

/** Status of a due time. */
export type RoutineRunSummary = Immutable<Static<typeof runSchema>>;
