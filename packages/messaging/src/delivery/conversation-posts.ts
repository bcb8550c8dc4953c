import { defined } from "@openclaw/foundation";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import type { DeliveryTarget, OutboxRow, Store } from "@openclaw/store";
import { messageContext } from "../messages/context.js";
import type { ConversationEvents } from "../messages/conversation-events.js";
import { HOST_CHANNELS } from "../messages/host-channels.js";
import type { ReplySurface } from "../messages/inbound.js";
import type { LiveSessions } from "../sessions/live-sessions.js";
import type { Delivery } from "./chunk.js";
import type { FindSurface } from "./recovered-caller.js";
import type { ReplyDelivery } from "./reply.js";

/** Message of an agent in a conversation that is older than the work it is about. */
export interface ConversationPost {
  /** Turn of which it is the result; it has no other reply. */
  readonly runId: string;
  /** Message that the turn answered; absent when there was no turn. */
  readonly inboxId?: string | undefined;
  /** Session of the conversation. */
  readonly sessionKey: string;
  readonly agentId: string;
  /** Conversation on its channel. */
  readonly target: DeliveryTarget;
  readonly text: string;
}

/** Final outcome of a post. */
export type PostOutcome =
  | { readonly state: "delivered" }
  | { readonly state: "suppressed"; readonly reason: string }
  | { readonly state: "failed"; readonly reason: string; readonly code?: string | undefined };

/** Access to the outcome that the caller stores for a post. */
export interface PostRecord {
  /**
   * Returns true while no outcome is stored; the post is dropped otherwise.
   * @param unit - the transaction that stores the post
   */
  isOpen(unit: Store): Promise<boolean>;
  /**
   * Stores the outcome; called at most once for each open post.
   * @param outcome - final outcome of the post
   */
  record(unit: Store, outcome: PostOutcome): Promise<void>;
}

/** Dependencies of {@link ConversationPosts}. */
export interface ConversationPostsDependencies {
  readonly store: Store;
  readonly live: Pick<LiveSessions, "run">;
  readonly replies: Pick<ReplyDelivery, "deliver">;
  readonly events: Pick<ConversationEvents, "posted">;
  readonly findSurface: FindSurface;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/** Adds results to conversations: to the history, for clients, and on the channel, on the path of replies. */
export class ConversationPosts {
  readonly #dependencies: ConversationPostsDependencies;

  /** @param dependencies - store, queues, delivery, events and channels */
  constructor(dependencies: ConversationPostsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Delivers a post once, also over restarts: it is stored between the turns of its session, and its outcome is stored
   * when its channel has answered. A post that an earlier process stored is not sent again; its outcome is that of its rows.
   * @param post - text and conversation
   * @param record - reads and stores the outcome
   * @returns the outcome; undefined while rows of an earlier process are still being sent, and for a post that was dropped
   */
  async postOnce(post: ConversationPost, record: PostRecord): Promise<PostOutcome | undefined> {
    const { store } = this.#dependencies;
    const known = await store.messages.outbox.partsOf(post.runId);
    if (known.length > 0) return await this.#settle(record, outcomeOfRows(known));
    const stored = await this.#store(post, record);
    if (stored === undefined) return undefined;
    const { events } = this.#dependencies;
    const { runId, inboxId: messageId = runId, sessionKey, text } = post;
    if (stored.isInHistory) events.posted(sessionKey, { runId, messageId, text });
    if (stored.reply === undefined) return stored.outcome;
    const delivery = await this.#send(post, stored.reply, stored.surface);
    return await this.#settle(record, outcomeOf(delivery));
  }

  /** Stores a post, and its outcome when no channel has to be called; undefined for one that was stored before. */
  async #store(post: ConversationPost, record: PostRecord): Promise<StoredPost | undefined> {
    const { store, live, findSurface, now } = this.#dependencies;
    const { runId, inboxId, sessionKey, target, text } = post;
    const surface = findSurface(target, inboxId);
    return await live.run(sessionKey, () =>
      store.transaction(async (unit) => {
        if (!(await record.isOpen(unit))) return undefined;
        if ((await unit.messages.outbox.partsOf(runId)).length > 0) return undefined;
        const session = await unit.sessions.get(sessionKey);
        if (session === undefined) {
          const reason = "the conversation that asked no longer exists; the result is kept here";
          const outcome = { state: "failed", reason } as const;
          await record.record(unit, outcome);
          return { isInHistory: false, outcome };
        }
        const message = postMessage(text, now());
        await unit.messages.transcript.append({ sessionId: session.sessionId, message });
        if (surface === undefined) {
          const outcome = unsent(target);
          await record.record(unit, outcome);
          return { isInHistory: true, outcome };
        }
        const reply = { runId, part: 0, inboxId, sessionKey, target, content: text };
        const { row } = await unit.messages.outbox.add(reply);
        return { isInHistory: true, reply: row, surface };
      }),
    );
  }

