export {
  HOOK_CATALOG,
  HOOK_GROUPS,
  type HookGroup,
  type HookPhase,
  phaseOf,
} from "./catalog.js";
export type { HookCatalogEntry, HookFailureDefault, TerminalRule } from "./catalog-entry.js";
export type { CatalogField, FieldDescription, FieldIsolation } from "./catalog-field.js";
export type { CustomMerge, MergeRule } from "./catalog-merge.js";
export type { DiagnosticCode, DiagnosticLevel, PluginDiagnostic } from "./diagnostic.js";
export type { PluginOrigin } from "./discover.js";
export {
  type DisabledReason,
  type EnableState,
  type EnableSubject,
  resolveEnableState,
} from "./enable-state.js";
export {
  PluginLoadError,
  PluginRegistrationError,
  PluginRuntimeDisposedError,
  SdkSubpathError,
  UnknownPluginHookError,
} from "./errors.js";
export type { PluginGeneration } from "./generation.js";
export { hookDefinitions } from "./hook-definitions.js";
export type { HookDoor } from "./hook-name.js";
export { renderHookReference } from "./hook-reference.js";
export type { DiscoveredPlugin, PluginOverview } from "./plugin-overview.js";
export type { PluginRecord } from "./plugin-record.js";
export {
  createPluginRuntime,
  type HookInspection,
  type PluginPin,
  type PluginRuntime,
} from "./plugin-runtime.js";
export {
  type HostConfiguration,
  type PluginEntryConfiguration,
  type PluginsConfiguration,
  pluginsConfigurationSchema,
} from "./plugins-configuration.js";
export type {
  AnyHandler,
  PluginHookRegistration,
  PluginProviderRegistration,
  PluginToolRegistration,
} from "./registry.js";
export type { HostServices, PluginRuntimeOptions } from "./runtime-options.js";
