import { randomUUID } from "node:crypto";
import { ownerOf, writeCreator } from "@openclaw/jobs";
import { routineSessionKey } from "@openclaw/messaging";
import type { Routine, Store } from "@openclaw/store";
import { definitionOf, writeDefinition } from "./definition.js";
import { RoutineNotFoundError, RoutineRefusedError } from "./errors.js";
import { nameTaken } from "./lookup.js";
import {
  changedDefinition,
  changesSchedule,
  type RoutineChangeRequest,
  type RoutineRequest,
} from "./request.js";
import { nextDue, plannedUntil } from "./states.js";

/** Time of a change, and the zone of schedules that name none. */
interface ChangeRules {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly timezone: string;
}

/**
 * Stores a new routine.
 * @param request - name, schedule, task, creator and limits
 * @param store - the routines
 * @param rules - time, zone, and maximum number of routines of a user
 * @throws ScheduleInvalidError for a schedule that is wrong or missing
 * @throws RoutineRefusedError for a name that is taken, and beyond the bounds
 */
export async function storeRoutine(
  request: RoutineRequest,
  store: Store,
  { now, timezone, maxPerUser }: ChangeRules & { readonly maxPerUser: number },
): Promise<Routine> {
  const { name, agentId, creator, askedIn } = request;
  const definition = changedDefinition(undefined, request, now, timezone);
  const routineId = randomUUID();
  const owner = ownerOf(creator);
  return await store.transaction(async (unit) => {
    if ((await unit.routines.count(owner)) >= maxPerUser) {
      throw new RoutineRefusedError(
        `${maxPerUser} routines of this user exist, the maximum; remove one, or raise routines.maxPerUser`,
      );
    }
    const taken = await unit.routines.find(name, owner);
    if (taken.some((other) => other.name === name)) throw nameTaken(name);
    // The results need a place also when this is the first message of the conversation.
    if (askedIn !== undefined) {
      await unit.sessions.open(askedIn, { agentId, channel: creator.channel });
    }
    return await unit.routines.add({
      ...{ routineId, name, agentId, owner, askedIn, scheduledFrom: now, enabled: true },
      sessionKey: routineSessionKey(agentId, routineId),
      creator: writeCreator(creator),
      definition: writeDefinition(definition),
    });
  });
}

/**
 * Stores changes of a routine.
 * @param found - the routine
 * @param changes - the changes
 * @param store - the routines
 * @param rules - time and zone
 * @throws RoutineNotFoundError, and as {@link storeRoutine}
 */
export async function storeChange(
  { routineId, name: known }: Routine,
  { enabled, ...request }: RoutineChangeRequest & { readonly enabled?: boolean | undefined },
  store: Store,
  { now, timezone }: ChangeRules,
): Promise<Routine> {
  return await store.transaction(async (unit) => {
    const before = await unit.routines.get(routineId);
    if (before === undefined) throw new RoutineNotFoundError(known);
    const { name } = request;
    const taken = name === undefined ? [] : await unit.routines.find(name, before.owner);
    if (taken.some((other) => other.name === name && other.routineId !== routineId)) {
      throw nameTaken(name ?? "");
    }
    const definition = changedDefinition(definitionOf(before), request, now, timezone);
    const isEnabledNow = enabled === true && !before.enabled;
    if (isEnabledNow) await recordDisabled(unit, before, now);
    return await unit.routines.change(routineId, {
      ...{ name, enabled },
      definition: writeDefinition(definition),
      scheduledFrom: isEnabledNow || changesSchedule(request) ? now : undefined,
      disabledReason: enabled === undefined ? undefined : null,
    });
  });
}

/** Records why the due times did not run that passed while a routine was disabled. */
async function recordDisabled(
  unit: Pick<Store, "routines">,
  routine: Routine,
  now: number,
): Promise<void> {
  const plannedAt = nextDue(routine, await plannedUntil(routine, unit));
  if (plannedAt === undefined || plannedAt > now) return;
  const reason = `disabled; so were all due times until ${new Date(now).toISOString()}`;
  const { routineId } = routine;
  const origin = "schedule";
  await unit.routines.runs.claim({ routineId, plannedAt, origin, state: "skipped", reason });
}
