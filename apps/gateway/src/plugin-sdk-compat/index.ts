export { DEFAULT_ACCOUNT_ID, normalizeAccountId } from "./account-id.js";
export {
  buildChannelConfigSchema,
  type ChannelConfigSchema,
  emptyChannelConfigSchema,
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
  type DiagnosticEventPayload,
  emitDiagnosticEvent,
  isDiagnosticsEnabled,
  onDiagnosticEvent,
} from "./diagnostic-runtime.js";
export { type GlobalHookRunner, getGlobalHookRunner } from "./hook-runtime.js";
export { createSubsystemLogger, registerLogTransport } from "./logging-core.js";
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
export { resolvePreferredOpenClawTmpDir } from "./temp-path.js";
