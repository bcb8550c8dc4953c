import { HOST_INJECTIONS, logRejection, type SubagentEnd, subagentReport } from "@openclaw/agent";
import { isPluginHookExecutionError, PluginQuotaError } from "@openclaw/plugin-sdk/errors";
import type { HookMap, Origin } from "@openclaw/plugin-sdk/hooks";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { DeliveryTarget, Subagent, Turn } from "@openclaw/store";
import { RowNotFoundError } from "@openclaw/store/errors";
import { deliverReply } from "../delivery/reply.js";
import type { MessageHost } from "../inbound/host.js";
import { messageContext } from "../messages/context.js";
import { failureRecord } from "../messages/failure-record.js";
import type { ReplySurface } from "../messages/inbound.js";

type EndingHost = Pick<MessageHost, "store" | "plugins" | "services" | "logger" | "signal">;

/** Where a child's report goes: to its parent's next turn, to a conversation, or nowhere. */
type Destination =
  | { readonly kind: "parent" }
  | { readonly kind: "conversation"; readonly target: DeliveryTarget }
  | { readonly kind: "nowhere" };

/**
 * Tells a child's parent of the end of the child's turn: `subagent_delivery_target` may choose another
 * place for the report, the report is left there, then `subagent_ended` fires. The report and the mark
 * that the child has ended are one transaction, so that a parent is told once.
 * @param runId - the child's turn
 * @param host - store, hooks and safety
 * @returns false while the turn has not ended, and when the parent was told before
 */
export async function settleSubagent(runId: string, host: EndingHost): Promise<boolean> {
  const { store, plugins, logger } = host;
  const child = await store.subagents.get(runId);
  if (child === undefined || child.settledAt !== undefined) return false;
  const turn = await store.turns.get(runId);
  const end = endOf(turn, child);
  if (end === undefined) return false;
  const context = contextOf(child, turn);
  const destination = await destinationOf(child, context, host);
  if (!(await leaveReport(child, end, destination, host))) return false;
  const event: HookMap["subagent_ended"]["event"] = {
    targetSessionKey: child.sessionKey,
    targetKind: "subagent",
    reason: child.stopReason ?? end.error ?? "completed",
    outcome: end.outcome,
    runId,
    endedAt: turn?.endedAt ?? host.services.now(),
    ...(end.error === undefined ? {} : { error: end.error }),
  };
  logRejection(plugins.hooks.observe("subagent_ended", event, context), logger);
  return true;
}

/** How the child ended, as its turn tells it; undefined while that has not ended. */
function endOf(turn: Turn | undefined, { stopReason }: Subagent): SubagentEnd | undefined {
  switch (turn?.state) {
    case undefined:
      return { outcome: "error", error: "its turn is no longer stored" };
    case "completed":
      return { outcome: "ok" };
    case "failed":
      return { outcome: "error", error: turn.error?.message ?? "its turn failed" };
    case "blocked":
      return { outcome: "error", error: "a plugin did not let it run" };
    case "interrupted":
      return { outcome: stopReason === "timeout" ? "timeout" : "killed" };
    default:
      return undefined;
  }
}

function contextOf(child: Subagent, turn: Turn | undefined) {
  const { runId, sessionKey, parentSessionKey, depth } = child;
  return {
    callDepth: depth,
    trigger: "subagent" as const,
    sessionKey,
    runId,
    childSessionKey: sessionKey,
    requesterSessionKey: parentSessionKey,
    ...(turn === undefined ? {} : { agentId: turn.agentId, sessionId: turn.sessionId }),
  };
}

/** A choice that fails changes nothing, unless it was to count: then nothing is told (HCR-003). */
async function destinationOf(
  child: Subagent,
  context: ReturnType<typeof contextOf>,
  { plugins, logger }: EndingHost,
): Promise<Destination> {
  const { runId, sessionKey, parentSessionKey, requester, deliveryOrigin } = child;
  try {
    const chosen = await plugins.hooks.rewrite(
      "subagent_delivery_target",
      {
        childSessionKey: sessionKey,
        requesterSessionKey: parentSessionKey,
        requesterOrigin: { ...requester },
        childRunId: runId,
        spawnMode: "run",
        expectsCompletionMessage: true,
      },
      context,
    );
    const origin = chosen?.origin ?? deliveryOrigin;
    if (origin === undefined) return { kind: "parent" };
    return { kind: "conversation", target: targetOf(origin, requester) };
  } catch (error) {
    if (!isPluginHookExecutionError(error)) throw error;
    const { code, message } = failureRecord(error);
    logger.error(`the report of a child session is not delivered: ${message}`, { code, runId });
    return { kind: "nowhere" };
  }
}

/** What the origin leaves out is that of the conversation in which the child was asked for. */
function targetOf(origin: Origin | JsonObject, requester: JsonObject): DeliveryTarget {
  const { channel, to, accountId, threadId } = { ...requester, ...origin };
  return {
    channel: String(channel),
    to: String(to),
    ...(accountId === undefined ? {} : { accountId: String(accountId) }),
    ...(threadId === undefined ? {} : { threadId: String(threadId) }),
  };
}

/** @returns whether this call was the one that ended the child */
async function leaveReport(
  child: Subagent,
  end: SubagentEnd,
  destination: Destination,
  host: EndingHost,
): Promise<boolean> {
  const { store, logger } = host;
  const { runId, parentSessionKey: sessionKey } = child;
  const text = subagentReport(child, end, host.services.safety);
  switch (destination.kind) {
    case "nowhere":
      return await store.subagents.settle(runId, end);
    case "conversation":
      return await sendReport(child, end, destination.target, host);
    case "parent":
      try {
        return await store.transaction(async (unit) => {
          if (!(await unit.subagents.settle(runId, end))) return false;
          const left = { sessionKey, text, idempotencyKey: runId };
          await unit.injections.enqueue(HOST_INJECTIONS, left);
          return true;
        });
      } catch (error) {
        if (!RowNotFoundError.isInstance(error) && !PluginQuotaError.isInstance(error)) throw error;
        const problem = `the report of a child session is only in its transcript: ${error.message}`;
        logger.warn(problem, { code: error.code, runId, sessionKey });
        return await store.subagents.settle(runId, end);
      }
  }
}

/** The report goes out like every reply; the answer itself where there is one. */
async function sendReport(
  child: Subagent,
  end: SubagentEnd,
  target: DeliveryTarget,
  host: EndingHost,
): Promise<boolean> {
  const { runId, parentSessionKey: sessionKey, result = "" } = child;
  const { store, services } = host;
  const content = end.outcome === "ok" ? result : subagentReport(child, end, services.safety);
  const stored = await store.transaction(async (unit) => {
    if (!(await unit.subagents.settle(runId, end))) return undefined;
    if (content === "") return { reply: undefined };
    const { row } = await unit.outbox.add({ runId, part: 0, sessionKey, target, content });
    return { reply: row };
  });
  if (stored?.reply === undefined) return stored !== undefined;
  const { channel, to: conversationId, ...place } = target;
  const inbound = { channel, conversationId, senderId: child.sessionKey, senderIsOwner: false };
  const context = { ...messageContext({ ...inbound, ...place }, runId), sessionKey, runId };
  const caller = { surface: absentSurface(channel) };
  await deliverReply({ reply: stored.reply, context, inbound, caller }, host);
  return true;
}

/** Of a channel that the host does not serve; a plugin may still deliver, by `reply_dispatch`. */
function absentSurface(channel: string): ReplySurface {
  return {
    send: () => Promise.reject(new Error(`no channel "${channel}" is connected to this gateway`)),
  };
}
