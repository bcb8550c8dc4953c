import type { SubagentManager } from "../subagents/manager.js";
import type { SessionTurnQueues } from "./session-queues.js";

/** Dependencies of {@link interruptSession}. */
export interface InterruptDependencies {
  readonly turnQueues: Pick<SessionTurnQueues, "of" | "interrupt">;
  readonly subagents: Pick<SubagentManager, "stopSubagentsOf">;
}

/**
 * Interrupts the turn that runs in a session, and stops the session's subagents (TURN-052, TURN-053).
 * @param sessionKey - key of the session
 * @param dependencies - turn queues and subagents
 * @param runId - interrupts only the turn with this ID; any turn when absent
 * @returns true when a turn or a subagent was interrupted
 */
export async function interruptSession(
  sessionKey: string,
  { turnQueues, subagents }: InterruptDependencies,
  runId?: string,
): Promise<boolean> {
  const running = turnQueues.of(sessionKey).find(({ isRunning }) => isRunning);
  if (runId !== undefined && running?.turn.runId !== runId) return false;
  const wasRunning = turnQueues.interrupt(sessionKey);
  const stopped = await subagents.stopSubagentsOf(sessionKey);
  return wasRunning || stopped > 0;
}
