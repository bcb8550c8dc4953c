import type { Store } from "@openclaw/store";
import { isSubagentKey } from "./key.js";

/**
 * Returns a session and its ancestors, nearest first. Approval requests of a subagent are also shown in its
 * ancestors' sessions.
 * @param sessionKey - full key of the session
 * @param store - storage of subagents
 */
export async function sessionLineage(
  sessionKey: string,
  { sessions: { subagents } }: Pick<Store, "sessions">,
): Promise<readonly string[]> {
  const lineage = [sessionKey];
  let key = sessionKey;
  while (isSubagentKey(key)) {
    const child = await subagents.ofSession(key);
    if (child === undefined || lineage.includes(child.parentSessionKey)) break;
    key = child.parentSessionKey;
    lineage.push(key);
  }
  return lineage;
}
