/** Inbound message in the form of older channel plugins; fields that are not listed are kept. */
export interface OlderInboundContext {
  /** Text with the envelope that names channel, sender and time. */
  readonly Body?: string;
  /** Text as the person wrote it. */
  readonly RawBody?: string;
  /** Text in which commands are searched. */
  readonly CommandBody?: string;
  readonly BodyForAgent?: string;
  readonly BodyForCommands?: string;
  readonly From?: string;
  readonly To?: string;
  readonly SessionKey?: string;
  readonly AccountId?: string;
  /** `direct`, `group`, `channel` or `thread`. */
  readonly ChatType?: string;
  readonly SenderId?: string;
  readonly SenderName?: string;
  readonly Provider?: string;
  readonly Surface?: string;
  readonly OriginatingChannel?: string;
  readonly OriginatingTo?: string;
  readonly MessageSid?: string;
  readonly MessageThreadId?: string | number;
  /** Time of the message in milliseconds since the epoch. */
  readonly Timestamp?: number;
  readonly WasMentioned?: boolean;
  readonly MediaPaths?: readonly string[];
  readonly MediaTypes?: readonly string[];
  readonly [field: string]: unknown;
}

/** Reply in the form of older channel plugins. */
export interface OlderReply {
  readonly text?: string;
  readonly mediaUrl?: string;
  readonly mediaUrls?: readonly string[];
  readonly replyToId?: string;
  readonly isError?: boolean;
}

/** Options with which a plugin receives the replies to one message. */
export interface OlderReplyOptions {
  /**
   * Sends one reply.
   * @param reply - text and attachments
   * @param info - kind of the reply; this host sends `final` ones
   */
  deliver(reply: OlderReply, info: { readonly kind: "final" | "block" | "tool" }): unknown;
  /** Called when the host starts to work on the message, for example to show that the bot is typing. */
  readonly onReplyStart?: () => unknown;
  /** Called once no reply follows. */
  readonly onIdle?: () => unknown;
  readonly onCleanup?: () => unknown;
  /** Called with the error of `deliver`. */
  readonly onError?: (error: unknown, info: { readonly kind: string }) => unknown;
  /** Called for a reply that is not sent. */
  readonly onSkip?: (
    reply: OlderReply,
    info: { readonly kind: string; readonly reason: string },
  ) => unknown;
  /** Text before each reply. */
  readonly responsePrefix?: string;
  readonly typingCallbacks?: {
    readonly onReplyStart?: () => unknown;
    readonly onIdle?: () => unknown;
    readonly onCleanup?: () => unknown;
  };
}

/** Number of replies by kind, and whether there was one. */
export interface OlderDispatchResult {
  readonly queuedFinal: boolean;
  readonly counts: { readonly tool: number; readonly block: number; readonly final: number };
}

/** Sends the replies to one message, one after another. */
export interface OlderReplyDispatcher {
  sendToolResult(reply: OlderReply): boolean;
  sendBlockReply(reply: OlderReply): boolean;
  sendFinalReply(reply: OlderReply): boolean;
  waitForIdle(): Promise<void>;
  getQueuedCounts(): OlderDispatchResult["counts"];
  getFailedCounts(): OlderDispatchResult["counts"];
  markComplete(): void;
}

/** Agent and session of a conversation. */
export interface OlderAgentRoute {
  readonly agentId: string;
  readonly channel: string;
  readonly accountId: string;
  readonly sessionKey: string;
  readonly mainSessionKey: string;
  readonly lastRoutePolicy: "main" | "session";
  readonly matchedBy: string;
}

/** Functions of one group of `runtime.channel`, by name. */
type FunctionGroup = Readonly<Record<string, (...given: never[]) => unknown>>;

/**
 * The `runtime.channel` of older channel plugins (PLUG-150). Its messages take the way of every channel: inbox, access
 * rules, hooks, session, delivery.
 * @deprecated Implement `Channel`, whose `start` yields messages.
 */
export interface OlderChannelRuntime {
  readonly reply: FunctionGroup & {
    /**
     * Hands a message to the host and resolves when the last reply was sent.
     * @param request - message, and receiver of its replies
     * @throws ChannelDisconnectedError when the account of the channel is not running
     */
    dispatchReplyWithBufferedBlockDispatcher(request: {
      readonly ctx: OlderInboundContext;
      readonly cfg?: Readonly<Record<string, unknown>>;
      readonly dispatcherOptions: OlderReplyOptions;
      readonly replyOptions?: object;
    }): Promise<OlderDispatchResult>;
    /**
     * Fills the fields of a message that follow from others.
     * @param context - fields of the message
     */
    finalizeInboundContext<Context extends OlderInboundContext>(
      context: Context,
    ): Context & OlderInboundContext;
  };
  readonly routing: FunctionGroup & {
    /**
     * Returns the agent and the session of a conversation.
     * @param conversation - channel, account and peer
     */
    resolveAgentRoute(conversation: {
      readonly cfg?: Readonly<Record<string, unknown>>;
      readonly channel: string;
      readonly accountId?: string | null;
      readonly peer?: { readonly kind: string; readonly id: string } | null;
    }): OlderAgentRoute;
  };
  readonly text: FunctionGroup;
  readonly pairing: FunctionGroup;
  readonly media: FunctionGroup;
  readonly activity: FunctionGroup;
  readonly session: FunctionGroup;
  readonly mentions: FunctionGroup;
  readonly reactions: FunctionGroup;
  readonly groups: FunctionGroup;
  readonly debounce: FunctionGroup;
  readonly commands: FunctionGroup;
  readonly inbound: FunctionGroup;
  /** Older name of `inbound`. */
  readonly turn: FunctionGroup;
}
