import { type Static, Type } from "typebox";
import type { Immutable } from "../definition/immutable.js";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";
import { runHookHandler } from "./run-hook-handler.js";

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
    name: "run.recording",
    summary: "Returns the recording of a run for `openclaw replay`.",
    params: run,
    result: Type.Record(Type.String(), Type.Unknown()),
    errors: ["RUN_NOT_FOUND", "RUN_NOT_REPLAYABLE"],
    scope: "operator.read",
    effect: "read",
  }),
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
