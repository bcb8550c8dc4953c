import { type Static, Type } from "typebox";
import type { Immutable } from "../definition/immutable.js";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";
import { runFork } from "../runs/fork.js";
import { runHookHandler } from "./run-hook-handler.js";
import { runState } from "./session-results.js";

const text = { minLength: 1, maxLength: 400 };

const run = Type.Object(
  {
    runId: Type.Optional(
      Type.String({ ...text, description: "ID of the run; default the newest run." }),
    ),
    sessionKey: Type.Optional(
      Type.String({
        ...text,
        description:
          "Session whose newest run is returned; default the session that was used last.",
      }),
    ),
  },
  { additionalProperties: false },
);

const runSpan = Type.Object({
  spanId: Type.String(),
  parentSpanId: Type.Optional(
    Type.String({ description: "Absent for the message itself, which contains all other steps." }),
  ),
  kind: Type.Enum(["message", "run", "model", "tool", "approval", "hook", "step"]),
  name: Type.String({ description: "For example `demo/echo`, `exec` or `before_tool_call`." }),
  at: Type.Number({ description: "Start, in milliseconds since the epoch." }),
  durationMs: Type.Optional(
    Type.Number({
      description: "Absent while the step is running, or when a process ended during it.",
    }),
  ),
  status: Type.Enum(["ok", "error", "refused", "open"]),
  summary: Type.String({ description: "Description in one line." }),
  attributes: Type.Record(
    Type.String(),
    Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
  ),
  handlers: Type.Optional(
    Type.Array(runHookHandler, { description: "Results of the handlers of a hook." }),
  ),
});

const runTrace = Type.Object({
  runId: Type.String(),
  traceId: Type.String(),
  sessionKey: Type.String(),
  agentId: Type.String(),
  messageId: Type.String(),
  state: Type.String(),
  spans: Type.Array(runSpan, {
    description: "In the order of their start; each one after the step that contains it.",
  }),
  hasHooks: Type.Boolean({ description: "False when the calls of hooks were not recorded." }),
});

const time = (description: string) =>
  Type.Number({ description: `${description}, in milliseconds since the epoch.` });

const failure = {
  code: Type.String({ description: "Code of the error, or of the reason why it was blocked." }),
  message: Type.String({ description: "What failed, and the next step." }),
  stage: Type.Optional(Type.String({ description: "Stage of the turn that failed." })),
};

const listedRun = Type.Object(
  {
    runId: Type.String(),
    sessionKey: Type.String(),
    agentId: Type.String(),
    channel: Type.String({ description: "Channel of the message that it answers." }),
    trigger: Type.String({ description: "For example `user`, `cron`, `job` or `subagent`." }),
    state: runState,
    text: Type.Optional(
      Type.String({
        description: "Beginning of the message that it answers; absent when it was erased.",
      }),
    ),
    label: Type.Optional(Type.String({ description: "Label of the session." })),
    queuedAt: time("Time at which it was queued"),
    startedAt: Type.Optional(time("Time of its last start")),
    endedAt: Type.Optional(time("Time of its end")),
    stopReason: Type.Optional(Type.String()),
    error: Type.Optional(Type.Object(failure)),
    modelCalls: Type.Integer({
      description:
        "Calls of models; 0 once its journal was removed (`store.retention.journalDays`).",
    }),
    toolCalls: Type.Integer({ description: "Calls of tools, with the same limit." }),
    step: Type.Optional(
      Type.Object(
        {
          kind: Type.String({
            description: "For example `model-requested`, `tool-intended` or `approval-asked`.",
          }),
          name: Type.Optional(Type.String({ description: "Tool or model of the step." })),
          at: time("Time of the step"),
        },
        { description: "Newest step; absent for a run that has ended or not begun." },
      ),
    ),
    recentSteps: Type.Optional(
      Type.Array(Type.Object({ kind: Type.String(), at: time("Time of the step") }), {
        description: "The newest 40 steps, oldest first; absent for a run that has ended.",
      }),
    ),
    costUsd: Type.Optional(
      Type.String({
        description:
          "Cost of its model calls: US dollars as a decimal number; absent where it is not known.",
      }),
    ),
  },
  { title: "ListedRun" },
);

const runCursor = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: "`nextCursor` of the page before; the first page when absent.",
});

const firstTime = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: "Only runs that were queued since, in milliseconds since the epoch.",
});

/** The methods about runs. */
export const runMethods = methodTable(
  defineMethod({
    name: "run.trace",
    summary: "Returns the steps of a run, from its message to its delivered reply.",
    params: run,
    result: runTrace,
    errors: ["RUN_NOT_FOUND"],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "runs.list",
    summary: "Lists runs with their newest step and cost, the one that was queued last first.",
    params: Type.Object(
      {
        states: Type.Optional(
          Type.Array(Type.Enum(runState.enum), {
            minItems: 1,
            maxItems: 7,
            description: "Only runs in these states; default those that have not ended.",
          }),
        ),
        sessionKey: Type.Optional(Type.String({ ...text, description: "Only runs of a session." })),
        from: Type.Optional(firstTime),
        cursor: Type.Optional(runCursor),
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 200,
            default: 50,
            description: "Maximum number of runs; default 50.",
          }),
        ),
      },
      { additionalProperties: false },
    ),
    result: Type.Object({
      runs: Type.Array(listedRun),
      nextCursor: Type.Optional(
        Type.String({ description: "Cursor of the next page; absent on the last one." }),
      ),
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "runs.failures",
    summary:
      "Groups the failed and blocked runs since a time, by default of the last 24 hours, by their cause, the newest first.",
    params: Type.Object({ from: Type.Optional(firstTime) }, { additionalProperties: false }),
    result: Type.Object({
      causes: Type.Array(
        Type.Object({
          ...failure,
          state: Type.Enum(["failed", "blocked"]),
          count: Type.Integer({ description: "Number of runs." }),
          firstAt: time("Time of the first of them"),
          last: listedRun,
        }),
      ),
      isPartial: Type.Boolean({
        description: "True when there were more than 1,000 runs, of which the newest are grouped.",
      }),
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "run.recording",
    summary: "Returns the recording of a run for `openclaw replay`.",
    params: run,
    result: Type.Record(Type.String(), Type.Unknown()),
    errors: ["RUN_NOT_FOUND", "RUN_NOT_REPLAYABLE"],
    scope: "operator.read",
    effect: "read",
  }),
  runFork,
);

/** Result of one handler of a dispatch. Times are milliseconds. */
export type RunHookHandler = Immutable<Static<typeof runHookHandler>>;

/** Result of one dispatch of a hook. */
export interface RunHookNote {
  readonly hook: string;
  readonly kind: string;
  /** Span of the step at which it fired. */
  readonly spanId: string;
  /** Start in milliseconds since the epoch, with fractions. */
  readonly at: number;
  readonly durationMs: number;
  /** Outcome, for example `completed`, `terminal`, `denied` or `failed`. */
  readonly outcome: string;
  readonly error?: { readonly code: string; readonly message: string };
  readonly handlers: readonly RunHookHandler[];
}

/** Step of a run. */
export type RunSpan = Immutable<Static<typeof runSpan>>;

/** Steps of a run, from its message to its delivered reply. */
export type RunTrace = Immutable<Static<typeof runTrace>>;
