import { runTurn, type TurnOutcome } from "@openclaw/agent";
import type { HookDispatch } from "@openclaw/hook-runner";
import { searchableMemory } from "@openclaw/plugin-runtime";
import type { HookMap, MessageContext } from "@openclaw/plugin-sdk/hooks";
import type { OutboxRow, Turn, TurnOutcome as TurnEnding } from "@openclaw/store";
import { type FailureRecord, failureRecord } from "./failure-record.js";
import type { Caller, ReplyOutcome } from "./inbound-message.js";
import type { MessageHost } from "./message-host.js";
import { messageTrace } from "./message-trace.js";
import { deliverReply, type ReplyOccasion } from "./reply-delivery.js";
import { subagentBounds } from "./subagent-bounds.js";
import { tracedRun } from "./traced-run.js";
import { readTurnInput, type TurnInput } from "./turn-input.js";
import type { LinedTurn } from "./turn-line.js";
import { followSignals } from "./turn-signal.js";

/** How a turn ended that waits for nothing more. */
type EndedOutcome = Exclude<TurnOutcome, { status: "paused" }>;

/**
 * Runs a queued turn to its end, stores its reply together with that end, and delivers the reply. It
 * never throws; what fails is the turn's outcome. A turn whose caller has gone before its start does
 * not run, and one whose host is ending stays queued for the next start.
 * @param lined - the turn in its line, with who waits for the reply
 * @param context - what message hooks are told
 * @param host - store, plugins and services
 */
export async function runQueuedTurn(
  lined: LinedTurn,
  context: MessageContext,
  host: MessageHost,
): Promise<ReplyOutcome> {
  const outcome = await carryThrough(lined, context, host);
  const { trigger, runId } = lined.turn;
  if (trigger === "subagent") await host.subagents.settle(runId);
  return outcome;
}

async function carryThrough(
  lined: LinedTurn,
  context: MessageContext,
  host: MessageHost,
): Promise<ReplyOutcome> {
  const traced = tracedRun(lined.turn);
  using _trace = host.traces.hold(traced.traceId, traced);
  const { runId, inboxId: messageId, sessionKey, sessionId, agentId } = lined.turn;
  try {
    if (host.signal.aborted) return { status: "interrupted", messageId, runId };
    const { callers } = lined;
    if (callers.length > 0 && callers.every(({ signal }) => signal?.aborted === true)) {
      await host.store.turns.finish(runId, { state: "interrupted", stopReason: "caller-gone" });
      return { status: "interrupted", messageId, runId };
    }
    if (lined.signal.aborted) {
      await host.store.turns.finish(runId, { state: "interrupted", stopReason: "interrupted" });
      return { status: "interrupted", messageId, runId };
    }
    // As it begins: other messages may have joined it since it was queued.
    const turn = await host.store.turns.begin(runId);
    const input = readTurnInput(turn);
    const outcome = await runThroughPauses(turn, input, lined, host);
    if (outcome.status === "paused") return { status: "interrupted", messageId, runId };
    if (outcome.status === "interrupted" && !host.signal.aborted) {
      await host.subagents.stopChildrenOf(sessionKey);
    }
    const reply = await storeEnding(turn, input, outcome, host);
    const about = { ...context, agentId, sessionKey, sessionId, runId };
    const inbound = outcome.status === "blocked" ? input : { ...input, body: input.text };
    const shown =
      reply === undefined
        ? undefined
        : await show({ reply, context: about, inbound }, callers, host);
    return replyOutcome(turn, outcome, shown, host);
  } catch (error) {
    return failTurn(lined.turn, failureRecord(error), host);
  }
}

/** A turn that waits for an answer is the same run before and after; its place goes to others meanwhile. */
async function runThroughPauses(
  turn: Turn,
  input: TurnInput,
  lined: LinedTurn,
  host: MessageHost,
): Promise<TurnOutcome> {
  const { runId } = turn;
  let held = hold(host);
  try {
    for (;;) {
      const outcome = await run(turn, input, lined, held, host);
      if (outcome.status !== "paused") return outcome;
      await host.store.turns.pause(runId);
      const { approvalId } = outcome;
      const end = await lined.pause(() =>
        host.pauses.wait(approvalId, runId, lined.signal, onlyCaller(lined)?.signal),
      );
      if (end === "stay") return outcome;
      await host.store.turns.begin(runId, { resume: true });
      if (held.pin.isWhole()) continue;
      held.pin.release();
      held = hold(host);
    }
  } finally {
    held.pin.release();
  }
}

