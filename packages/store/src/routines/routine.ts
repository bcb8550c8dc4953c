import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { Selectable } from "kysely";
import { isJsonObject, readJson, readOptionalJson, readWord } from "../database/json-column.js";
import { decodeOptionalText, decodeText } from "../database/text-column.js";
import type { RoutineColumns, RoutineRunColumns } from "./schema.js";

/** A routine about to be created. Times are milliseconds since the epoch. */
export interface NewRoutine {
  readonly routineId: string;
  /** Unique among the routines of its owner. */
  readonly name: string;
  readonly agentId: string;
  /** Session in which its turns run; no other routine has it. */
  readonly sessionKey: string;
  /** Sender who may see and change it. */
  readonly owner: string;
  /** The conversation and the sender for whom it works; the store does not interpret it. */
  readonly creator: JsonObject;
  /** Session that gets its results. */
  readonly askedIn?: string | undefined;
  /** Schedule, action, delivery and limits; the store does not interpret them. */
  readonly definition: JsonObject;
  /** Time since which its schedule holds. */
  readonly scheduledFrom: number;
  readonly enabled: boolean;
}

/** A stored routine. */
export interface Routine extends NewRoutine {
  /** Why the host disabled it. */
  readonly disabledReason?: string | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** States of a due time; the last five are final. */
export const ROUTINE_RUN_STATES = [
  "queued",
  "running",
  "ok",
  "attention",
  "failed",
  "skipped",
  "missed",
] as const;

/** State of a due time. */
export type RoutineRunState = (typeof ROUTINE_RUN_STATES)[number];

const ORIGINS = ["schedule", "manual", "webhook", "event", "file"] as const;

/** Cause of a run: the schedule, a person, a request, a message, or a file. */
export type RoutineRunOrigin = (typeof ORIGINS)[number];

const DELIVERIES = ["not-requested", "delivered", "not-delivered"] as const;

/** Delivery of the result of a run. */
export interface RoutineDelivery {
  readonly state: (typeof DELIVERIES)[number];
  /** Why it was not delivered, or not requested. */
  readonly reason?: string | undefined;
}

/** Text from outside that set off a run. */
export interface RoutineInput {
  /** Source of the text, in words. */
  readonly source: string;
  readonly text: string;
}

/** A due time about to be stored. */
export interface NewRoutineRun {
  readonly routineId: string;
  /** The due time, unique in its routine. */
  readonly plannedAt: number;
  readonly origin: RoutineRunOrigin;
  readonly state: Exclude<RoutineRunState, "ok" | "attention">;
  readonly reason?: string | undefined;
  readonly input?: RoutineInput | undefined;
  /** Key by which a repeat of the trigger is recognised; unique in its routine. */
  readonly identity?: string | undefined;
  /** Proof of the request that set it off, which is accepted once; unique in its routine. */
  readonly proof?: string | undefined;
}

/** A due time and its status. */
export interface RoutineRun extends Omit<NewRoutineRun, "state"> {
  readonly state: RoutineRunState;
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
  /** Turn that works on it. */
  readonly runId?: string | undefined;
  /** Job that works on it. */
  readonly jobId?: string | undefined;
  /** Reply of its turn or job. */
  readonly answer?: string | undefined;
  readonly delivery?: RoutineDelivery | undefined;
  readonly createdAt: number;
}

/** Returns a routine from its row. */
export function toRoutine(row: Selectable<RoutineColumns>): Routine {
  const routineId = decodeText(row.routine_id);
  return {
    routineId,
    name: decodeText(row.name),
    agentId: decodeText(row.agent_id),
    sessionKey: decodeText(row.session_key),
    owner: decodeText(row.owner),
    creator: readJson(row.creator, isJsonObject, "routines.creator", routineId),
    askedIn: decodeOptionalText(row.asked_in),
    definition: readJson(row.definition, isJsonObject, "routines.definition", routineId),
    scheduledFrom: row.scheduled_from,
    enabled: row.enabled === 1,
    disabledReason: decodeOptionalText(row.disabled_reason),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Returns a run from its row. */
export function toRoutineRun(row: Selectable<RoutineRunColumns>): RoutineRun {
  const routineId = decodeText(row.routine_id);
  return {
    routineId,
    plannedAt: row.planned_at,
    origin: readWord(row.origin, ORIGINS, "routine_runs.origin", routineId),
    state: readWord(row.state, ROUTINE_RUN_STATES, "routine_runs.state", routineId),
    reason: decodeOptionalText(row.reason),
    startedAt: row.started_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
    runId: decodeOptionalText(row.run_id),
    jobId: decodeOptionalText(row.job_id),
    answer: decodeOptionalText(row.answer),
    delivery: readOptionalJson(row.delivery, isDelivery, "routine_runs.delivery", routineId),
    createdAt: row.created_at,
    input: readOptionalJson(row.input, isInput, "routine_runs.input", routineId),
    identity: decodeOptionalText(row.identity),
    proof: decodeOptionalText(row.proof),
  };
}

function isInput(value: unknown): value is RoutineInput {
  return isJsonObject(value) && typeof value.source === "string" && typeof value.text === "string";
}

function isDelivery(value: unknown): value is RoutineDelivery {
  if (!isJsonObject(value)) return false;
  const { state, reason } = value;
  return (
    DELIVERIES.some((known) => known === state) &&
    (reason === undefined || typeof reason === "string")
  );
}
