import { answer, refusing, ToolRefusalError } from "@openclaw/core-tools";
import { defined } from "@openclaw/foundation";
import { creatorOfSession, type JobViewer, viewerOf } from "@openclaw/jobs";
import { jsonResult } from "@openclaw/plugin-sdk/tool-results";
import { defineTool, type ToolSessionContext } from "@openclaw/plugin-sdk/tools";
import { type Static, Type } from "typebox";
import type { RoutineChangeRequest } from "./request.js";
import type { Routines } from "./routines.js";
import { scheduleRequest } from "./schedules/tool-schedule.js";
import { cronJob, routineDetails, runSummary } from "./view.js";

/** Name of the tool (TURN-069). */
export const CRON = "cron";

const RUNS = 20;
const READING: readonly string[] = ["list", "runs"];
const closed = { additionalProperties: false };

// One object for all turns: a schema is compiled once.
const parameters = Type.Object(
  {
    action: Type.Enum(["list", "runs", "add", "update", "remove", "run"]),
    id: Type.Optional(
      Type.String({ minLength: 1, description: "Name or ID; needed except for list and add." }),
    ),
    job: Type.Optional(
      Type.Object(
        {
          name: Type.Optional(Type.String({ minLength: 1 })),
          schedule: Type.Optional(
            Type.String({ minLength: 1, description: 'Cron, "every 30m" or "in 20 minutes".' }),
          ),
          timezone: Type.Optional(Type.String({ minLength: 1 })),
          prompt: Type.Optional(Type.String({ minLength: 1 })),
          deliver: Type.Optional(
            Type.Boolean({ description: "False keeps the results in the history." }),
          ),
        },
        closed,
      ),
    ),
  },
  closed,
);

type Parameters = Static<typeof parameters>;

/**
 * Creates the tool `cron`: the routines as models and plugins of the older API know them. It stores nothing.
 * @param session - session of the calls
 * @param routines - returns the routines of the host
 */
export function createCronTool(session: ToolSessionContext, routines: () => Routines) {
  return defineTool({
    name: CRON,
    label: "Schedules",
    description: "List, add, update, remove and run the jobs of schedules, which are routines.",
    parameters,
    ownerOnly: true,
    approval: ({ action }) => (READING.includes(action) ? "never" : "unless-granted"),
    execute: (_id, params) =>
      answer(`${params.action} jobs of schedules`, () =>
        refusing(async () => jsonResult(await outcomeOf(params, session, routines()))),
      ),
  });
}

async function outcomeOf(params: Parameters, session: ToolSessionContext, routines: Routines) {
  const { action, job } = params;
  const creator = creatorOfSession(session);
  const viewer: JobViewer = viewerOf(creator);
  switch (action) {
    case "list":
      return { jobs: (await routines.list(viewer)).map(cronJob) };
    case "runs": {
      const { runs } = await routines.runs(idOf(params), viewer, RUNS);
      return { runs: runs.map(runSummary) };
    }
    case "add": {
      const { sessionKey: askedIn, agentId } = session;
      const { name, schedule, prompt } = job ?? {};
      if (name === undefined || schedule === undefined || prompt === undefined) {
        throw new ToolRefusalError("invalid-value", "job: name, schedule and prompt are needed");
      }
      const request = { ...changesOf(job), name, prompt, agentId, askedIn, creator };
      return routineDetails(await routines.add(request));
    }
    case "update": {
      const id = idOf(params);
      const changes = changesOf(job);
      if (Object.keys(changes).length === 0) {
        throw new ToolRefusalError("invalid-value", "job: name at least one field that changes");
      }
      return routineDetails(await routines.update(id, viewer, changes));
    }
    case "remove":
      return cronJob(await routines.remove(idOf(params), viewer));
    case "run": {
      const { state, run } = await routines.run(idOf(params), viewer);
      return { job: cronJob(state), run: runSummary(run) };
    }
    default:
      throw new TypeError(`unknown action ${String(action)}`);
  }
}

function idOf({ action, id }: Parameters): string {
  if (id !== undefined) return id;
  throw new ToolRefusalError("invalid-value", `id: ${action} needs the name or ID of a job`);
}

function changesOf({
  name,
  schedule,
  timezone: tz,
  prompt,
  deliver,
}: NonNullable<Parameters["job"]> = {}): RoutineChangeRequest {
  const when = schedule === undefined ? {} : scheduleRequest(schedule);
  const told = deliver === undefined ? {} : { onAttention: deliver, onFailure: deliver };
  return defined({ name, prompt, tz, ...when, ...told });
}
