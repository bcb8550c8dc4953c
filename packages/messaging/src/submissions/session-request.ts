import type { TurnRequest } from "@openclaw/agent";
import { orderedId } from "@openclaw/foundation";
import type { Session, Store } from "@openclaw/store";
import type { ApproverPresence } from "../approvals/approver-presence.js";
import type { RoutedMessage } from "../messages/routed-message.js";
import { sessionLineage } from "../sessions/lineage.js";
import type { LiveSessions } from "../sessions/live-sessions.js";
import { subagentBounds } from "../sessions/subagent-bounds.js";

/** Dependencies of {@link SessionRequests}. */
export interface SessionRequestsDependencies {
  readonly store: Store;
  readonly live: Pick<LiveSessions, "settingsOf">;
  readonly presence: Pick<ApproverPresence, "isAttended">;
  /** Aborts when the host stops. */
  readonly signal: AbortSignal;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/** Request of a command that uses the model or the tools of a session outside its turns. */
export type SessionRequest = Omit<
  TurnRequest,
  "text" | "instructions" | "extraInstructions" | "history" | "client"
>;

/** Builds the agent requests of commands. */
export class SessionRequests {
  readonly #dependencies: SessionRequestsDependencies;

  /** @param dependencies - store, settings, approver presence, signal and clock */
  constructor(dependencies: SessionRequestsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns a request in the name of the sender of a command.
   * @param session - session of the command
   * @param routed - message that is the command
   */
  async of(
    session: Session,
    { admitted, route, caller, row }: RoutedMessage,
  ): Promise<SessionRequest> {
    const { store, live, presence, signal, now } = this.#dependencies;
    const { sessionKey, sessionId, agentId } = session;
    const { channel, senderId, senderIsOwner, accountId, threadId, room, userName } = admitted;
    const lineage = await sessionLineage(sessionKey, store);
    return {
      runId: orderedId(now()),
      agentId,
      sessionKey,
      sessionId,
      trigger: "user",
      subagent: await subagentBounds(sessionKey, store),
      origin: {
        channel,
        channelId: admitted.conversationId,
        messageId: row.id,
        senderId,
        senderIsOwner,
        accountId,
        threadId,
        groupId: room?.id,
        senderName: userName,
      },
      model: live.settingsOf(sessionKey).model ?? route.modelRef,
      workspaceDir: route.workspaceDir,
      signal: caller.signal === undefined ? signal : AbortSignal.any([signal, caller.signal]),
      isNew: true,
      isAttended: (kind) => presence.isAttended(lineage, kind),
      onEvent: () => undefined,
    };
  }
}
