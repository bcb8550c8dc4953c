export type { PluginOrigin } from "@openclaw/plugin-sdk/plugin-entry";
export type { ApiProfile } from "./api-vintage.js";
export { mergeApprovals } from "./approval-merge.js";
export {
  contextFieldsOf,
  HOOK_CATALOG,
  HOOK_GROUPS,
  type HookGroup,
  type HookPhase,
  phaseOf,
} from "./catalog.js";
export type { HookCatalogEntry, HookFailureDefault, TerminalRule } from "./catalog-entry.js";
export type { CatalogField, FieldDescription, FieldIsolation } from "./catalog-field.js";
export type { CustomMerge, MergeRule } from "./catalog-merge.js";
export type { PluginsChanged } from "./change-emitter.js";
export type { DiagnosticCode, DiagnosticLevel, PluginDiagnostic } from "./diagnostic.js";
export {
  type DisabledReason,
  type EnableState,
  type EnableSubject,
  resolveEnableState,
} from "./enable-state.js";
export {
  PluginLoadError,
  PluginNotFoundError,
  PluginRegistrationError,
  PluginRuntimeDisposedError,
  SdkExportError,
  SdkSubpathError,
  UnknownPluginHookError,
} from "./errors.js";
export type { PluginGeneration } from "./generation.js";
export type { PluginPin } from "./generations.js";
export { hookDefinitions } from "./hook-definitions.js";
export { seesConversations } from "./hook-gate.js";
export type { HookDoor } from "./hook-name.js";
export { renderHookReference } from "./hook-reference.js";
export type { AnyHandler, PluginHookRegistration } from "./hook-registration.js";
export type { GatewayStart } from "./host-phases.js";
export type {
  HttpAnswer,
  PluginHttpHandlerRegistration,
  PluginHttpRouteRegistration,
} from "./http-route-registration.js";
export { type SearchableMemory, searchableMemory } from "./memory-search.js";
export { gatherMetNeeds, type MetNeed, type PolicyIdentity } from "./met-needs.js";
export {
  comparePermissions,
  type DeclaredPermission,
  type DeclaredPermissions,
  type DeclaringManifest,
  declaredPermissions,
  type PermissionDifference,
  type PermissionKind,
} from "./permissions.js";
export { examinePlugins } from "./plugin-examination.js";
export type { PluginReload } from "./plugin-loader.js";
export type { DiscoveredPlugin, PluginOverview } from "./plugin-overview.js";
export type { PluginRecord } from "./plugin-record.js";
export {
  createPluginRuntime,
  type HookInspection,
  type PluginRuntime,
  type ReloadOptions,
} from "./plugin-runtime.js";
export {
  type HostConfiguration,
  type PluginEntryConfiguration,
  type PluginsConfiguration,
  pluginsConfigurationSchema,
} from "./plugins-configuration.js";
export type { PluginProviderRegistration } from "./provider-registration.js";
export {
  REGISTRY_KINDS,
  type Registration,
  type RegistryKind,
  type RegistryKinds,
  type RegistryLists,
} from "./registry.js";
export type { PluginRuntimeOptions } from "./runtime-options.js";
export type { PluginServiceRegistration } from "./service-registration.js";
export { type ToolCallFacts, withToolCallFacts } from "./tool-call-facts.js";
export type { PluginToolRegistration } from "./tool-registration.js";
