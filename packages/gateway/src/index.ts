export type { PolicyRefusal, TurnEvent } from "@openclaw/agent";
export type { ModelChoice } from "@openclaw/models";
export type { DiscoveredPlugin, PluginDiagnostic, PluginOverview } from "@openclaw/plugin-runtime";
export type { ApprovalSummary } from "@openclaw/protocol";
export { parseCommand } from "@openclaw/safety";
export { readHolder as readLockHolder } from "@openclaw/store";
export {
  formatDecider,
  formatExplanation,
  formatProblem as formatPolicyProblem,
  PolicyCasesError,
} from "@openclaw/tool-policy";
export { type LoadedConfiguration, loadConfiguration } from "./configuration/configuration.js";
export { editConfiguration } from "./configuration/edit.js";
export {
  configurationSchema,
  type GatewaySection,
  type LoggingSection,
  type OpenClawConfiguration,
} from "./configuration/schema.js";
export { type GuardProof, type GuardProofResult, proveGuards } from "./diagnostics/guard-proof.js";
export type { GuardProofOptions } from "./diagnostics/guard-proof-host.js";
export { TOOL_PATHS } from "./diagnostics/guard-proof-paths.js";
export { type ReplayOptions, type ReplayReport, replayRun } from "./diagnostics/run-replay.js";
export {
  ConfigurationError,
  type ConfigurationProblem,
  formatProblem,
  PluginInstallRefusedError,
  PluginSourceError,
  StateFolderError,
} from "./errors.js";
export { type Gateway, type GatewayOptions, startGateway } from "./gateway.js";
export { type HostOptions, openHost } from "./host/host.js";
export type { Host } from "./host/running-host.js";
export type { StopReason } from "./host/shutdown.js";
export type { UnattendedTool } from "./host/unattended-tools.js";
export { type CheckedCommand, checkCommand } from "./methods/command-check.js";
export {
  type ConfigurationReport,
  inspectConfiguration,
  inspectPlugins,
  type PluginPlaces,
  type PluginsAtRest,
} from "./methods/host-overview.js";
export { readPolicyCaseFile, writeExpectations } from "./methods/policy-case-file.js";
export { openStoredApprovals, type StoredApprovals } from "./methods/stored-approvals.js";
export { openStateFolder, type StateFolder, stateFolderAt } from "./state/folder.js";
export type { Log } from "./state/log.js";
export type { ModelNotice } from "./state/model-notice.js";
export { loadGatewayToken } from "./state/token.js";
