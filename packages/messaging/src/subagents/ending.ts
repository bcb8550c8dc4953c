import { HOST_INJECTIONS, logRejection, type SubagentEnd, subagentReport } from "@openclaw/agent";
import { defined } from "@openclaw/foundation";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import { isPluginHookExecutionError, PluginQuotaError } from "@openclaw/plugin-sdk/errors";
import type { HookMap, Origin } from "@openclaw/plugin-sdk/hooks";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { OutputOptions } from "@openclaw/safety";
import type { DeliveryTarget, Store, Subagent, Turn } from "@openclaw/store";
import { RowNotFoundError } from "@openclaw/store/errors";
import type { ReplyDelivery } from "../delivery/reply.js";
import { messageContext } from "../messages/context.js";
import { failureRecord } from "../messages/failure-record.js";
import type { ReplySurface } from "../messages/inbound.js";

/** Destination of a subagent's report: its parent's next turn, a conversation, or none. */
type Destination =
  | { readonly kind: "parent" }
  | { readonly kind: "conversation"; readonly target: DeliveryTarget }
  | { readonly kind: "nowhere" };

/** Safety rules and clock for the reports of subagents. */
export interface ReportSettings {
  /** Returns rules and limits of the safety engine. */
  safety(): OutputOptions;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/** Dependencies of {@link SubagentReports}. */
export interface SubagentReportsDependencies {
  readonly store: Store;
  readonly plugins: Pick<PluginRuntime, "hooks">;
  readonly replies: Pick<ReplyDelivery, "deliver">;
  readonly logger: Logger;
}

/** Reports the ends of subagents to their parents. */
export class SubagentReports {
  readonly #dependencies: SubagentReportsDependencies;
  readonly #settings: ReportSettings;

  /**
   * @param dependencies - store, hooks, delivery and log
   * @param settings - safety and clock
   */
  constructor(dependencies: SubagentReportsDependencies, settings: ReportSettings) {
    this.#dependencies = dependencies;
    this.#settings = settings;
  }

  /**
   * Reports the end of a subagent's turn to its parent: `subagent_delivery_target` may choose another
   * destination, the report is stored there, then `subagent_ended` fires. The report and the mark that the
   * subagent has ended are stored in one transaction, so that a parent is notified once.
   * @param runId - ID of the subagent's turn
   * @returns false while the turn has not ended, and when the parent was already notified
   */
  async settle(runId: string): Promise<boolean> {
    const { store, plugins, logger } = this.#dependencies;
    const child = await store.sessions.subagents.get(runId);
    if (child === undefined || child.settledAt !== undefined) return false;
    const turn = await store.turns.get(runId);
    const end = endOf(turn, child);
    if (end === undefined) return false;
    const context = contextOf(child, turn);
    const destination = await this.#destinationOf(child, context);
    if (!(await this.#storeReport(child, end, destination))) return false;
    const event: HookMap["subagent_ended"]["event"] = defined({
      targetSessionKey: child.sessionKey,
      targetKind: "subagent" as const,
      reason: child.stopReason ?? end.error ?? "completed",
      outcome: end.outcome,
      runId,
      endedAt: turn?.endedAt ?? this.#settings.now(),
      error: end.error,
    });
    logRejection(plugins.hooks.observe("subagent_ended", event, context), logger);
    return true;
  }

  /**
   * Determines the destination. A hook that fails changes nothing, unless it is fail-closed: then nothing is
   * reported (HCR-003).
   */
  async #destinationOf(child: Subagent, context: SubagentContext): Promise<Destination> {
    const { plugins, logger } = this.#dependencies;
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
      logger.error(`the report of a subagent was not delivered: ${message}`, { code, runId });
      return { kind: "nowhere" };
    }
  }

