import { Type } from "typebox";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";
import { queueMode } from "./session-results.js";

// What models were called belongs to the description of the gateway.
export { usageMethods } from "../usage/methods.js";
// What a host stores belongs to it.
export { backupMethods } from "./backups.js";

const closed = { additionalProperties: false };
const count = Type.Integer();
const time = (description: string) =>
  Type.Optional(Type.Number({ description: `${description}, in milliseconds since the epoch.` }));

const task = Type.Object({
  name: Type.String(),
  pluginId: Type.Optional(
    Type.String({ description: "Plugin whose work it is; absent for work of the gateway." }),
  ),
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

const named = Type.Object({ name: Type.String({ minLength: 1, maxLength: 256 }) }, closed);

/** The methods about the running gateway (GW-029). */
export const hostMethods = methodTable(
  defineMethod({
    name: "host.health",
    summary:
      "Returns whether the gateway is ready, with the result of each check, as `/readyz` does.",
    params: Type.Object({}, closed),
    result: Type.Object({
      ready: Type.Boolean(),
      checks: Type.Array(
        Type.Object({
          name: Type.String(),
          ok: Type.Boolean(),
          detail: Type.Optional(Type.String()),
          isRequired: Type.Optional(
            Type.Boolean({ description: "False for a check that readiness does not depend on." }),
          ),
        }),
      ),
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "host.status",
    summary: "Describes the running gateway: version, uptime, model, agents, plugins and work.",
    params: Type.Object({}, closed),
    result: Type.Object({
      version: Type.String(),
      startedAt: Type.Number({ description: "Milliseconds since the epoch." }),
      uptimeMs: Type.Number(),
      database: Type.Object({
        dialect: Type.String(),
        name: Type.String(),
        lost: Type.Optional(
          Type.String({
            description:
              "Period whose content the database lacks since its start, with the next step.",
          }),
        ),
      }),
      model: Type.String({ description: "Model of agents without a configured one." }),
      workspaceDir: Type.String({
        description: "Folder in which sessions work that no local chat opened in another one.",
      }),
      queueMode: Type.Enum(queueMode.enum, {
        description:
          "Handling of messages that arrive during a turn, in sessions that do not set it.",
      }),
      configuration: Type.Object({
        files: Type.Array(Type.String(), {
          description: "Main file and included ones; empty when the defaults apply.",
        }),
        variables: Type.Array(Type.String(), {
          description: "Environment variables that give settings.",
        }),
        pending: Type.Array(Type.String(), {
          description: "Keys that take effect at the next start, dotted.",
        }),
        notice: Type.Optional(
          Type.String({
            description: "Problem with the files, or keys that wait for a restart.",
          }),
        ),
      }),
      agents: Type.Array(Type.String()),
      channels: Type.Array(Type.String()),
      generation: Type.Integer({ description: "Generation of the plugins." }),
      plugins: Type.Object({ loaded: count, disabled: count, failed: count }),
      skillsLeftOut: Type.Array(
        Type.Object({ code: Type.String(), path: Type.String(), message: Type.String() }),
        { description: "Skills that cannot be used, with the reason." },
      ),
      hookProblems: Type.Array(Type.String(), {
        description: "Why configured hooks are off, and files of hooks that are not read.",
      }),
      turns: Type.Object({
        unfinished: Type.Integer({
          description: "Turns that are queued, running or waiting for approval.",
        }),
      }),
      pendingApprovals: count,
      waitingDevices: count,
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
);

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
    summary: "Lets no run of a background task begin until it is resumed, also after a restart.",
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
