export { addWildcardAllowFrom, mergeAllowlist } from "./access/allow-from.js";
export { logInboundDrop, logTypingFailure } from "./access/channel-feedback.js";
export { buildChannelKeyCandidates, resolveChannelEntryMatch } from "./access/channel-targets.js";
export { resolveControlCommandGate } from "./access/command-auth.js";
export { DEFAULT_ACCOUNT_ID, normalizeAccountId } from "./account-id.js";
export {
  buildChannelConfigSchema,
  type ChannelConfigSchema,
  DmPolicySchema,
  emptyChannelConfigSchema,
  GroupPolicySchema,
  MarkdownConfigSchema,
  requireOpenAllowFrom,
  ToolPolicySchema,
} from "./channel-config-schema.js";
export {
  applyAccountNameToChannelSection,
  type ChannelPlugin,
  deleteAccountFromConfigSection,
  formatPairingApproveHint,
  migrateBaseNameToDefaultAccount,
  PAIRING_APPROVED_MESSAGE,
  setAccountEnabledInConfigSection,
} from "./channel-core.js";
export { optionalStringEnum, stringEnum } from "./core.js";
export {
  createReplyPrefixContext,
  createReplyPrefixOptions,
  createTypingCallbacks,
} from "./delivery/channel-runtime.js";
export {
  buildPendingHistoryContextFromMap,
  clearHistoryEntriesIfEnabled,
  DEFAULT_GROUP_HISTORY_LIMIT,
  recordPendingHistoryEntryIfEnabled,
} from "./delivery/reply-history.js";
export {
  type DiagnosticEventPayload,
  emitDiagnosticEvent,
  isDiagnosticsEnabled,
  onDiagnosticEvent,
} from "./diagnostics/diagnostic-runtime.js";
export { createSubsystemLogger, registerLogTransport } from "./diagnostics/logging-core.js";
export { type GlobalHookRunner, getGlobalHookRunner } from "./hook-runtime.js";
export {
  createActionGate,
  readNumberParam,
  readStringArrayParam,
  readStringParam,
} from "./param-readers.js";
export type {
  OpenClawPluginCommandDefinition,
  OpenClawPluginConfigSchema,
  OpenClawPluginDefinition,
  OpenClawPluginService,
  OpenClawPluginServiceContext,
  OpenClawPluginToolContext,
  OpenClawPluginToolFactory,
  PluginCommandResult,
  PluginLogger,
} from "./plugin-entry.js";
export { normalizePluginHttpPath } from "./plugin-runtime.js";
export { createPluginRuntimeStore, type PluginRuntime } from "./runtime-store.js";
export { formatDocsLink } from "./setup/setup.js";
export { resolvePreferredOpenClawTmpDir } from "./temp-path.js";
export { registerPluginHttpRoute } from "./webhook/webhook-targets.js";
