import type { MessageHost } from "../inbound/host.js";

/**
 * Ends the turn that runs in a session early, and the children that it has (TURN-052, TURN-053).
 * @param sessionKey - of the session
 * @param host - lines and children
 * @param runId - only if this is the turn that runs; any other when absent
 * @returns whether there was anything to end
 */
export async function interruptSession(
  sessionKey: string,
  { turnLines, subagents }: Pick<MessageHost, "turnLines" | "subagents">,
  runId?: string,
): Promise<boolean> {
  const running = turnLines.of(sessionKey).find(({ isRunning }) => isRunning);
  if (runId !== undefined && running?.turn.runId !== runId) return false;
  const wasRunning = turnLines.interrupt(sessionKey);
  const children = await subagents.stopChildrenOf(sessionKey);
  return wasRunning || children > 0;
}
