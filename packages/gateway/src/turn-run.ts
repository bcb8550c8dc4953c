import { runTurn, type TurnOutcome } from "@openclaw/agent";
import type { MessageContext } from "@openclaw/plugin-sdk/hooks";
import type { OutboxRow, Turn, TurnOutcome as TurnEnding } from "@openclaw/store";
import { type FailureRecord, failureRecord } from "./failure-record.js";
import type { Caller, ReplyOutcome } from "./inbound-message.js";
import type { MessageHost } from "./message-host.js";
import { deliverReply } from "./reply-delivery.js";
import { readTurnInput, type TurnInput } from "./turn-input.js";
import { followSignals } from "./turn-signal.js";

/**
 * Runs a queued turn to its end, stores its reply together with that end, and delivers the reply. It
 * never throws; what fails is the turn's outcome. A turn whose caller has gone before its start does
 * not run, and one whose host is ending stays queued for the next start.
 * @param turn - queued
 * @param context - what message hooks are told
 * @param caller - who waits for the reply; undefined when nobody does any more
 * @param host - store, plugins and services
 */
export async function runQueuedTurn(
  turn: Turn,
  context: MessageContext,
  caller: Caller | undefined,
  host: MessageHost,
): Promise<ReplyOutcome> {
  const { runId, inboxId: messageId, sessionKey, sessionId, agentId } = turn;
  try {
    if (host.signal.aborted) return { status: "interrupted", messageId, runId };
    if (caller?.signal?.aborted === true) {
      await host.store.turns.finish(runId, { state: "interrupted", stopReason: "caller-gone" });
      return { status: "interrupted", messageId, runId };
    }
    const input = readTurnInput(turn);
    await host.store.turns.begin(runId);
    const outcome = await run(turn, input, caller, host);
    const reply = await storeEnding(turn, input, outcome, host);
    const about = { ...context, agentId, sessionKey, sessionId, runId };
    const shown = reply === undefined ? undefined : await show(reply, about, caller, host);
    return replyOutcome(turn, outcome, shown, host);
  } catch (error) {
    return failTurn(turn, failureRecord(error), host);
  }
}

async function run(
  turn: Turn,
  input: TurnInput,
  caller: Caller | undefined,
  host: MessageHost,
): Promise<TurnOutcome> {
  const { plugins, services, signal, instructions } = host;
  const { runId, inboxId, sessionKey, sessionId, agentId, trigger } = turn;
  const { channel, conversationId, senderId, senderIsOwner, text } = input;
  const { extraInstructions, history } = input;
  using turnSignal = followSignals(signal, caller?.signal);
  const pin = plugins.pin();
  try {
    return await runTurn(
      {
        runId,
        agentId,
        sessionKey,
        sessionId,
        trigger,
        origin: { channel, channelId: conversationId, messageId: inboxId, senderId, senderIsOwner },
        text,
        model: input.model ?? host.model,
        workspaceDir: host.workspaceDir(agentId),
        signal: turnSignal.signal,
        onEvent: (event) => caller?.onEvent?.(event),
        ...(instructions === undefined ? {} : { instructions }),
        ...(extraInstructions === undefined ? {} : { extraInstructions }),
        ...(history === undefined ? {} : { history }),
        ...(caller?.approver === undefined ? {} : { approver: caller.approver }),
      },
      services,
      { hooks: pin.hooks, tools: pin.generation.tools },
    );
  } finally {
    pin.release();
  }
}

/** Ends a turn that the host, not the agent, could not carry through. */
async function failTurn(
  { runId, inboxId: messageId, sessionKey }: Turn,
  error: FailureRecord,
  { store, logger }: MessageHost,
): Promise<ReplyOutcome> {
  const { code } = error;
  logger.error(`a turn could not be carried through: ${error.message}`, {
    code,
    runId,
    sessionKey,
  });
  try {
    await store.turns.finish(runId, { state: "failed", error: { ...error, stage: "internal" } });
  } catch (cause) {
    const { message } = failureRecord(cause);
    logger.error(`the end of a turn could not be stored: ${message}`, { runId, sessionKey });
  }
  return { status: "failed", messageId, runId, error: { ...error, retryable: false } };
}

/** The end of a turn and its reply are one transaction: there is never one without the other. */
function storeEnding(
  { runId, inboxId, sessionKey }: Turn,
  { channel, conversationId }: TurnInput,
  outcome: TurnOutcome,
  { store }: MessageHost,
): Promise<OutboxRow | undefined> {
  return store.transaction(async (unit) => {
    await unit.turns.finish(runId, turnEnding(outcome));
    const replies = outcome.status === "completed" || outcome.status === "blocked";
    if (!replies || outcome.text === "") return undefined;
    const target = { channel, to: conversationId };
    const reply = { runId, part: 0, inboxId, sessionKey, target, content: outcome.text };
    return (await unit.outbox.add(reply)).row;
  });
}

async function show(
  reply: OutboxRow,
  context: MessageContext,
  caller: Caller | undefined,
  host: MessageHost,
): Promise<string | undefined> {
  if (caller === undefined) {
    await host.store.outbox.suppressed(reply.id, "nobody waited for it; it is in the transcript");
    return undefined;
  }
  const delivery = await deliverReply(reply, context, async () => ({}), host);
  return delivery.status === "delivered" ? delivery.text : undefined;
}

function turnEnding(outcome: TurnOutcome): TurnEnding {
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

function replyOutcome(
  { runId, inboxId: messageId, sessionKey }: Turn,
  outcome: TurnOutcome,
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
