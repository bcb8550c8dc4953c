import type { Store } from "@openclaw/store";
import { isJobKey, isRoutineKey, isSubagentKey } from "./key.js";

/** Storage of subagents, jobs and routines with the sessions that asked for them. */
export type LineageStore = Pick<Store, "sessions" | "jobs" | "routines">;

/**
 * Returns a session and its ancestors, nearest first: the parents of a subagent, and the conversation that asked for a
 * job or a routine. Approval requests of a session are also shown in its ancestors.
 * @param sessionKey - full key of the session
 * @param store - storage of subagents, jobs and routines
 */
export async function sessionLineage(
  sessionKey: string,
  store: LineageStore,
): Promise<readonly string[]> {
  const lineage = [sessionKey];
  let key = sessionKey;
  for (;;) {
    const above = await askingSession(key, store);
    if (above === undefined || lineage.includes(above)) break;
    key = above;
    lineage.push(key);
  }
  return lineage;
}

async function askingSession(
  key: string,
  { sessions: { subagents }, jobs, routines }: LineageStore,
): Promise<string | undefined> {
  if (isSubagentKey(key)) return (await subagents.ofSession(key))?.parentSessionKey;
  if (isJobKey(key)) return (await jobs.ofSession(key))?.askedIn;
  return isRoutineKey(key) ? (await routines.ofSession(key))?.askedIn : undefined;
}
