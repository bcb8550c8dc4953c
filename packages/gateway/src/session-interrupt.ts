import type { MessageHost } from "./message-host.js";

/**
 * Ends the turn that runs in a session early, and the children that it has (TURN-052, TURN-053).
 * @param sessionKey - of the session
 * @param host - lines and children
 * @returns whether there was anything to end
 */
export async function interruptSession(
  sessionKey: string,
  { turnLines, subagents }: Pick<MessageHost, "turnLines" | "subagents">,
): Promise<boolean> {
  const wasRunning = turnLines.interrupt(sessionKey);
  const children = await subagents.stopChildrenOf(sessionKey);
  return wasRunning || children > 0;
}
