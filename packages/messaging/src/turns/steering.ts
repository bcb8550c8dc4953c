import type { HookDispatch } from "@openclaw/hook-runner";
import type { Logger } from "@openclaw/plugin-sdk";
import type { HookMap } from "@openclaw/plugin-sdk/hooks";
import type { Store } from "@openclaw/store";
import { failureRecord } from "../messages/failure-record.js";
import type { QueuedTurn } from "../sessions/queued-turn.js";
import { readTurnInput } from "./input.js";

/**
 * Includes in a running turn the messages that arrived to steer it. When a plugin guards the model's input,
 * they wait for a separate turn, which the plugin sees.
 * @param hooks - hooks of its plugins
 * @param dependencies - store and log
 * @returns the text of each, which becomes a step of the running turn
 */
export async function takeSteering(
  queued: QueuedTurn,
  hooks: HookDispatch<HookMap>,
  { store, logger }: { readonly store: Store; readonly logger: Logger },
): Promise<readonly string[]> {
  const { agentId, sessionKey } = queued.turn;
  // Prompts of a job then begin its next turn.
  if (hooks.has("before_agent_run", { callDepth: 0, agentId, sessionKey })) return [];
  const texts = [...(await takePrompts(queued, store))];
  for (const steering of queued.steering.splice(0)) {
    const { runId } = steering.turn;
    try {
      const { text } = readTurnInput(steering.turn);
      // In one transaction, so that a message whose own turn has ended is always included in this one, even
      // if the process stops.
      await store.transaction(async (unit) => {
        await unit.turns.finish(runId, { state: "completed", stopReason: "steered" });
        const step = { kind: "message-steered", steeredRunId: runId, text } as const;
        await unit.turns.journal.append({ runId: queued.turn.runId, step });
      });
      steering.answeredBy = queued;
      texts.push(text);
    } catch (error) {
      const { code, message } = failureRecord(error);
      logger.warn(`a message waits for a separate turn: ${message}`, { code, runId });
    }
  }
  return texts;
}

/** Includes the further prompts of a job in its running turn (JOB-393). */
async function takePrompts({ turn }: QueuedTurn, store: Store): Promise<readonly string[]> {
  const { runId, sessionKey, trigger } = turn;
  if (trigger !== "job") return [];
  return await store.transaction(async (unit) => {
    const job = await unit.jobs.ofSession(sessionKey);
    if (job?.runId !== runId || job.prompts === undefined) return [];
    await unit.jobs.change(job.jobId, { prompts: null });
    for (const text of job.prompts) {
      const step = { kind: "message-steered", steeredRunId: runId, text } as const;
      await unit.turns.journal.append({ runId, step });
    }
    return job.prompts;
  });
}