  /** @returns true when this call ended the subagent */
  async #storeReport(
    child: Subagent,
    end: SubagentEnd,
    destination: Destination,
  ): Promise<boolean> {
    const { store, logger } = this.#dependencies;
    const { runId, parentSessionKey: sessionKey } = child;
    switch (destination.kind) {
      case "nowhere":
        return await store.sessions.subagents.settle(runId, end);
      case "conversation":
        return await this.#sendReport(child, end, destination.target);
      case "parent":
        try {
          const text = subagentReport(child, end, this.#settings.safety());
          return await store.transaction(async (unit) => {
            if (!(await unit.sessions.subagents.settle(runId, end))) return false;
            const injection = { sessionKey, text, idempotencyKey: runId };
            await unit.sessions.injections.enqueue(HOST_INJECTIONS, injection);
            return true;
          });
        } catch (error) {
          if (!RowNotFoundError.isInstance(error) && !PluginQuotaError.isInstance(error))
            throw error;
          const problem = `the report of a subagent is only in its transcript: ${error.message}`;
          logger.warn(problem, { code: error.code, runId, sessionKey });
          return await store.sessions.subagents.settle(runId, end);
        }
    }
  }

  /** Delivers the subagent's result, if there is one, as a reply. */
  async #sendReport(child: Subagent, end: SubagentEnd, target: DeliveryTarget): Promise<boolean> {
    const { store, replies } = this.#dependencies;
    const { runId, parentSessionKey: sessionKey, result = "" } = child;
    const report = () => subagentReport(child, end, this.#settings.safety());
    const content = end.outcome === "ok" ? result : report();
    const stored = await store.transaction(async (unit) => {
      if (!(await unit.sessions.subagents.settle(runId, end))) return undefined;
      if (content === "") return { reply: undefined };
      const { row } = await unit.messages.outbox.add({
        runId,
        part: 0,
        sessionKey,
        target,
        content,
      });
      return { reply: row };
    });
    if (stored?.reply === undefined) return stored !== undefined;
    const { channel, to: conversationId, ...place } = target;
    const inbound = { channel, conversationId, senderId: child.sessionKey, senderIsOwner: false };
    const context = {
      ...messageContext({ ...inbound, ...defined(place) }, runId),
      sessionKey,
      runId,
    };
    const caller = { surface: absentSurface(channel) };
    await replies.deliver({ reply: stored.reply, context, inbound, caller });
    return true;
  }
}

/** Returns the end of a subagent from its turn; undefined while the turn has not ended. */
function endOf(turn: Turn | undefined, { stopReason }: Subagent): SubagentEnd | undefined {
  switch (turn?.state) {
    case undefined:
      return { outcome: "error", error: "its turn is no longer stored" };
    case "completed":
      return { outcome: "ok" };
    case "failed":
      return { outcome: "error", error: turn.error?.message ?? "its turn failed" };
    case "blocked":
      return { outcome: "error", error: "a plugin blocked it" };
    case "interrupted":
      return { outcome: stopReason === "timeout" ? "timeout" : "killed" };
    default:
      return undefined;
  }
}

type SubagentContext = ReturnType<typeof contextOf>;

function contextOf(child: Subagent, turn: Turn | undefined) {
  const { runId, sessionKey, parentSessionKey, depth } = child;
  return defined({
    callDepth: depth,
    trigger: "subagent" as const,
    sessionKey,
    runId,
    childSessionKey: sessionKey,
    requesterSessionKey: parentSessionKey,
    agentId: turn?.agentId,
    sessionId: turn?.sessionId,
  });
}

/** Completes the origin with the conversation in which the subagent was requested. */
function targetOf(origin: Origin | JsonObject, requester: JsonObject): DeliveryTarget {
  const { channel, to, accountId, threadId } = { ...requester, ...origin };
  return defined({
    channel: String(channel),
    to: String(to),
    accountId: accountId === undefined ? undefined : String(accountId),
    threadId: threadId === undefined ? undefined : String(threadId),
  });
}

/**
 * Returns a surface for a channel that the host does not serve; a plugin may still deliver with
 * `reply_dispatch`.
 */
function absentSurface(channel: string): ReplySurface {
  return {
    send: () => Promise.reject(new Error(`no channel "${channel}" is connected to this gateway`)),
  };
}
