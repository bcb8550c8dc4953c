import type { SubagentSpawn, SubagentSpawned, TurnOrigin } from "@openclaw/agent";
import { defined, orderedId } from "@openclaw/foundation";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { NewSubagent, Store } from "@openclaw/store";
import { replyTarget } from "../delivery/target.js";
import type { InboundMessage } from "../messages/inbound.js";
import { inboxMessage } from "../messages/inbox.js";
import { writeTurnInput } from "../turns/input.js";
import type { SubagentManager } from "./manager.js";
import type { StoredSubagent, SubagentTurns } from "./turns.js";

/** Dependencies of {@link SubagentSpawner}. */
export interface SubagentSpawnerDependencies {
  readonly store: Store;
  readonly turns: Pick<SubagentTurns, "start">;
  readonly manager: Pick<SubagentManager, "watchDeadline">;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/** Opens the sessions of subagents and queues their turns (TURN-052). */
export class SubagentSpawner {
  readonly #dependencies: SubagentSpawnerDependencies;
  readonly #maxSubagents: () => number;

  /**
   * @param dependencies - store, turns, manager and clock
   * @param maxSubagents - returns the maximum number of subagents that run for one session
   */
  constructor(dependencies: SubagentSpawnerDependencies, maxSubagents: () => number) {
    this.#dependencies = dependencies;
    this.#maxSubagents = maxSubagents;
  }

  /**
   * Opens a subagent's session and queues its turn, in one transaction.
   * @param spawn - request for the subagent
   */
  async spawn(spawn: SubagentSpawn): Promise<SubagentSpawned> {
    const { turns, manager } = this.#dependencies;
    const startedAt = performance.now();
    const message = messageOf(spawn);
    const stored = await this.#store(spawn, message);
    if (stored === undefined) return { status: "full" };
    turns.start(stored, message, spawn, startedAt);
    manager.watchDeadline(stored.subagent, stored.subagent.createdAt);
    return { status: "spawned", runId: stored.turn.runId };
  }

  #store(spawn: SubagentSpawn, message: InboundMessage): Promise<StoredSubagent | undefined> {
    const { store, now } = this.#dependencies;
    const { parent, sessionKey, agentId, label, model } = spawn;
    const row = inboxMessage(message, now());
    return store.transaction(async (unit) => {
      // Counted in the transaction that adds the subagent, so that two concurrent calls cannot both take the
      // last place.
      const running = await unit.sessions.subagents.live(parent.sessionKey);
      if (running.length >= this.#maxSubagents()) return undefined;
      const runId = orderedId(row.receivedAt);
      await unit.messages.inbox.accept(row);
      const { channel } = message;
      const opening = defined({ agentId, channel, label, model });
      const { session } = await unit.sessions.open(sessionKey, opening);
      await unit.messages.inbox.settle(row.id, { state: "queued", sessionKey, runId });
      const turn = await unit.turns.enqueue({
        runId,
        sessionKey,
        sessionId: session.sessionId,
        agentId,
        inboxId: row.id,
        trigger: "subagent",
        payload: writeTurnInput(message),
      });
      return { turn, session, subagent: await unit.sessions.subagents.add(rowOf(spawn, runId)) };
    });
  }
}

/**
 * Returns the task as a message of the parent's user in the same conversation, so that the subagent gains no
 * other rights.
 */
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
    accountId,
    threadId,
    room: groupId === undefined ? undefined : { kind: "group", id: groupId },
    userName: senderName,
  };
}

function rowOf(spawn: SubagentSpawn, runId: string): NewSubagent {
  const { sessionKey, parent, depth, parentTools, tools, label, timeoutMs, deliveryOrigin } = spawn;
  return defined({
    runId,
    sessionKey,
    parentSessionKey: parent.sessionKey,
    parentRunId: parent.runId,
    depth,
    parentTools,
    requester: requesterOf(spawn.origin),
    tools,
    label,
    timeoutMs,
    deliveryOrigin: deliveryOrigin === undefined ? undefined : { ...deliveryOrigin },
  });
}

function requesterOf({ channel, channelId, accountId, threadId }: TurnOrigin): JsonObject {
  return defined(replyTarget({ channel, conversationId: channelId, accountId, threadId }));
}
