import { runTurn, type TurnOutcome } from "@openclaw/agent";
import { searchableMemory } from "@openclaw/plugin-runtime";
import type { MessageContext } from "@openclaw/plugin-sdk/hooks";
import type { Turn } from "@openclaw/store";
import { deliverReply, type ReplyOccasion } from "../delivery/reply.js";
import type { MessageHost } from "../inbound/host.js";
import { failureRecord } from "../messages/failure-record.js";
import type { Caller, ReplyOutcome } from "../messages/inbound.js";
import { messageTrace } from "../messages/trace.js";
import { tracedRun } from "../messages/traced-run.js";
import { sessionLineage } from "../sessions/lineage.js";
import { subagentBounds } from "../sessions/subagent-bounds.js";
import { failTurn, replyOutcome, storeEnding } from "./ending.js";
import { loadTurnInput, type TurnInput } from "./input.js";
import type { LinedTurn } from "./session-queues.js";
import { followSignals } from "./signal.js";
import { takeSteering } from "./steering.js";

/**
 * Runs a turn to its end, from its beginning or from where an earlier process left it, stores its reply
 * together with that end, and delivers the reply. It never throws; what fails is the turn's outcome. A
 * turn whose caller has gone before its start does not run, and one whose host is ending goes on after
 * the next start.
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
      await host.approvals.cancelFor({ runId }, "interrupt");
      await host.store.turns.finish(runId, { state: "interrupted", stopReason: "interrupted" });
      return { status: "interrupted", messageId, runId };
    }
    // As it begins: other messages may have joined it since it was queued.
    const turn = await host.store.turns.begin(runId, { resume: lined.turn.state !== "queued" });
    const input = await loadTurnInput(turn, host.store);
    const outcome = await runThroughPauses(turn, input, lined, host);
    if (outcome.status === "paused" || outcome.status === "suspended")
      return { status: "interrupted", messageId, runId };
    if (outcome.status === "interrupted") {
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
  const lineage = await sessionLineage(sessionKey, host.store);
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
      isAttended: () => host.attendance.isAttended(lineage),
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

/** The reply goes where the last of those is who wait for it. */
async function show(
  occasion: Omit<ReplyOccasion, "caller">,
  callers: readonly Caller[],
  host: MessageHost,
): Promise<string | undefined> {
  const caller = callers.at(-1) ?? { hasGone: true };
  const delivery = await deliverReply({ ...occasion, caller }, host);
  return delivery.status === "delivered" ? delivery.text : undefined;
}
