import { logRejection } from "@openclaw/agent";
import type { Logger } from "@openclaw/plugin-sdk";
import type { InboundRow, OutboxRow, Store, Turn } from "@openclaw/store";
import type { ApprovalRequestDelivery } from "../approvals/request-delivery.js";
import { type FindSurface, recoveredCaller } from "../delivery/recovered-caller.js";
import type { ReplyDelivery } from "../delivery/reply.js";
import { recoverReplies } from "../delivery/reply-recovery.js";
import { messageContext } from "../messages/context.js";
import type { ConversationEvents } from "../messages/conversation-events.js";
import { failureRecord } from "../messages/failure-record.js";
import { restoreMessage } from "../messages/inbox.js";
import type { StoredMessage } from "../messages/stored-message.js";
import { loadTurnInput } from "../turns/input.js";
import type { TurnRunner } from "../turns/runner.js";
import type { MessageOutcomes } from "./outcomes.js";

/** Messages, turns and replies that an earlier process did not finish. */
export interface OpenWork {
  /** Messages without an outcome. */
  readonly messages: readonly InboundRow[];
  /** Turns that have not ended. */
  readonly turns: readonly Turn[];
  /** Replies that were not delivered. */
  readonly replies: readonly OutboxRow[];
}

const NOTHING: OpenWork = { messages: [], turns: [], replies: [] };

/** Row of a message whose turn is resumed. */
type RecoveredRow = Pick<InboundRow, "id" | "idempotencyKey">;

/** Dependencies of {@link MessageRecovery}. */
export interface MessageRecoveryDependencies {
  readonly store: Pick<Store, "messages" | "turns" | "decisions" | "nodes" | "transaction">;
  /** Tells the clients of a session of replies that may be lost. */
  readonly events: Pick<ConversationEvents, "undelivered">;
  readonly approvalRequests: Pick<ApprovalRequestDelivery, "attend">;
  readonly runner: Pick<TurnRunner, "schedule">;
  readonly replies: ReplyDelivery;
  readonly findSurface: FindSurface;
  /** Keeps the outcomes of messages that callers may repeat. */
  readonly outcomes: Pick<MessageOutcomes, "keep">;
  readonly logger: Logger;
}

/**
 * Resumes the work that an earlier process left, regardless of the point at which it was killed (HOST-027).
 */
export class MessageRecovery {
  readonly #dependencies: MessageRecoveryDependencies;

  /** @param dependencies - store, turns, delivery, channels, outcomes and log */
  constructor(dependencies: MessageRecoveryDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Reads the work that an earlier process left, or that this node takes over from nodes that are gone. On a host that has
   * the database alone it must be called before anything new is stored.
   */
  async load(): Promise<OpenWork> {
    const { store } = this.#dependencies;
    const { messages: ids, replies: replyIds } = await store.nodes.adopt();
    const isNode = store.nodes.own !== undefined;
    if (isNode && ids.length === 0 && replyIds.length === 0) return NOTHING;
    const replies = await store.messages.outbox.undelivered();
    const messages = await store.messages.inbox.received();
    const turns = await store.turns.left();
    if (!isNode) return { replies, messages, turns };
    const adopted = new Set([...ids, ...replyIds]);
    return {
      replies: replies.filter(({ id }) => adopted.has(id)),
      messages: messages.filter(({ id }) => adopted.has(id)),
      turns: turns.filter(({ inboxId }) => adopted.has(inboxId)),
    };
  }

  /**
   * Schedules the unfinished turns in the order in which they were queued.
   * @param turns - unfinished turns
   * @returns number of resumed turns
   */
  async resumeTurns(turns: readonly Turn[]): Promise<number> {
    let resumed = 0;
    for (const turn of turns) if (await this.#resume(turn)) resumed += 1;
    return resumed;
  }

  /**
   * Returns a message in the form in which its surface sent it.
   * @param row - its row in the inbox
   */
  restore(row: InboundRow): StoredMessage {
    const message = restoreMessage(row);
    const context = messageContext(message, row.id);
    const caller = recoveredCaller(message, row, this.#dependencies.findSurface);
    return { message, row, context, caller, startedAt: performance.now() };
  }

  /**
   * Sends the undelivered replies, if their channel still exists.
   * @param replies - replies, oldest first
   */
  sendReplies(replies: readonly OutboxRow[]): Promise<void> {
    return recoverReplies(replies, this.#dependencies);
  }

  /** Resumes a turn in the background. */
  async #resume(turn: Turn): Promise<boolean> {
    const { store, runner, findSurface, outcomes, logger, approvalRequests } = this.#dependencies;
    const { runId, inboxId, sessionKey } = turn;
    const isNode = store.nodes.own !== undefined;
    try {
      const input = await loadTurnInput(turn, store);
      const row: RecoveredRow = (await store.messages.inbox.get(inboxId)) ?? { id: inboxId };
      const context = messageContext(input, inboxId);
      const caller = recoveredCaller(input, row, findSurface);
      const conversation = { caller, sessionKey, address: input, inboxId, context };
      const attending = approvalRequests.attend(conversation);
      const queued = runner.schedule({ turn, callers: [caller], isTakenOver: isNode }, context);
      const outcome = outcomes.keep(row, () => queued.outcome).finally(() => attending.end());
      logRejection(outcome, logger);
      return true;
    } catch (cause) {
      const error = { ...failureRecord(cause), stage: "internal" };
      await store.turns.finish(runId, { state: "failed", error });
      logger.error(`a turn of an earlier process could not be resumed: ${error.message}`, {
        runId,
      });
      return false;
    }
  }
}
