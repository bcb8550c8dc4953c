import { unawaited } from "@openclaw/agent";
import type { InboundRow, Turn } from "@openclaw/store";
import { failureRecord } from "./failure-record.js";
import { messageContext } from "./message-context.js";
import type { MessageHost } from "./message-host.js";
import { readTurnInput } from "./turn-input.js";
import { runQueuedTurn } from "./turn-run.js";

/**
 * Takes up what an earlier process left: queued turns run; turns that were running end as
 * interrupted, since their tools may have had effects; messages that were never routed end as failed;
 * replies that nobody waits for are closed.
 * @param host - into which nothing new has come yet
 * @returns how many turns run again
 */
export async function recoverMessages(host: MessageHost): Promise<number> {
  const { store } = host;
  for (const row of await store.inbox.inState("received")) await giveUp(row, host);
  for (const { id } of await store.outbox.undelivered()) {
    await store.outbox.suppressed(id, "nobody waited for it; it is in the transcript");
  }
  let resumed = 0;
  for (const turn of await store.turns.unfinished()) {
    if (await resume(turn, host)) resumed += 1;
  }
  return resumed;
}

/** The row does not say to which agent and session the message was to go. */
async function giveUp(row: InboundRow, { store, plugins, logger }: MessageHost): Promise<void> {
  const { id: messageId } = row;
  const message = "the host ended before the message was routed";
  await store.inbox.settle(messageId, {
    state: "failed",
    error: { code: "INTERRUPTED", message },
  });
  logger.warn("a message of an earlier process was never routed; it is kept", { messageId });
  const context = messageContext({ ...row, senderIsOwner: false }, messageId);
  unawaited(
    plugins.hooks.observe(
      "request_post",
      { outcome: "failed", messageId, durationMs: 0, error: message },
      context,
    ),
    logger,
  );
}

/** Runs a turn again in the background, unless it had begun or its caller has gone. */
async function resume(turn: Turn, host: MessageHost): Promise<boolean> {
  const { runId, inboxId } = turn;
  // A caller of the API that has gone asks again; running its turn would answer twice.
  if (turn.state === "running" || turn.trigger === "api") {
    await host.store.turns.finish(runId, { state: "interrupted", stopReason: "host-ended" });
    host.logger.warn("a turn was cut off by the end of an earlier process", { runId });
    return false;
  }
  try {
    const context = messageContext(readTurnInput(turn), inboxId);
    const lined = host.turnLines.enter(turn, [], (entered) =>
      runQueuedTurn(entered, context, host),
    );
    unawaited(
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
