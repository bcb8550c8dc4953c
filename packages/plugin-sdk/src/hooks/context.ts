import type { Logger } from "../logger.js";

/** Diagnostic trace of a step; ids in the hexadecimal forms of W3C trace context. */
export interface HookTrace {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly sampled?: boolean;
}

/** What every handler gets from the host, on its own object. */
export interface HandlerContext {
  /** Id of the plugin that owns this handler. */
  readonly pluginId: string;
  /** Resolved config of that plugin; `{}` when it has none. */
  readonly pluginConfig: Readonly<Record<string, unknown>>;
  /** Name being dispatched; one handler may serve several. */
  readonly hookName: string;
  /** Aborts at the handler's deadline and when the caller aborts; made on first read. */
  readonly signal: AbortSignal;
  /** The same object as `api.logger`. */
  readonly logger: Logger;
}

/** Trace fields of every hook but `before_install`. */
export interface TracedContext {
  readonly trace?: HookTrace;
  readonly traceId?: string;
  readonly spanId?: string;
  readonly parentSpanId?: string;
  /** 0 for a top-level turn, one more for each nested subagent or re-entrant tool call. */
  readonly callDepth: number;
}

/** Context of hooks about the host itself. */
export interface HostContext extends TracedContext {
  /** Workspace of the host. */
  readonly workspaceDir?: string;
  /** Host config, frozen, secrets redacted. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** Context of hooks about a session. */
export interface SessionContext extends TracedContext {
  readonly agentId?: string;
  /** Stable routing key of the session. */
  readonly sessionKey?: string;
  /** Id of the session's current incarnation; changes on reset. */
  readonly sessionId?: string;
}

/** Who wrote, and where. */
export interface SenderContext {
  /** Channel surface, for example `telegram`; `terminal`, `api`, `cron` for internal origins. */
  readonly messageProvider?: string;
  /** Conversation target on that surface. */
  readonly channelId?: string;
  readonly messageId?: string;
  readonly senderId?: string;
  /** True only for an authenticated owner. */
  readonly senderIsOwner?: boolean;
  readonly accountId?: string;
  readonly threadId?: string | number;
}

/** Context of hooks about a message. */
export interface MessageContext extends SessionContext, SenderContext {
  readonly runId?: string;
  readonly conversationId?: string;
  readonly parentConversationId?: string;
}

/** Context of hooks inside an agent's turn. */
export interface AgentContext extends SessionContext, SenderContext {
  readonly runId?: string;
  /** Id of the scheduled job that started the run. */
  readonly jobId?: string;
  readonly workspaceDir?: string;
  /** Effective provider and model, once resolved. */
  readonly modelProviderId?: string;
  readonly modelId?: string;
  readonly trigger?: "user" | "cron" | "heartbeat" | "subagent" | "api" | "resume";
  readonly contextTokenBudget?: number;
  readonly contextWindowSource?: string;
  readonly contextWindowReferenceTokens?: number;
}

/** Context of hooks about a tool call. */
export interface ToolHookContext extends AgentContext {
  /** The same value as `messageProvider`. */
  readonly channel?: string;
  readonly toolName?: string;
  readonly toolCallId?: string;
  /** Reads this plugin's session extension state of a namespace (PLUG-038). */
  getSessionExtension?(namespace: string): unknown;
}
