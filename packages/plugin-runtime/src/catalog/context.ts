import type {
  AgentContext,
  HandlerContext,
  HookTrace,
  HostContext,
  MessageContext,
  SenderContext,
  SessionContext,
  ToolHookContext,
  TracedContext,
} from "@openclaw/plugin-sdk/hooks";
import type { Logger } from "@openclaw/plugin-sdk/plugin-entry";
import {
  type CatalogFields,
  flag,
  number,
  object,
  oneOf,
  optional,
  text,
  threadId,
} from "./field.js";

/** The context types that hooks share, by their name on the reference page. */
export interface ContextGroups {
  none: Record<never, never>;
  host: HostContext;
  session: SessionContext;
  message: MessageContext;
  agent: AgentContext;
  tool: ToolHookContext;
}

/** Context fields of every handler of every hook. */
export const handlerContext: CatalogFields<HandlerContext> = {
  pluginId: text,
  pluginConfig: object<Readonly<Record<string, unknown>>>("Readonly<Record<string, unknown>>"),
  hookName: text,
  signal: object<AbortSignal>("AbortSignal"),
  logger: object<Logger>("Logger"),
};

const traced: CatalogFields<TracedContext> = {
  trace: optional(object<HookTrace>("{ traceId, spanId, parentSpanId?, sampled? }")),
  traceId: optional(text),
  spanId: optional(text),
  parentSpanId: optional(text),
  callDepth: number,
};

const sender: CatalogFields<SenderContext> = {
  messageProvider: optional(text),
  channelId: optional(text),
  messageId: optional(text),
  senderId: optional(text),
  senderIsOwner: optional(flag),
  accountId: optional(text),
  threadId: optional(threadId),
};

const session: CatalogFields<SessionContext> = {
  ...traced,
  agentId: optional(text),
  sessionKey: optional(text),
  sessionId: optional(text),
};

const agent: CatalogFields<AgentContext> = {
  ...session,
  ...sender,
  runId: optional(text),
  jobId: optional(text),
  workspaceDir: optional(text),
  modelProviderId: optional(text),
  modelId: optional(text),
  trigger: optional(oneOf("user", "cron", "heartbeat", "subagent", "api", "resume", "job")),
  groupId: optional(text),
  contextTokenBudget: optional(number),
  contextWindowSource: optional(text),
  contextWindowReferenceTokens: optional(number),
};

/** The fields of each shared context type. */
export const CONTEXT_GROUPS: {
  readonly [Group in keyof ContextGroups]: CatalogFields<ContextGroups[Group]>;
} = {
  none: {},
  host: {
    ...traced,
    workspaceDir: optional(text),
    config: optional(
      object<Readonly<Record<string, unknown>>>("Readonly<Record<string, unknown>>"),
    ),
  },
  session,
  message: {
    ...session,
    ...sender,
    runId: optional(text),
    conversationId: optional(text),
    parentConversationId: optional(text),
  },
  agent,
  tool: {
    ...agent,
    channel: optional(text),
    toolName: optional(text),
    toolCallId: optional(text),
    parentToolCallId: optional(text),
    parentStepId: optional(text),
    getSessionExtension: optional(
      object<(namespace: string) => unknown>("(namespace: string) => unknown"),
    ),
  },
};