/** What a turn keeps to its end, as long as it is there (TURN-012). */
function hold({ plugins, services }: MessageHost) {
  return { pin: plugins.pin(), services };
}

/** Of several who wait for one reply, none may end it for the others. */
function onlyCaller({ callers }: LinedTurn): Caller | undefined {
  return callers.length === 1 ? callers[0] : undefined;
}

async function run(
  turn: Turn,
  input: TurnInput,
  lined: LinedTurn,
  { pin, services }: ReturnType<typeof hold>,
  host: MessageHost,
): Promise<TurnOutcome> {
  const { plugins, signal, instructions } = host;
  const { runId, inboxId, sessionKey, sessionId, agentId, trigger } = turn;
  const { text, extraInstructions, history } = input;
  const { modelRef, workspaceDir, toolPolicyInput, deliveryContext } = host.router.route({
    ...input,
    sessionKey,
    agentId,
  });
  const { channel, to: channelId, accountId } = deliveryContext;
  const { senderId, senderIsOwner, threadId } = input;
  const { groupId, senderName } = toolPolicyInput;
  using turnSignal = followSignals(signal, lined.signal, onlyCaller(lined)?.signal);
  const subagent = await subagentBounds(sessionKey, host.store);
  using _extensions = await host.sessionStates.hold(sessionKey, pin.generation);
  return await runTurn(
    {
      runId,
      agentId,
      sessionKey,
      sessionId,
      trigger,
      ...(subagent === undefined ? {} : { subagent }),
      origin: {
        channel,
        channelId,
        messageId: inboxId,
        senderId,
        senderIsOwner,
        accountId,
        ...(threadId === undefined ? {} : { threadId }),
        ...(groupId === undefined ? {} : { groupId }),
        ...(senderName === undefined ? {} : { senderName }),
      },
      text,
      trace: messageTrace(inboxId),
      ...(input.attachments === undefined ? {} : { attachments: input.attachments }),
      model: modelRef,
      workspaceDir,
      signal: turnSignal.signal,
      takeSteering: () => takeSteering(lined, pin.hooks, host),
      onEvent(event) {
        for (const each of lined.callers) each.onEvent?.(event);
      },
      ...(instructions === undefined ? {} : { instructions }),
      ...(extraInstructions === undefined ? {} : { extraInstructions }),
      ...(history === undefined ? {} : { history }),
      isAttended: () => host.attendance.isAttended(sessionKey),
    },
    services,
    {
      generation: pin.generation.number,
      hooks: pin.hooks,
      tools: pin.generation.tools,
      memory: searchableMemory(pin.generation.memory),
      mayAddToPrompts: (pluginId) => plugins.mayAddToPrompts(pluginId),
    },
  );
}

/**
 * Takes over the messages that came in to steer a running turn. Where a plugin guards what reaches a
 * model, they wait for a turn of their own, which it sees.
 */
async function takeSteering(
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
      await store.turns.finish(runId, { state: "completed", stopReason: "steered" });
      steering.answeredBy(lined);
      texts.push(text);
    } catch (error) {
      const { code, message } = failureRecord(error);
      logger.warn(`a message waits for a turn of its own: ${message}`, { code, runId });
    }
  }
  return texts;
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
  turn: Turn,
  { channel, conversationId, accountId, threadId }: TurnInput,
  outcome: EndedOutcome,
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

/** The reply goes where the last of those is who wait for it. */
async function show(
  occasion: Omit<ReplyOccasion, "caller">,
  callers: readonly Caller[],
  host: MessageHost,
): Promise<string | undefined> {
  const caller = callers.at(-1);
  if (caller === undefined) {
    const reason = "nobody waited for it; it is in the transcript";
    await host.store.outbox.suppressed(occasion.reply.id, reason);
    return undefined;
  }
  const delivery = await deliverReply({ ...occasion, caller }, host);
  return delivery.status === "delivered" ? delivery.text : undefined;
}

function turnEnding(outcome: EndedOutcome): TurnEnding {
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
  outcome: EndedOutcome,
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
