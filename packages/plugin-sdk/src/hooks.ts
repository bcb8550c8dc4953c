export type { AttachmentMeta, Origin, ReplyPayload } from "./attachment.js";
export type {
  AgentContext,
  HandlerContext,
  HookTrace,
  HostContext,
  MessageContext,
  SenderContext,
  SessionContext,
  ToolHookContext,
  TracedContext,
} from "./hook-context.js";
export type {
  HookContext,
  HookEvent,
  HookHandler,
  HookKind,
  HookMap,
  HookName,
  HookResult,
  HooksOfKind,
} from "./hook-map.js";
export { type CataloguedHookName, HOOK_NAMES, isHookName } from "./hook-names.js";
export type { HookFailureMode, HookOptions, HookScope } from "./hook-options.js";
export type {
  CronDeliveryStatus,
  CronJob,
  CronService,
  InstallFinding,
} from "./lifecycle-hooks.js";
export type { InboundSummary, ReplyDispatcher } from "./message-hooks.js";
export type { ParsedCommand, SimpleCommand } from "./parsed-command.js";
export type { RecallResult } from "./recall-hooks.js";
export type { SessionEndReason } from "./session-hooks.js";
export type {
  ApprovalDecision,
  BeforeToolCallResult,
  PluginApprovalResolution,
  RequireApproval,
  ToolKind,
} from "./tool-hooks.js";
export type {
  BeforeAgentFinalizeRetry,
  ModelOverride,
  PromptParts,
  QueuedInjection,
} from "./turn-hooks.js";
