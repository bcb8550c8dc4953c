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
import { channelOfKey, conversationOf } from "./session-conversation.js";

/** Message of an agent in a conversation that is older than the work it is about. */
export interface ConversationPost {
  /** Turn of which it is the result; it has no other reply. */
  readonly runId: string;
  /** Message that the turn answered; absent when there was no turn. */
  readonly inboxId?: string | undefined;
  /** Session of the conversation. */
  readonly sessionKey: string;
  readonly agentId: string;
  /** Place from which the work was asked for; the conversation itself is that of the session. */
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
    const delivery = await this.#send(stored.post, stored.reply, stored.surface);
    return await this.#settle(record, outcomeOf(delivery));
  }

  /** Stores a post, and its outcome when no channel has to be called; undefined for one that was stored before. */
  async #store(asked: ConversationPost, record: PostRecord): Promise<StoredPost | undefined> {
    const { store, live, findSurface, now } = this.#dependencies;
    const post = await this.#inConversation(asked);
    const { runId, inboxId, sessionKey, target, text } = post;
    const surface = target && findSurface(target, inboxId);
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
        if (surface === undefined || target === undefined) {
          const outcome = unsent(target, sessionKey);
          await record.record(unit, outcome);
          return { isInHistory: true, outcome };
        }
        const reply = { runId, part: 0, inboxId, sessionKey, target, content: text };
        const { row } = await unit.messages.outbox.add(reply);
        return { post: { ...post, target }, isInHistory: true, reply: row, surface };
      }),
    );
  }

  /** The message that the turn answered is not one of a conversation other than that from which it was asked for. */
  async #inConversation(asked: ConversationPost): Promise<PlacedPost> {
    const { inbox } = this.#dependencies.store.messages;
    const target = await conversationOf(asked.sessionKey, asked.target, inbox);
    if (target === asked.target) return asked;
    return { ...asked, target, inboxId: undefined };
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

/** A post with the conversation that shows it; without one, no user sees it outside the history. */
type PlacedPost = Omit<ConversationPost, "target"> & {
  readonly target: DeliveryTarget | undefined;
};

/** A post that is in the store. */
type StoredPost =
  | {
      readonly isInHistory: boolean;
      readonly outcome: PostOutcome;
      /** Absent when no channel has to be called. */
      readonly reply?: undefined;
    }
  | {
      readonly isInHistory: true;
      readonly post: ConversationPost;
      readonly reply: OutboxRow;
      readonly surface: ReplySurface;
    };

/** Clients of the host read the history; the readers of another channel do not see a post that it did not send. */
function unsent(target: DeliveryTarget | undefined, sessionKey: string): PostOutcome {
  if (target === undefined) {
    const channel = channelOfKey(sessionKey) ?? "";
    const reason = `no message has come from this conversation of the channel ${channel}, so its address is not known; write to the agent there once. The text is in the history of the conversation`;
    return { state: "failed", reason, code: "CONVERSATION_NOT_KNOWN" };
  }
  const { channel } = target;
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
