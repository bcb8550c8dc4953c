import type { HookDispatch } from "@openclaw/hook-runner";
import type { HookMap } from "@openclaw/plugin-sdk/hooks";
import type { MessageHost } from "../inbound/host.js";
import { failureRecord } from "../messages/failure-record.js";
import { readTurnInput } from "./input.js";
import type { LinedTurn } from "./session-queues.js";

/**
 * Takes over the messages that came in to steer a running turn. Where a plugin guards what reaches a
 * model, they wait for a turn of their own, which it sees.
 * @param lined - the running turn
 * @param hooks - of its plugins
 * @param host - store and log
 * @returns their texts, each of which is a step of the running turn from here on
 */
export async function takeSteering(
  lined: LinedTurn,
  hooks: HookDispatch<HookMap>,
  { store, logger }: MessageHost,
): Promise<readonly string[]> {
  const { agentId, sessionKey } = lined.turn;
  if (hooks.has("before_agent_run", { callDepth: 0, agentId, sessionKey })) return [];
  const texts: string[] = [];
  for (const steering of lined.steering.splice(0)) {
    const { runId } = steering.turn;
    try {
      const { text } = readTurnInput(steering.turn);
      // One step: a message whose own turn has ended is in this one, wherever the process ends.
      await store.transaction(async (unit) => {
        await unit.turns.finish(runId, { state: "completed", stopReason: "steered" });
        const step = { kind: "message-steered", steeredRunId: runId, text } as const;
        await unit.journal.append({ runId: lined.turn.runId, step });
      });
      steering.answeredBy(lined);
      texts.push(text);
    } catch (error) {
      const { code, message } = failureRecord(error);
      logger.warn(`a message waits for a turn of its own: ${message}`, { code, runId });
    }
  }
  return texts;
}
