export type { Bundle, BundleFile } from "./bundles/bundle.js";
export { commandName } from "./bundles/command-name.js";
export { fieldsOf, isFile, pathIn, readJson, textsOf } from "./bundles/files.js";
export { partsOf } from "./bundles/parts.js";
export { olderSectionSchema } from "./configuration/channel-section.js";
export { registerDeadline } from "./configuration/entry-check.js";
export { manifestSchemaOf } from "./configuration/exported-schema.js";
export {
  type CheckedConfig,
  checkExportedConfig,
  checkPluginConfig,
  deepFreeze,
} from "./configuration/plugin-config.js";
export {
  type HostConfiguration,
  type PluginEntryConfiguration,
  type PluginsConfiguration,
  pluginsConfigurationSchema,
  UNDECLARED_PERMISSIONS,
} from "./configuration/plugins-configuration.js";
export { type ConfigReader, REDACTED, visibleConfig } from "./configuration/visible-config.js";
export { idFromName } from "./discovery/derived-id.js";
export type { DiagnosticCode, DiagnosticLevel, PluginDiagnostic } from "./discovery/diagnostic.js";
export { discoverPlugins, type PluginCandidate, readPluginFolder } from "./discovery/discovery.js";
export type { HookFile } from "./discovery/hook-file.js";
export { KNOWN_PROPOSALS } from "./discovery/proposals.js";
export { isInside, realPath, statsOf } from "./files/path.js";
export { declaredHooksOf } from "./planning/declared-hooks.js";
export { declaredServersOf } from "./planning/declared-servers.js";
export {
  type DisabledReason,
  type EnableSubject,
  resolveEnableState,
  SLOTS,
  slotsOfKind,
} from "./planning/enable-state.js";
export { factsOf, type PluginFacts } from "./planning/facts.js";
export { type DiscoveredPlugin, describePlan, type PluginOverview } from "./planning/overview.js";
export { ownName, pathBelowMount } from "./planning/own-names.js";
export {
  comparePermissions,
  type DeclaredPermissions,
  declaredPermissions,
  isDeclared,
  type PermissionKind,
} from "./planning/permissions.js";
export {
  type PlannedPlugin,
  type PlanSources,
  type PluginPlan,
  planPlugins,
  type UnplannedPlugin,
} from "./planning/plan.js";
export { requiredIds } from "./planning/requirements.js";
export { runtimeVersion, usesCalendar } from "./planning/runtime-version.js";
