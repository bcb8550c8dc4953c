import {
  type SubagentSpawn,
  type SubagentSpawned,
  type TurnOrigin,
  unawaited,
} from "@openclaw/agent";
import { orderedId, systemClock } from "@openclaw/foundation";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { Session, Subagent, SubagentStopReason, Turn } from "@openclaw/store";
import type { MessageHost } from "../inbound/host.js";
import { messageContext } from "../messages/context.js";
import { failureRecord } from "../messages/failure-record.js";
import type { InboundMessage } from "../messages/inbound.js";
import { inboxMessage } from "../messages/inbox.js";
import { childSpan } from "../messages/trace.js";
import { writeTurnInput } from "../turns/input.js";
import { runQueuedTurn } from "../turns/run.js";
import { settleSubagent } from "./ending.js";

/** Child sessions, from the call that asks for them until their parent is told of their end (TURN-052). */
export interface SubagentLife {
  /**
   * Opens a child's session and queues its turn; both are there, or none.
   * @param spawn - the child
   */
  spawn(spawn: SubagentSpawn): Promise<SubagentSpawned>;
  /**
   * Tells a child's parent of the end of its turn. Nothing happens while the turn has not ended, and when
   * the parent was told before. What fails is logged; the next start tries again.
   * @param runId - the child's turn
   */
  settle(runId: string): Promise<void>;
  /**
   * Ends a child and its own children early.
   * @param runId - the child's turn
   * @param reason - why
   * @returns false when it has ended, or is being ended already
   */
  stop(runId: string, reason?: SubagentStopReason): Promise<boolean>;
  /**
   * Ends every child of a session early.
   * @param sessionKey - of the parent
   * @returns how many
   */
  stopChildrenOf(sessionKey: string): Promise<number>;
  /** Takes up the children that an earlier process left, once their turns stand in their lines. */
  recover(): Promise<void>;
  /** Lets go of every timer. */
  close(): void;
}

/**
 * Makes the life of a host's children.
 * @param host - store, plugins, lines and services
 * @param maxChildren - how many one session may have at once
 */
