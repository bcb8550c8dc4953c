import type { SubagentBounds } from "@openclaw/agent";
import { defined } from "@openclaw/foundation";
import type { Store } from "@openclaw/store";
import { isSubagentKey } from "./key.js";

/**
 * What bounds the turns of a session, whoever wrote the message: those of a child's session may use what
 * its parent could when it asked for the child. A child that is not stored any more may use nothing.
 * @param sessionKey - of the session
 * @param store - where children are
 * @returns undefined for a session that is no child's
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