  async #send(
    { runId, inboxId, sessionKey, target, agentId }: ConversationPost,
    reply: OutboxRow,
    surface: ReplySurface | undefined,
  ): Promise<Delivery> {
    const { channel, to: conversationId, ...place } = target;
    const inbound = { channel, conversationId, senderId: runId, senderIsOwner: false };
    const context = {
      ...messageContext({ ...inbound, ...defined(place) }, inboxId ?? runId),
      ...{ sessionKey, runId, agentId },
    };
    return await this.#dependencies.replies.deliver({
      ...{ reply, context, inbound },
      caller: { surface },
    });
  }

  async #settle(
    record: PostRecord,
    outcome: PostOutcome | undefined,
  ): Promise<PostOutcome | undefined> {
    if (outcome === undefined) return undefined;
    await this.#dependencies.store.transaction(async (unit) => {
      if (await record.isOpen(unit)) await record.record(unit, outcome);
    });
    return outcome;
  }
}

/** A post that is in the store. */
interface StoredPost {
  readonly isInHistory: boolean;
  /** Absent when no channel has to be called. */
  readonly reply?: OutboxRow;
  readonly surface?: ReplySurface;
  readonly outcome?: PostOutcome;
}

/** Clients of the host read the history; the readers of another channel do not see a post that it did not send. */
function unsent({ channel }: DeliveryTarget): PostOutcome {
  if (HOST_CHANNELS.includes(channel)) return { state: "delivered" };
  const reason = `the channel ${channel} is not running; the text is in the history of the conversation`;
  return { state: "failed", reason, code: "CHANNEL_NOT_RUNNING" };
}

function outcomeOf(delivery: Delivery): PostOutcome {
  switch (delivery.status) {
    case "delivered":
      return { state: "delivered" };
    case "suppressed":
      return { state: "suppressed", reason: delivery.reason };
    case "failed":
      return { state: "failed", reason: delivery.error, code: delivery.code };
  }
}

/** Returns the outcome of the messages of an earlier process; undefined until all of them have ended. */
function outcomeOfRows(rows: readonly OutboxRow[]): PostOutcome | undefined {
  if (rows.some(({ state }) => state === "pending")) return undefined;
  const failed = rows.find(({ state }) => state === "failed");
  if (failed !== undefined) {
    const { error } = failed;
    return { state: "failed", reason: error?.message ?? "it was not sent", code: error?.code };
  }
  const suppressed = rows.find(({ state }) => state === "suppressed");
  if (suppressed === undefined) return { state: "delivered" };
  return { state: "suppressed", reason: suppressed.reason ?? "it was not sent" };
}

/** Returns a message that no model wrote in this conversation. */
function postMessage(text: string, timestamp: number): AgentMessage {
  return {
    role: "assistant",
    content: [{ type: "text", text }],
    provider: "openclaw",
    model: "job",
    stopReason: "stop",
    timestamp,
  };
}
