import { Type } from "typebox";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";

const closed = { additionalProperties: false };
const time = (description: string) =>
  Type.Optional(Type.Number({ description: `${description}, in milliseconds since the epoch.` }));

const task = Type.Object({
  name: Type.String(),
  intervalMs: Type.Optional(
    Type.Number({
      description: "Usual time between two runs; absent where it follows from the work.",
    }),
  ),
  isRunning: Type.Boolean(),
  isPaused: Type.Boolean({ description: "True while no run of it begins." }),
  lastRunAt: time("Start of its last run"),
  lastDurationMs: Type.Optional(Type.Number()),
  lastError: Type.Optional(
    Type.String({ description: "Error of its last run; absent when that succeeded." }),
  ),
  failures: Type.Integer({ description: "Number of runs in a row that failed." }),
  nextRunAt: time("Time of its next run; absent while it waits for work, or is paused"),
});

const named = Type.Object({ name: Type.String({ minLength: 1, maxLength: 64 }) }, closed);

/** The methods of the background tasks of the host (HOST-024). */
export const taskMethods = methodTable(
  defineMethod({
    name: "tasks.list",
    summary: "Lists the background tasks of the gateway, with their last and next runs.",
    params: Type.Object({}, closed),
    result: Type.Object({ tasks: Type.Array(task) }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "tasks.pause",
    summary: "Lets no run of a background task begin until it is resumed, or the gateway restarts.",
    params: named,
    result: task,
    errors: ["TASK_NOT_FOUND"],
    scope: "operator.admin",
    effect: "write",
  }),
  defineMethod({
    name: "tasks.resume",
    summary: "Lets the runs of a background task begin again; one that was due begins at once.",
    params: named,
    result: task,
    errors: ["TASK_NOT_FOUND"],
    scope: "operator.admin",
    effect: "write",
  }),
  defineMethod({
    name: "tasks.run",
    summary: "Runs a background task now, also a paused one, and returns its state after the run.",
    params: named,
    result: task,
    errors: ["TASK_NOT_FOUND"],
    scope: "operator.admin",
    effect: "write",
  }),
);
