import type { SubagentManager } from "../subagents/manager.js";
import type { LiveSessions } from "./live-sessions.js";

/** Dependencies of {@link interruptSession}. */
export interface InterruptDependencies {
  readonly live: Pick<LiveSessions, "turns" | "interrupt">;
  readonly subagents: Pick<SubagentManager, "stopSubagentsOf">;
}

/**
 * Interrupts the turn that runs in a session, and stops the session's subagents (TURN-052, TURN-053).
 * @param dependencies - live sessions and subagents
 * @param runId - interrupts only the turn with this ID; any turn when absent
 * @returns true when a turn or a subagent was interrupted
 */
export async function interruptSession(
  sessionKey: string,
  { live, subagents }: InterruptDependencies,
  runId?: string,
): Promise<boolean> {
  const running = live.turns(sessionKey).find(({ isRunning }) => isRunning);
  if (runId !== undefined && running?.turn.runId !== runId) return false;
  const wasRunning = live.interrupt(sessionKey);
  const stopped = await subagents.stopSubagentsOf(sessionKey);
  return wasRunning || stopped > 0;
}
