export {
  PluginLoadError,
  PluginPollutionError,
  SdkPartMissingError,
  SdkSubpathError,
} from "./errors.js";
export { builtInsWatch } from "./faults/built-ins-watch.js";
export { type OpenResource, watchResources } from "./faults/open-resources.js";
export { loggedFaults, type PluginFault, PluginFaults } from "./faults/plugin-faults.js";
export { currentPlugin } from "./faults/plugin-scope.js";
export { guardProcess } from "./faults/process-guard.js";
export { readThrown } from "./faults/thrown-value.js";
export { watchTimers } from "./faults/timer-watch.js";
export { PluginIsolationError, PluginStoppedError } from "./isolation/errors.js";
export { IsolatedLoader } from "./isolation/loader.js";
export { probeSandbox, type SandboxFound } from "./isolation/sandbox.js";
export { importDataPorts, type PluginDataOutcome } from "./loading/data-ports.js";
export type { PluginFilesCheck } from "./loading/files-check.js";
export { noteRoutes } from "./loading/global-routes.js";
export { pollutionFailure } from "./loading/import-failures.js";
export { missingPartProblem } from "./loading/import-problem.js";
export { inTurn } from "./loading/import-turns.js";
export { allMissing, tellLimited } from "./loading/missing-notice.js";
export { readPluginExport } from "./loading/module-export.js";
export { type ModuleLoaderName, prepareModuleLoading } from "./loading/module-loader.js";
export type { ImportedPlugin, ImportOptions, ImportOutcome } from "./loading/plugin-import.js";
export { type PluginLoader, PluginLoaders } from "./loading/plugin-loaders.js";
export { framePlace } from "./loading/stack-location.js";
export type { MissingPartUse } from "./missing-parts/missing-part.js";
export { foreseeFailure } from "./sdk-use/foreseen-failure.js";
export { PluginCode } from "./sdk-use/plugin-code.js";
export { sdkPartsAt } from "./sdk-use/plugin-use.js";
export { findSdkParts, type SdkPart } from "./sdk-use/sdk-use.js";
