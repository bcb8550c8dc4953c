import { answer, type CoreTool, refusing, ToolRefusalError } from "@openclaw/core-tools";
import { creatorOfSession, type JobViewer, viewerOf } from "@openclaw/jobs";
import { isRoutineKey, isSubagentKey } from "@openclaw/messaging";
import { jsonResult } from "@openclaw/plugin-sdk/tool-results";
import { defineTool, type ToolSessionContext } from "@openclaw/plugin-sdk/tools";
import { Type } from "typebox";
import { CRON, createCronTool } from "./cron-tool.js";
import type { RoutineChangeRequest } from "./request.js";
import type { Routines } from "./routines.js";
import { scheduleRequest } from "./schedules/tool-schedule.js";
import { routineDetails, routineSummary, runSummary } from "./view.js";

const closed = { additionalProperties: false };

/** Names of the tools (JOB-047, TURN-069). */
export const ROUTINE_TOOL_NAMES = [
  "routine_create",
  "routine_list",
  "routine_update",
  "routine_delete",
  "routine_history",
  CRON,
] as const;

const RUNS = 20;
const MOST_RUNS = 200;

// One object each for all turns: a schema is compiled once.
const optional = {
  timezone: Type.Optional(Type.String({ minLength: 1 })),
  action_type: Type.Optional(Type.Enum(["message", "lightweight", "full_job"])),
  cooldown_secs: Type.Optional(Type.Integer({ minimum: 0 })),
  event_pattern: Type.Optional(Type.String({ minLength: 1, description: "RE2 syntax." })),
  event_channel: Type.Optional(Type.String({ minLength: 1 })),
  file_path: Type.Optional(Type.String({ minLength: 1, description: "In the workspace." })),
  context_paths: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), { description: "Files that each run is given." }),
  ),
};
const name = Type.String({ minLength: 1 });
const creation = Type.Object(
  {
    name,
    trigger_type: Type.Enum(["cron", "event", "webhook", "file", "manual"]),
    prompt: Type.String({ minLength: 1 }),
    schedule: Type.Optional(
      Type.String({ minLength: 1, description: 'Cron, "every 30m" or "in 20 minutes".' }),
    ),
    ...optional,
  },
  closed,
);
const changing = Type.Object(
  {
    name,
    ...optional,
    prompt: Type.Optional(Type.String({ minLength: 1 })),
    schedule: Type.Optional(Type.String({ minLength: 1 })),
    enabled: Type.Optional(Type.Boolean()),
  },
  closed,
);
const naming = Type.Object({ name }, closed);
const nothing = Type.Object({}, closed);
const history = Type.Object(
  { name, limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_RUNS })) },
  closed,
);

/**
 * Creates the tools of routines (JOB-047) and their view for models of the older API (TURN-069). A subagent has none of them, and neither has a run of a routine, which would
 * create further ones.
 * @param routines - returns the routines of the host
 */
export function createRoutineTools(routines: () => Routines): CoreTool {
  return (session) => {
    const { sessionKey } = session;
    const hasNone = isSubagentKey(sessionKey) || isRoutineKey(sessionKey);
    return hasNone ? [] : toolsOf(session, routines);
  };
}

function toolsOf(session: ToolSessionContext, host: () => Routines) {
  const creator = creatorOfSession(session);
  const viewer: JobViewer = viewerOf(creator);
  return [
    defineTool({
      name: "routine_create",
      label: "Create a routine",
      description: "Do a task later or repeatedly, such as a reminder. Results come here.",
      parameters: creation,
      execute: (_id, { name: wanted, trigger_type, prompt, ...rest }) =>
        answer(`create the routine "${wanted}"`, () =>
          refusing(async () => {
            const { sessionKey: askedIn, agentId } = session;
            const request = { ...changesOf(rest), name: wanted, prompt };
            const is = (type: string) => (trigger_type === type ? true : undefined);
            const kinds = { manual: is("manual"), webhook: is("webhook") };
            assertTrigger(trigger_type, request);
            const state = await host().add({ ...request, ...kinds, agentId, askedIn, creator });
            return jsonResult(routineDetails(state));
          }),
        ),
    }),
    defineTool({
      name: "routine_list",
      label: "List routines",
      description: "List the routines of this user.",
      parameters: nothing,
      idempotent: true,
      execute: () =>
        answer("list routines", async () =>
          jsonResult((await host().list(viewer)).map(routineSummary)),
        ),
    }),
    defineTool({
      name: "routine_update",
      label: "Change a routine",
      description: "Change, enable or disable a routine.",
      parameters: changing,
      idempotent: true,
      execute: (_id, { name: wanted, enabled, prompt, ...rest }) =>
        answer(`change the routine "${wanted}"`, () =>
          refusing(async () => {
            const changes = { ...changesOf(rest), prompt, enabled };
            return jsonResult(routineDetails(await host().update(wanted, viewer, changes)));
          }),
        ),
    }),
    defineTool({
      name: "routine_delete",
      label: "Remove a routine",
      description: "Remove a routine.",
      parameters: naming,
      execute: (_id, { name: wanted }) =>
        answer(`remove the routine "${wanted}"`, () =>
          refusing(async () => jsonResult(routineSummary(await host().remove(wanted, viewer)))),
        ),
    }),
    defineTool({
      name: "routine_history",
      label: "History of a routine",
      description: "List the runs of a routine, with the reasons of those that did not run.",
      parameters: history,
      idempotent: true,
      execute: (_id, { name: wanted, limit = RUNS }) =>
        answer(`list the runs of "${wanted}"`, () =>
          refusing(async () => {
            const { runs } = await host().runs(wanted, viewer, limit);
            return jsonResult(runs.map(runSummary));
          }),
        ),
    }),
    createCronTool(session, host),
  ];
}

function changesOf({
  schedule,
  timezone: tz,
  action_type: action,
  cooldown_secs: cooldownSeconds,
  event_pattern: onMessage,
  event_channel: onChannel,
  file_path: onFile,
  context_paths: contextPaths,
}: {
  readonly schedule?: string;
  readonly timezone?: string;
  readonly action_type?: "message" | "lightweight" | "full_job";
  readonly cooldown_secs?: number;
  readonly event_pattern?: string;
  readonly event_channel?: string;
  readonly file_path?: string;
  readonly context_paths?: readonly string[];
}): RoutineChangeRequest {
  const when = schedule === undefined ? {} : scheduleRequest(schedule);
  return { ...when, tz, action, cooldownSeconds, onMessage, onChannel, onFile, contextPaths };
}

/** Names the field that a trigger needs. */
function assertTrigger(type: string, { onMessage, onFile }: RoutineChangeRequest): void {
  if (type === "event" && onMessage === undefined) {
    throw new ToolRefusalError("refused", "event_pattern: name the pattern of the messages");
  }
  if (type === "file" && onFile === undefined) {
    throw new ToolRefusalError("refused", "file_path: name a file or folder in the workspace");
  }
}
