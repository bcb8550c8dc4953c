import { defined } from "@openclaw/foundation";
import type { CronJob } from "@openclaw/plugin-sdk/hooks";
import type { RoutineDetails, RoutineRunSummary, RoutineSummary } from "@openclaw/protocol";
import type { Routine, RoutineRun } from "@openclaw/store";
import { type RoutineDefinition, scheduleOf, shownDefinition } from "./definition.js";
import { scheduleText, shownTimes } from "./schedules/words.js";

/** Due times that are shown before a routine is stored. */
export const PREVIEWED = 5;

/** A routine with what is known of its runs. */
export interface RoutineState {
  readonly routine: Routine;
  /** The run that was done last. */
  readonly lastRun: RoutineRun | undefined;
  /** The next due time; undefined when there is none. */
  readonly nextAt: number | undefined;
  /** The last planned time, or the time since which the schedule holds. */
  readonly after: number;
}

/**
 * Returns the schedule of a routine in plain words.
 * @param routine - the routine
 */
export function wordsOf(routine: Routine): string {
  const definition = shownDefinition(routine);
  const schedule = scheduleOf(definition);
  return schedule === undefined ? triggerText(definition) : scheduleText(schedule);
}

function triggerText({ trigger }: RoutineDefinition): string {
  switch (trigger.kind) {
    case "webhook":
      return "When a request to its webhook comes";
    case "event": {
      const where = trigger.channel === undefined ? "" : ` on ${trigger.channel}`;
      return `When a message${where} matches ${trigger.pattern}`;
    }
    case "file":
      return `When a file is written at ${trigger.path}`;
    default:
      return "When a person starts it";
  }
}

/**
 * Returns a routine as lists show it.
 * @param state - the routine and its runs
 */
export function routineSummary({ routine, lastRun, nextAt }: RoutineState): RoutineSummary {
  const { routineId, name, agentId, sessionKey, enabled, disabledReason, askedIn } = routine;
  const { action, trigger } = shownDefinition(routine);
  return {
    ...{ routineId, name, agentId, sessionKey, enabled },
    schedule: wordsOf(routine),
    kind: trigger.kind,
    action: action.kind,
    ...defined({ disabledReason, askedIn, nextAt: enabled ? nextAt : undefined }),
    ...(lastRun === undefined ? {} : { lastRun: runSummary(lastRun) }),
  };
}

/**
 * Returns a routine with everything that it does, and its next due times.
 * @param state - the routine and its runs
 */
export function routineDetails(state: RoutineState): RoutineDetails {
  const { routine, after } = state;
  const { trigger, action, notify, catchUp, overlap, cooldownMs, dedupMs, quietHours } =
    shownDefinition(routine);
  const { contextPaths = [], model, call } = action;
  const schedule = scheduleOf(shownDefinition(routine));
  // The salt of a secret is of no use to anybody.
  const shown = trigger.kind === "webhook" ? { kind: trigger.kind } : { ...trigger };
  const isDue = routine.enabled && schedule !== undefined;
  return {
    ...routineSummary(state),
    ...{ trigger: shown, prompt: action.prompt, catchUp, overlap, notify: { ...notify } },
    next: isDue ? [...shownTimes(schedule, after, PREVIEWED)] : [],
    createdAt: routine.createdAt,
    ...(trigger.kind === "webhook" ? { webhook: `/hooks/routine/${routine.routineId}` } : {}),
    ...(contextPaths.length === 0 ? {} : { contextPaths }),
    ...defined({ model, call: call && { tool: call.tool, params: { ...call.params } } }),
    ...defined({ cooldownMs, dedupMs, quietHours }),
  };
}

/**
 * Returns the status of a due time.
 * @param run - the due time
 */
export function runSummary(run: RoutineRun): RoutineRunSummary {
  const { plannedAt, origin, state, reason, startedAt, endedAt, runId, jobId } = run;
  const { answer, delivery } = run;
  return {
    ...{ plannedAt, origin, state },
    ...defined({ reason, startedAt, endedAt, runId, jobId, answer }),
    ...(delivery === undefined ? {} : { delivery: defined(delivery) }),
  };
}

/**
 * Returns a routine as plugins see it (GW-011).
 * @param state - the routine and its runs
 */
export function cronJob({ routine, lastRun, nextAt }: RoutineState): CronJob {
  const { routineId: id, name, enabled } = routine;
  return {
    ...{ id, name, schedule: wordsOf(routine) },
    state: {
      ...defined({ nextRunAtMs: enabled ? nextAt : undefined }),
      ...(lastRun === undefined ? {} : { lastRunStatus: statusOf(lastRun) }),
      ...(lastRun?.state === "failed" ? { lastError: lastRun.reason ?? "it failed" } : {}),
    },
  };
}

/**
 * Returns the outcome of a due time in the words of plugins.
 * @param run - the due time
 */
export function statusOf({ state }: Pick<RoutineRun, "state">): "ok" | "error" | "skipped" {
  if (state === "failed") return "error";
  return state === "skipped" || state === "missed" ? "skipped" : "ok";
}

/**
 * Returns the zone in which the times of a routine are shown.
 * @param routine - the routine
 */
export function zoneOf(routine: Routine): string {
  return scheduleOf(shownDefinition(routine))?.timezone ?? "UTC";
}
