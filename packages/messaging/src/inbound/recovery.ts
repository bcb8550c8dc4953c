import { logRejection } from "@openclaw/agent";
import type { InboundRow, Turn } from "@openclaw/store";
import { laterCaller } from "../delivery/recovered-caller.js";
import { messageContext } from "../messages/context.js";
import { failureRecord } from "../messages/failure-record.js";
import { loadTurnInput } from "../turns/input.js";
import { runQueuedTurn } from "../turns/run.js";
import type { MessageHost } from "./host.js";

/**
 * Takes up what an earlier process left, whatever it was killed at: turns that had not ended go on, and
 * messages that had not become turns are taken in, both in the order in which they came (HOST-027).
 * @param host - into which nothing new has come yet
 * @param takeIn - takes in a message whose outcome is open, after what stands before it in its session
 * @returns how many turns go on
 */
export async function recoverMessages(
  host: MessageHost,
  takeIn: (row: InboundRow) => void,
): Promise<number> {
  const { store } = host;
  const received = await store.inbox.inState("received");
  let resumed = 0;
  for (const turn of await store.turns.unfinished()) {
    if (await resume(turn, host)) resumed += 1;
  }
  for (const row of received) takeIn(row);
  return resumed;
}

/** Lets a turn go on in the background. */
async function resume(turn: Turn, host: MessageHost): Promise<boolean> {
  const { runId, inboxId } = turn;
  try {
    const input = await loadTurnInput(turn, host.store);
    const context = messageContext(input, inboxId);
    const lined = host.turnLines.enter(turn, [laterCaller(input, host)], (entered) =>
      runQueuedTurn(entered, context, host),
    );
    logRejection(
      lined.outcome.then(() => undefined),
      host.logger,
    );
    return true;
  } catch (cause) {
    const error = { ...failureRecord(cause), stage: "internal" };
    await host.store.turns.finish(runId, { state: "failed", error });
    host.logger.error(`a turn of an earlier process cannot run: ${error.message}`, { runId });
    return false;
  }
}
