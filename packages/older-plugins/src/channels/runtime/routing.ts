import { defined } from "@openclaw/foundation";
import {
  DEFAULT_ACCOUNT,
  directSessionKey,
  type MessageRouter,
  mainSessionKey,
  sessionKeyOf,
} from "@openclaw/messaging";
import type { ChannelRoom, OlderAgentRoute } from "@openclaw/plugin-sdk/channel-core";

/** Person or room of a conversation. */
interface RoutePeer {
  readonly kind: string;
  readonly id: string;
}

/** Conversation whose session a plugin asks for. */
interface RoutedConversation {
  readonly channel: string;
  readonly accountId?: string | null;
  readonly peer?: RoutePeer | null;
}

/**
 * Creates `runtime.channel.routing`. The host routes each message again when it takes it, by the same rules.
 * @param router - router of the host
 */
export function createRoutingGroup(router: Pick<MessageRouter, "route" | "defaultAgent">) {
  return {
    resolveAgentRoute({ channel, accountId, peer }: RoutedConversation): OlderAgentRoute {
      const account = accountId ?? DEFAULT_ACCOUNT;
      const id = peer?.id ?? "unknown";
      const { agentId, sessionKey } = router.route(
        defined({
          ...{ channel, accountId: account, conversationId: id, senderId: id },
          room: roomOf(peer),
          senderIsOwner: false,
          text: "",
          ofChannel: { isMention: false },
        }),
      );
      const main = mainSessionKey(agentId);
      return {
        ...{ agentId, channel, accountId: account, sessionKey },
        mainSessionKey: main,
        lastRoutePolicy: sessionKey === main ? "main" : "session",
        matchedBy: agentId === router.defaultAgent ? "default" : "binding.channel",
      };
    },
    buildAgentSessionKey,
  };
}

/**
 * Returns the key of the session of a conversation.
 * @param conversation - agent, channel, account, peer and scope of direct conversations
 */
export function buildAgentSessionKey(
  conversation: RoutedConversation & {
    readonly agentId: string;
    readonly dmScope?: "main" | "per-peer" | "per-channel-peer" | "per-account-channel-peer";
  },
): string {
  const { agentId, channel, peer, accountId, dmScope = "main" } = conversation;
  if (peer === undefined || peer === null) return mainSessionKey(agentId);
  const account = accountId ?? DEFAULT_ACCOUNT;
  const room = roomOf(peer);
  if (room === undefined) {
    return directSessionKey({ agentId, channel, peer: peer.id, accountId: account }, dmScope);
  }
  return sessionKeyOf(agentId, { channel, accountId: account, senderId: peer.id, room }, dmScope);
}

function roomOf(peer: RoutePeer | null | undefined): ChannelRoom | undefined {
  if (peer?.kind === "group") return { kind: "group", id: peer.id };
  return peer?.kind === "channel" ? { kind: "channel", id: peer.id } : undefined;
}
