import { randomUUID } from "node:crypto";
import { defined } from "@openclaw/foundation";
import { messageText } from "@openclaw/plugin-sdk/tools";
import type { Session, Store } from "@openclaw/store";
import { SessionKeyRefusedError } from "../errors.js";
import { agentOfCallerKey } from "../sessions/key.js";
import type { SessionLifecycle } from "../sessions/lifecycle.js";
import { copyConversation, loadThrough } from "./conversation-copy.js";

/** Characters of the label of a fork. */
const LABEL = 80;

/** Dependencies of {@link ConversationForks}. */
export interface ConversationForksDependencies {
  readonly store: Store;
  readonly sessions: Pick<SessionLifecycle, "opened">;
}

/** Continues conversations from earlier messages, each in a new session. */
export class ConversationForks {
  readonly #dependencies: ConversationForksDependencies;

  /** @param dependencies - store and sessions */
  constructor(dependencies: ConversationForksDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Copies a conversation up to a message into a new session with the same settings (TURN-503).
   * @param session - the original, which stays as it is
   * @param through - place of the last message
   * @throws SessionKeyRefusedError for a session of the host, whose limits a copy would not have
   */
  async fork(
    { sessionKey: original, sessionId, agentId, model, queueMode, label: given }: Session,
    through: number,
  ): Promise<{ sessionKey: string; messages: number }> {
    const { store, sessions } = this.#dependencies;
    if (agentOfCallerKey(original) === undefined) {
      throw new SessionKeyRefusedError(original, [agentId]);
    }
    const sessionKey = `agent:${agentId}:fork:${randomUUID()}`;
    const first = await store.messages.transcript.firstOfUser(sessionId, 1);
    const label = (given ?? (first && messageText(first.message)))?.trim().slice(0, LABEL);
    const conversation = await loadThrough(sessionId, through, store);
    const opened = await store.transaction(async (unit) => {
      const settings = { agentId, ...defined({ model, queueMode, label: label || undefined }) };
      const { session } = await unit.sessions.open(sessionKey, settings);
      await copyConversation(conversation, session.sessionId, unit);
      return session;
    });
    sessions.opened(opened, true);
    return { sessionKey, messages: conversation.messages.length };
  }
}
