import type { HookDispatch } from "@openclaw/hook-runner";
import type { Logger } from "@openclaw/plugin-sdk";
import type { HookMap } from "@openclaw/plugin-sdk/hooks";
import type { Store } from "@openclaw/store";
import { failureRecord } from "../messages/failure-record.js";
import { readTurnInput } from "./input.js";
import type { QueuedTurn } from "./session-queues.js";

/**
 * Includes the messages that came in to steer a running turn. When a plugin guards what reaches a model,
 * they wait for a turn of their own, which the plugin sees.
 * @param queued - the running turn
 * @param hooks - of its plugins
 * @param dependencies - store and log
 * @returns their texts, each of which is a step of the running turn from here on
 */
export async function takeSteering(
  queued: QueuedTurn,
  hooks: HookDispatch<HookMap>,
  { store, logger }: { readonly store: Store; readonly logger: Logger },
): Promise<readonly string[]> {
  const { agentId, sessionKey } = queued.turn;
  if (hooks.has("before_agent_run", { callDepth: 0, agentId, sessionKey })) return [];
  const texts: string[] = [];
  for (const steering of queued.steering.splice(0)) {
    const { runId } = steering.turn;
    try {
      const { text } = readTurnInput(steering.turn);
      // One transaction: a message whose own turn has ended is in this one, wherever the process ends.
      await store.transaction(async (unit) => {
        await unit.turns.finish(runId, { state: "completed", stopReason: "steered" });
        const step = { kind: "message-steered", steeredRunId: runId, text } as const;
        await unit.turns.journal.append({ runId: queued.turn.runId, step });
      });
      steering.answeredBy(queued);
      texts.push(text);
    } catch (error) {
      const { code, message } = failureRecord(error);
      logger.warn(`a message waits for a turn of its own: ${message}`, { code, runId });
    }
  }
  return texts;
}
