import type { Store } from "@openclaw/store";
import { isSubagentKey } from "./key.js";

/**
 * A session and those that it descends from, the nearest first: what a child asks is seen where its parent
 * was asked for it.
 * @param sessionKey - full key
 * @param store - where children are
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
