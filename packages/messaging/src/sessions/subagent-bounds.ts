import type { SubagentBounds } from "@openclaw/agent";
import { defined } from "@openclaw/foundation";
import type { Store } from "@openclaw/store";
import { isSubagentKey } from "./key.js";

/**
 * Returns the limits of the turns of a session, regardless of the sender: a subagent may use the tools that
 * its parent could use when it spawned the subagent. A subagent that is no longer stored may use none.
 * @param store - storage of subagents
 * @returns the limits; undefined for a session that is not a subagent's
 */
export async function subagentBounds(
  sessionKey: string,
  { sessions: { subagents } }: Pick<Store, "sessions">,
): Promise<SubagentBounds | undefined> {
  if (!isSubagentKey(sessionKey)) return undefined;
  const child = await subagents.ofSession(sessionKey);
  if (child === undefined) return { depth: 1, parentTools: [] };
  const { depth, parentTools, tools } = child;
  return defined({ depth, parentTools, tools });
}