export function createSubagentLife(host: MessageHost, maxChildren: number): SubagentLife {
  const { store, logger } = host;
  const timers = host.services.timers ?? systemClock;
  const deadlines = new Map<string, unknown>();

  function watchDeadline({ runId, deadlineAt }: Subagent, now: number): void {
    if (deadlineAt === undefined) return;
    const timer = timers.setTimeout(
      () => {
        deadlines.delete(runId);
        unawaited(
          life.stop(runId, "timeout").then(() => undefined),
          logger,
        );
      },
      Math.max(0, deadlineAt - now),
    );
    deadlines.set(runId, timer);
  }

  function forgetDeadline(runId: string): void {
    const timer = deadlines.get(runId);
    if (timer === undefined) return;
    timers.clearTimeout(timer);
    deadlines.delete(runId);
  }

  const life: SubagentLife = {
    async spawn(spawn) {
      const startedAt = performance.now();
      const message = messageOf(spawn);
      const row = inboxMessage(message, host.services.now());
      const stored = await store.transaction(async (unit) => {
        const { parent, sessionKey, agentId, label, model } = spawn;
        // Counted in the transaction that adds one: two at once do not both find the last place.
        if ((await unit.subagents.live(parent.sessionKey)).length >= maxChildren) return undefined;
        const runId = orderedId(row.receivedAt);
        await unit.inbox.accept(row);
        const named = { ...(label === undefined ? {} : { label }), model };
        const channel = message.channel;
        const { session } = await unit.sessions.open(sessionKey, { agentId, channel, ...named });
        await unit.inbox.settle(row.id, { state: "queued", sessionKey, runId });
        const { sessionId } = session;
        const turn = await unit.turns.enqueue({
          runId,
          sessionKey,
          sessionId,
          agentId,
          inboxId: row.id,
          trigger: "subagent",
          payload: writeTurnInput(message),
        });
        return { turn, session, child: await unit.subagents.add(childOf(spawn, runId)) };
      });
      if (stored === undefined) return { status: "full" };
      enter(stored.turn, stored.session, message, spawn, startedAt);
      watchDeadline(stored.child, stored.child.createdAt);
      return { status: "spawned", runId: stored.turn.runId };
    },

    async settle(runId) {
      try {
        if (await settleSubagent(runId, host)) forgetDeadline(runId);
      } catch (error) {
        const { code, message } = failureRecord(error);
        const problem = `the end of a child session could not be told to its parent: ${message}`;
        logger.error(problem, { code, runId });
      }
    },

    async stop(runId, reason = "stopped") {
      if (!(await store.subagents.stop(runId, reason))) return false;
      forgetDeadline(runId);
      const child = await store.subagents.get(runId);
      if (child === undefined) return false;
      host.turnLines.cancel(child.sessionKey, runId);
      await life.stopChildrenOf(child.sessionKey);
      return true;
    },

    async stopChildrenOf(sessionKey) {
      const children = await store.subagents.live(sessionKey);
      const stopped = await Promise.all(children.map(({ runId }) => life.stop(runId)));
      return stopped.filter(Boolean).length;
    },

    async recover() {
      const now = host.services.now();
      for (const child of await store.subagents.live()) {
        const { runId, sessionKey, stopReason } = child;
        if (stopReason !== undefined) host.turnLines.cancel(sessionKey, runId);
        else watchDeadline(child, now);
        await life.settle(runId);
      }
    },

    close() {
      for (const runId of [...deadlines.keys()]) forgetDeadline(runId);
    },
  };
  return life;

  function enter(
    turn: Turn,
    session: Session,
    message: InboundMessage,
    { origin, depth, trace }: SubagentSpawn,
    startedAt: number,
  ): void {
    const { runId, inboxId: messageId, sessionKey, sessionId, agentId } = turn;
    const own = messageContext(message, messageId);
    const context = {
      ...own,
      ...(trace === undefined ? {} : childSpan({ trace })),
      callDepth: depth,
    };
    host.sessions.opened(session, true, context);
    const queued = {
      outcome: "queued" as const,
      messageId,
      durationMs: Math.round(performance.now() - startedAt),
      sessionKey,
      sessionId,
      runId,
      content: message.text,
      route: { agentId, ...requesterOf(origin) },
    };
    const about = { ...context, agentId, sessionKey, runId };
    unawaited(host.plugins.hooks.observe("request_post", queued, about), logger);
    const { outcome } = host.turnLines.enter(turn, [], (lined) =>
      runQueuedTurn(lined, context, host),
    );
    unawaited(
      outcome.then(() => undefined),
      logger,
    );
  }
}

/** The child acts for whom its parent acts for, in the same conversation: it gains no other rights. */
function messageOf({ origin, task, sessionKey, agentId, model }: SubagentSpawn): InboundMessage {
  const { channel, channelId, accountId, threadId, groupId, senderId, senderName } = origin;
  return {
    channel,
    conversationId: channelId,
    senderId,
    senderIsOwner: origin.senderIsOwner,
    text: task,
    sessionKey,
    agentId,
    model,
    ...(accountId === undefined ? {} : { accountId }),
    ...(threadId === undefined ? {} : { threadId }),
    ...(groupId === undefined ? {} : { room: { kind: "group", id: groupId } }),
    ...(senderName === undefined ? {} : { userName: senderName }),
  };
}

function childOf(spawn: SubagentSpawn, runId: string) {
  const { sessionKey, parent, depth, parentTools, tools, label, timeoutMs, deliveryOrigin } = spawn;
  return {
    runId,
    sessionKey,
    parentSessionKey: parent.sessionKey,
    parentRunId: parent.runId,
    depth,
    parentTools,
    requester: requesterOf(spawn.origin),
    ...(tools === undefined ? {} : { tools }),
    ...(label === undefined ? {} : { label }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(deliveryOrigin === undefined ? {} : { deliveryOrigin: { ...deliveryOrigin } }),
  };
}

function requesterOf({ channel, channelId, accountId, threadId }: TurnOrigin) {
  return {
    channel,
    to: channelId,
    ...(accountId === undefined ? {} : { accountId }),
    ...(threadId === undefined ? {} : { threadId }),
  } satisfies JsonObject;
}
