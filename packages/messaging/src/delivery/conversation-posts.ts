import { defined } from "@openclaw/foundation";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import type { DeliveryTarget, Store } from "@openclaw/store";
import { messageContext } from "../messages/context.js";
import type { ConversationEvents } from "../messages/conversation-events.js";
import type { SessionTurnQueues } from "../turns/session-queues.js";
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

/** Status of a post before its channel is called. */
export type PostState =
  /** It is in the history of the session, and its channel is still to be called. */
  | "sending"
  /** It is in the history of the session, which is where the readers of its channel find it. */
  | "shown"
  /** The session does not exist. */
  | "no-session";

/** Dependencies of {@link ConversationPosts}. */
export interface ConversationPostsDependencies {
  readonly store: Store;
  readonly turnQueues: Pick<SessionTurnQueues, "exclusive">;
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
   * Stores a post between the turns of its session, together with what the caller stores about it, and delivers it.
   * @param post - text and conversation
   * @param write - stores its status, in the same transaction; false drops the post, which was made before
   * @returns the delivery on its channel; undefined when it had none, or the post was dropped
   */
  async post(
    post: ConversationPost,
    write: (unit: Store, state: PostState) => Promise<boolean>,
  ): Promise<Delivery | undefined> {
    const { store, turnQueues, replies, events, findSurface, now } = this.#dependencies;
    const { runId, inboxId, sessionKey, target, text, agentId } = post;
    const messageId = inboxId ?? runId;
    const surface = findSurface(target, inboxId);
    const stored = await turnQueues.exclusive(sessionKey, () =>
      store.transaction(async (unit) => {
        const session = await unit.sessions.get(sessionKey);
        if (session === undefined) {
          await write(unit, "no-session");
          return undefined;
        }
        if (!(await write(unit, surface === undefined ? "shown" : "sending"))) return undefined;
        const message = postMessage(text, now());
        await unit.messages.transcript.append({ sessionId: session.sessionId, message });
        if (surface === undefined) return { reply: undefined };
        const reply = { runId, part: 0, inboxId, sessionKey, target, content: text };
        return { reply: (await unit.messages.outbox.add(reply)).row };
      }),
    );
    if (stored === undefined) return undefined;
    events.posted(sessionKey, { runId, messageId, text });
    if (stored.reply === undefined) return undefined;
    const { channel, to: conversationId, ...place } = target;
    const inbound = { channel, conversationId, senderId: runId, senderIsOwner: false };
    const context = {
      ...messageContext({ ...inbound, ...defined(place) }, messageId),
      ...{ sessionKey, runId, agentId },
    };
    return await replies.deliver({ reply: stored.reply, context, inbound, caller: { surface } });
  }
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
