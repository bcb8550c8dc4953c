import {
  logRejection,
  type SubagentSpawn,
  type SubagentSpawned,
  type TurnOrigin,
} from "@openclaw/agent";
import { defined } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { NewSubagent, Store, Subagent } from "@openclaw/store";
import { replyTarget } from "../delivery/target.js";
import type { InboundMessage } from "../messages/inbound.js";
import type { HostTurns, StoredHostTurn } from "../turns/host-turns.js";
import type { SubagentManager } from "./manager.js";

/** Dependencies of {@link SubagentSpawner}. */
export interface SubagentSpawnerDependencies {
  readonly store: Store;
  readonly turns: HostTurns;
  readonly manager: Pick<SubagentManager, "watchDeadline">;
  readonly logger: Logger;
}

/** A subagent with its queued turn, as stored in one transaction. */
interface StoredSubagent extends StoredHostTurn {
  readonly subagent: Subagent;
}

/** Opens the sessions of subagents and queues their turns (TURN-052). */
export class SubagentSpawner {
  readonly #dependencies: SubagentSpawnerDependencies;
  readonly #maxSubagents: () => number;

  /**
   * @param dependencies - store, turns, manager and log
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
    const { turns, manager, logger } = this.#dependencies;
    const startedAt = performance.now();
    const message = messageOf(spawn);
    const stored = await this.#store(spawn, message);
    if (stored === undefined) return { status: "full" };
    const { depth, trace } = spawn;
    const queued = turns.start(stored, message, { depth, trace, startedAt });
    logRejection(queued.outcome, logger);
    manager.watchDeadline(stored.subagent, stored.subagent.createdAt);
    return { status: "spawned", runId: stored.turn.runId };
  }

  #store(spawn: SubagentSpawn, message: InboundMessage): Promise<StoredSubagent | undefined> {
    const { store, turns } = this.#dependencies;
    const { parent, sessionKey, agentId, label, model } = spawn;
    return store.transaction(async (unit) => {
      // Counted in the transaction that adds the subagent, so that two concurrent calls cannot both take the
      // last place.
      const running = await unit.sessions.subagents.live(parent.sessionKey);
      if (running.length >= this.#maxSubagents()) return undefined;
      const task = { sessionKey, agentId, trigger: "subagent", message, label, model } as const;
      const stored = await turns.store(unit, task);
      const subagent = await unit.sessions.subagents.add(rowOf(spawn, stored.turn.runId));
      return { ...stored, subagent };
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
