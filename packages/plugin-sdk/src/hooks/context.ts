import type { Logger } from "../logger.js";

/** Trace of a step; ids have the hexadecimal form of W3C Trace Context. */
export interface HookTrace {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly sampled?: boolean;
}

/** Fields that the host adds to the context of each handler. */
export interface HandlerContext {
  /** Id of the plugin that registered this handler. */
  readonly pluginId: string;
  /** Resolved configuration of that plugin; `{}` when it has none. */
  readonly pluginConfig: Readonly<Record<string, unknown>>;
  /** Name of the dispatched hook; one handler may serve several hooks. */
  readonly hookName: string;
  /** Aborts at the handler's deadline and when the caller aborts; created on first access. */
  readonly signal: AbortSignal;
  /** The same object as `api.logger`. */
  readonly logger: Logger;
}

/** Trace fields of every hook except `before_install`. */
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

/** Sender of a message and the conversation it came from. */
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
  /** Id of the job that the run works for. */
  readonly jobId?: string;
  readonly workspaceDir?: string;
  /** Effective provider and model, once resolved. */
  readonly modelProviderId?: string;
  readonly modelId?: string;
  readonly trigger?: "user" | "cron" | "heartbeat" | "subagent" | "api" | "resume" | "job";
  /** Group or room of the message; absent in direct conversations. */
  readonly groupId?: string;
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
  /** ID of the call whose tool made this call; absent for calls of models and of users. */
  readonly parentToolCallId?: string;
  /** Step of that call, as its tool named it. */
  readonly parentStepId?: string;
  /** Reads this plugin's session extension state of a namespace (PLUG-038). */
  getSessionExtension?(namespace: string): unknown;
}
