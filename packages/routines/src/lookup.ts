import type { JobViewer } from "@openclaw/jobs";
import type { Routine, Store } from "@openclaw/store";
import { RoutineNotFoundError, RoutineRefusedError } from "./errors.js";
import { isHeartbeat } from "./heartbeat/definition.js";

/**
 * Returns a routine that a viewer may see.
 * @param text - its name, its ID, or the beginning of the ID
 * @param viewer - the operator, or a sender
 * @param store - the routines
 * @throws RoutineNotFoundError also for a routine of another user
 */
export async function findRoutine(
  text: string,
  viewer: JobViewer,
  { routines }: Pick<Store, "routines">,
): Promise<Routine> {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") throw new RoutineNotFoundError(text);
  const owner = viewer.isOperator ? undefined : viewer.owner;
  const found = await routines.find(wanted, owner);
  const named = found.filter(({ name }) => name === wanted);
  const [routine, other] = named.length > 0 ? named : found;
  if (routine === undefined) throw new RoutineNotFoundError(text);
  if (other !== undefined) {
    throw new RoutineNotFoundError(text, "names several routines; use the ID");
  }
  return routine;
}

/**
 * Checks that a routine belongs to users, whose changes it takes.
 * @param routine - the routine
 * @throws RoutineRefusedError for the heartbeat, which the configuration describes
 */
export function assertOfUsers(routine: Routine): void {
  if (!isHeartbeat(routine)) return;
  throw new RoutineRefusedError(
    "the heartbeat follows the section heartbeat of the configuration; use `openclaw heartbeat enable`, `openclaw heartbeat disable` or `openclaw config set`",
  );
}

/**
 * Returns the error of a name that another routine of its owner has.
 * @param name - the name
 */
export function nameTaken(name: string): RoutineRefusedError {
  return new RoutineRefusedError(
    `a routine "${name}" exists; change it with \`openclaw cron edit ${name}\` or \`/cron edit ${name}\`, or choose another name`,
  );
}
