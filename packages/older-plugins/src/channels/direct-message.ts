import type {
  OlderChannelRuntime,
  OlderInboundContext,
  OlderReply,
} from "@openclaw/plugin-sdk/channel-core";

/** Message of one person to the bot. */
export interface DirectMessage {
  readonly cfg: Readonly<Record<string, unknown>>;
  /** `api.runtime` of the plugin. */
  readonly runtime: {
    readonly channel: Pick<OlderChannelRuntime, "routing" | "reply"> & {
      readonly session: {
        resolveStorePath(store: undefined, place: { readonly agentId: string }): string;
      };
    };
  };
  readonly channel: string;
  readonly channelLabel: string;
  readonly accountId: string;
  readonly peer: { readonly kind: "direct"; readonly id: string };
  readonly senderId: string;
  readonly senderAddress: string;
  readonly recipientAddress: string;
  readonly conversationLabel: string;
  readonly rawBody: string;
  readonly messageId: string;
  readonly timestamp?: number;
  readonly commandAuthorized?: boolean;
  readonly bodyForAgent?: string;
  readonly commandBody?: string;
  readonly provider?: string;
  readonly surface?: string;
  readonly originatingChannel?: string;
  readonly originatingTo?: string;
  readonly extraContext?: Readonly<Record<string, unknown>>;
  deliver(reply: OlderReply): Promise<void>;
  onDispatchError(error: unknown, info: { readonly kind: string }): void;
}

/**
 * Hands a direct message to the host, and its replies to the plugin.
 * @param message - text, sender and receiver of the replies
 * @returns the session, and the message as the host received it
 * @deprecated Yield the message from `start` of a `Channel`.
 */
export async function dispatchInboundDirectDmWithRuntime(message: DirectMessage) {
  const { runtime, channel, accountId, peer, rawBody, deliver, onDispatchError } = message;
  const { routing, reply, session } = runtime.channel;
  const route = routing.resolveAgentRoute({ cfg: message.cfg, channel, accountId, peer });
  const storePath = session.resolveStorePath(undefined, { agentId: route.agentId });
  const given: OlderInboundContext = {
    ...{ Body: rawBody, RawBody: rawBody, CommandBody: message.commandBody ?? rawBody },
    BodyForAgent: message.bodyForAgent ?? rawBody,
    ...{ From: message.senderAddress, To: message.recipientAddress },
    ...{ SessionKey: route.sessionKey, AccountId: route.accountId ?? accountId },
    ...{ ChatType: "direct", ConversationLabel: message.conversationLabel },
    ...{ SenderId: message.senderId, MessageSid: message.messageId },
    ...{ Provider: message.provider ?? channel, Surface: message.surface ?? channel },
    OriginatingChannel: message.originatingChannel ?? channel,
    OriginatingTo: message.originatingTo ?? message.senderAddress,
    CommandAuthorized: message.commandAuthorized === true,
    ...(message.timestamp === undefined ? {} : { Timestamp: message.timestamp }),
    ...message.extraContext,
  };
  const ctxPayload = reply.finalizeInboundContext(given);
  await reply.dispatchReplyWithBufferedBlockDispatcher({
    ctx: ctxPayload,
    dispatcherOptions: { deliver: (each: OlderReply) => deliver(each), onError: onDispatchError },
  });
  return { route, storePath, ctxPayload };
}
