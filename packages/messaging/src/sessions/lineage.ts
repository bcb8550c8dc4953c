import type { Store } from "@openclaw/store";
import { isJobKey, isSubagentKey } from "./key.js";

/**
 * Returns a session and its ancestors, nearest first: the parents of a subagent, and the conversation that asked for a
 * job. Approval requests of a session are also shown in its ancestors.
 * @param sessionKey - full key of the session
 * @param store - storage of subagents and jobs
 */
export async function sessionLineage(
  sessionKey: string,
  { sessions: { subagents }, jobs }: Pick<Store, "sessions" | "jobs">,
): Promise<readonly string[]> {
  const lineage = [sessionKey];
  let key = sessionKey;
  while (isSubagentKey(key) || isJobKey(key)) {
    const above = isJobKey(key)
      ? (await jobs.ofSession(key))?.askedIn
      : (await subagents.ofSession(key))?.parentSessionKey;
    if (above === undefined || lineage.includes(above)) break;
    key = above;
    lineage.push(key);
  }
  return lineage;
}
