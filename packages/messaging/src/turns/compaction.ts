import {
  compactConversation,
  type RequestedCompaction,
  type TurnDependencies,
} from "@openclaw/agent";
import { defined, orderedId } from "@openclaw/foundation";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { Session, Store } from "@openclaw/store";
import type { MessageRouter } from "../messages/route.js";
import type { RoutedMessage } from "../messages/routed-message.js";
import type { LiveSessions } from "../sessions/live-sessions.js";
import { agentPin } from "./agent-pin.js";

/** Dependencies of {@link SessionCompaction}. */
export interface SessionCompactionDependencies {
  readonly store: Pick<Store, "sessions">;
  readonly plugins: Pick<PluginRuntime, "pin" | "mayAddToPrompts">;
  readonly router: Pick<MessageRouter, "route">;
  readonly live: Pick<LiveSessions, "run" | "settingsOf">;
  /** Returns the services for turns that start now. */
  services(): TurnDependencies;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/** Compacts conversations on request, between the turns of their sessions (GW-025). */
export class SessionCompaction {
  readonly #dependencies: SessionCompactionDependencies;

  /** @param dependencies - store, plugins, routes, live sessions, settings, services and clock */
  constructor(dependencies: SessionCompactionDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Compacts the conversation of a session after its queued turns.
   * @param sessionKey - full key of the session
   * @param keep - number of newest exchanges to keep
   * @param signal - aborts the compaction
   * @param routed - message that requests it, whose sender's memory keeps the summary (SUB-038); an operator's request
   * has none
   * @returns undefined when the session does not exist
   * @throws an error of the model that writes the summary
   */
  run(
    sessionKey: string,
    keep: number,
    signal: AbortSignal,
    routed?: RoutedMessage,
  ): Promise<RequestedCompaction | undefined> {
    const { store, live } = this.#dependencies;
    return live.run(sessionKey, async () => {
      signal.throwIfAborted();
      const session = await store.sessions.get(sessionKey);
      return session === undefined ? undefined : await this.#compact(session, keep, signal, routed);
    });
  }

  async #compact(
    session: Session,
    keep: number,
    signal: AbortSignal,
    routed: RoutedMessage | undefined,
  ): Promise<RequestedCompaction> {
    const { plugins, router, live, services, now } = this.#dependencies;
    const { sessionKey, sessionId, agentId, channel = "api" } = session;
    const runId = orderedId(now());
    const origin = routed === undefined ? operator(channel, sessionKey, runId) : originOf(routed);
    const { senderId, senderIsOwner } = origin;
    const message = { channel, conversationId: sessionKey, senderId, senderIsOwner, text: "" };
    const route = router.route({ ...message, sessionKey, agentId });
    const pin = plugins.pin();
    try {
      return await compactConversation(
        {
          keep,
          keepsSummary: routed !== undefined,
          runId,
          agentId,
          sessionKey,
          sessionId,
          trigger: "api",
          origin,
          model: live.settingsOf(sessionKey).model ?? route.modelRef,
          workspaceDir: route.workspaceDir,
          signal,
          isNew: true,
          onEvent: () => undefined,
        },
        services(),
        agentPin(pin, plugins),
      );
    } finally {
      pin.release();
    }
  }
}

function operator(channel: string, channelId: string, messageId: string) {
  return { channel, channelId, messageId, senderId: "operator", senderIsOwner: true };
}

function originOf({ row, admitted, route }: RoutedMessage) {
  const { channel, to: channelId } = route.deliveryContext;
  const { senderId, senderIsOwner } = admitted;
  const { groupId } = route.toolPolicyInput;
  return {
    channel,
    channelId,
    messageId: row.id,
    senderId,
    senderIsOwner,
    ...defined({ groupId }),
  };
}
