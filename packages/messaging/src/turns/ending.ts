import type { FinalOutcome } from "@openclaw/agent";
import type { OutboxRow, Turn, TurnOutcome as TurnEnding } from "@openclaw/store";
import { StoreUnavailableError } from "@openclaw/store/errors";
import type { MessageHost } from "../inbound/host.js";
import { type FailureRecord, failureRecord } from "../messages/failure-record.js";
import type { ReplyOutcome } from "../messages/inbound.js";
import { tracedRun } from "../messages/traced-run.js";
import type { TurnInput } from "./input.js";
import { storeEndLater } from "./late-ending.js";

/**
 * Ends a turn that the host, not the agent, could not carry through.
 * @param turn - the turn
 * @param error - why
 * @param host - store and log
 */
export async function failTurn(
  { runId, inboxId: messageId, sessionKey }: Turn,
  error: FailureRecord,
  host: MessageHost,
): Promise<ReplyOutcome> {
  const { store, approvals, logger } = host;
  const { code } = error;
  logger.error(`a turn could not be carried through: ${error.message}`, {
    code,
    runId,
    sessionKey,
  });
  const end = async () => {
    await store.turns.finish(runId, { state: "failed", error: { ...error, stage: "internal" } });
    await approvals.cancelFor({ runId }, "turn-failed");
  };
  try {
    await end();
  } catch (cause) {
    const { message } = failureRecord(cause);
    logger.error(`the end of a turn could not be stored: ${message}`, { runId, sessionKey });
    if (StoreUnavailableError.isInstance(cause)) storeEndLater(runId, end, host);
  }
  return { status: "failed", messageId, runId, error: { ...error, retryable: false } };
}

/**
 * Stores the end of a turn with its reply, in one transaction: there is never one without the other.
 * @param turn - the turn
 * @param input - where the reply goes
 * @param outcome - of the turn
 * @param host - store and traces
 * @returns the stored reply; undefined when there is nothing to say
 */
export function storeEnding(
  turn: Turn,
  { channel, conversationId, accountId, threadId }: TurnInput,
  outcome: FinalOutcome,
  { store, traces }: MessageHost,
): Promise<OutboxRow | undefined> {
  const { runId, inboxId, sessionKey, trigger } = turn;
  return store.transaction(async (unit) => {
    await unit.turns.finish(runId, turnEnding(outcome));
    const segment = traces.take(tracedRun(turn), { withheld: outcome.status === "blocked" });
    if (segment !== undefined) await unit.traces.add(segment);
    const replies = outcome.status === "completed" || outcome.status === "blocked";
    if (!replies || outcome.text === "") return undefined;
    if (trigger === "subagent") {
      // A child answers its parent, and not the conversation that the parent was asked in.
      await unit.subagents.keepResult(runId, outcome.text);
      return undefined;
    }
    const target = {
      channel,
      to: conversationId,
      ...(accountId === undefined ? {} : { accountId }),
      ...(threadId === undefined ? {} : { threadId }),
    };
    const reply = { runId, part: 0, inboxId, sessionKey, target, content: outcome.text };
    return (await unit.outbox.add(reply)).row;
  });
}

function turnEnding(outcome: FinalOutcome): TurnEnding {
  switch (outcome.status) {
    case "completed":
      return { state: "completed", stopReason: outcome.stopReason, usage: outcome.usage };
    case "failed": {
      const { code, message, stage } = outcome.error;
      return { state: "failed", error: { code, message, stage } };
    }
    case "blocked":
    case "interrupted":
      return { state: outcome.status };
  }
}

/**
 * What became of a turn's message, for whoever waited.
 * @param turn - the turn
 * @param outcome - how it ended
 * @param shown - what was shown of its reply; undefined when nothing was
 * @param host - log
 */
export function replyOutcome(
  { runId, inboxId: messageId, sessionKey }: Turn,
  outcome: FinalOutcome,
  shown: string | undefined,
  { logger }: MessageHost,
): ReplyOutcome {
  switch (outcome.status) {
    case "completed": {
      const { text, stopReason, usage } = outcome;
      if (text !== "" && shown === undefined) {
        return { status: "withheld", messageId, text: "", reason: "a plugin held the reply back" };
      }
      return { status: "replied", messageId, runId, text: shown ?? "", stopReason, usage };
    }
    case "blocked":
      return {
        status: "withheld",
        messageId,
        text: shown ?? "",
        reason: "a plugin did not let the agent run",
      };
    case "interrupted":
      return { status: "interrupted", messageId, runId };
    case "failed": {
      const { code, message, retryable, stage } = outcome.error;
      logger.error(`a turn failed: ${message}`, { code, stage, runId, sessionKey });
      return { status: "failed", messageId, runId, error: { code, message, retryable } };
    }
  }
}
