import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { Routine } from "@openclaw/store";
import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import { RoutineRefusedError } from "./errors.js";
import { quietHoursSchema } from "./quiet-hours.js";
import { toolCallSchema } from "./runs/tool-call.js";
import type { Schedule } from "./schedules/schedule.js";
import { outsideTriggers } from "./triggers/trigger.js";

const time = Type.Integer();
const zone = Type.String();

/** Schedule, action and limits of a routine, as the store keeps them. */
const definitionSchema = Type.Object({
  trigger: Type.Union([
    Type.Object({ kind: Type.Literal("at"), at: time, timezone: zone }),
    Type.Object({
      kind: Type.Literal("every"),
      everyMs: Type.Integer({ minimum: 1 }),
      anchor: time,
      timezone: zone,
    }),
    Type.Object({ kind: Type.Literal("cron"), expression: Type.String(), timezone: zone }),
    Type.Object({ kind: Type.Literal("manual") }),
    ...outsideTriggers,
  ]),
  action: Type.Object({
    kind: Type.Enum(["message", "lightweight", "full_job", "heartbeat", "tool", "workflow"]),
    /** Task of the agent; empty for a call of a tool. */
    prompt: Type.String(),
    /** Call of a tool; a workflow is one of the tool for workflows. */
    call: Type.Optional(toolCallSchema),
    /** `provider/model`. */
    model: Type.Optional(Type.String()),
    /** Files of the workspace that each run is given. */
    contextPaths: Type.Optional(Type.Array(Type.String())),
    /** Version of the configuration that a routine of the host was made from. */
    revision: Type.Optional(Type.String()),
  }),
  notify: Type.Object({
    onAttention: Type.Boolean(),
    onFailure: Type.Boolean(),
    onSuccess: Type.Boolean(),
  }),
  catchUp: Type.Enum(["latest", "all", "none"]),
  overlap: Type.Enum(["skip", "queue", "cancel-other"]),
  /** Undefined for the standard of the host. */
  cooldownMs: Type.Optional(Type.Integer({ minimum: 0 })),
  /** Time within which equal inputs set it off once. */
  dedupMs: Type.Optional(Type.Integer({ minimum: 0 })),
  /** In the zone of the schedule. */
  quietHours: Type.Optional(quietHoursSchema),
});

/** Schedule, action and limits of a routine. */
export type RoutineDefinition = Static<typeof definitionSchema>;

/**
 * Returns a definition in the form in which the store keeps it.
 * @param definition - the definition
 */
export function writeDefinition(definition: RoutineDefinition): JsonObject {
  return JSON.parse(JSON.stringify(definition)) as JsonObject;
}

/**
 * Returns the definition of a stored routine.
 * @param routine - the routine
 * @throws RoutineRefusedError when another version of the product stored it
 */
export function definitionOf({
  name,
  definition,
}: Pick<Routine, "name" | "definition">): RoutineDefinition {
  const stored: unknown = definition;
  if (Check(definitionSchema, stored)) return stored;
  throw new RoutineRefusedError(
    `this version cannot read the routine "${name}"; remove it and create it again`,
  );
}

/** Definition that is shown for one that cannot be read. */
const UNREADABLE: RoutineDefinition = {
  trigger: { kind: "manual" },
  action: { kind: "message", prompt: "" },
  notify: { onAttention: true, onFailure: true, onSuccess: false },
  catchUp: "none",
  overlap: "skip",
};

/**
 * Returns the definition of a stored routine, for lists and notices; one without schedule and task when another version
 * of the product stored it.
 * @param routine - the routine
 */
export function shownDefinition({ definition }: Pick<Routine, "definition">): RoutineDefinition {
  const stored: unknown = definition;
  return Check(definitionSchema, stored) ? stored : UNREADABLE;
}

/**
 * Returns the schedule of a definition; undefined for a routine that something else sets off.
 * @param definition - the definition
 */
export function scheduleOf({ trigger }: RoutineDefinition): Schedule | undefined {
  switch (trigger.kind) {
    case "at":
    case "every":
    case "cron":
      return trigger;
    default:
      return undefined;
  }
}
