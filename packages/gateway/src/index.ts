export type { PolicyRefusal, TurnEvent } from "@openclaw/agent";
export type { ApprovalSummary } from "@openclaw/client/wire";
export type { ModelChoice } from "@openclaw/models";
export type { DiscoveredPlugin, PluginDiagnostic, PluginOverview } from "@openclaw/plugin-runtime";
export { parseCommand } from "@openclaw/safety";
export { readHolder as readLockHolder } from "@openclaw/store";
export {
  formatDecider,
  formatExplanation,
  formatProblem as formatPolicyProblem,
  PolicyCasesError,
} from "@openclaw/tool-policy";
export type { Attendant } from "./approval-attendance.js";
export { howToAnswer, type QuestionLine, questionLines } from "./approval-question.js";
export { summarizeApproval } from "./approval-summary.js";
export { type CheckedCommand, checkCommand } from "./command-check.js";
export { type LoadedConfiguration, loadConfiguration } from "./configuration.js";
export { editConfiguration } from "./configuration-edit.js";
export {
  configurationSchema,
  type GatewaySection,
  type LoggingSection,
  type OpenClawConfiguration,
} from "./configuration-schema.js";
export { duration } from "./duration.js";
export {
  ConfigurationError,
  type ConfigurationProblem,
  formatProblem,
  MessageRefusedError,
  PluginInstallRefusedError,
  PluginSourceError,
  PortTakenError,
  StateFolderError,
} from "./errors.js";
export { type Gateway, type GatewayOptions, startGateway } from "./gateway.js";
export { loadGatewayToken } from "./gateway-token.js";
export { type GuardProof, type GuardProofResult, proveGuards } from "./guard-proof.js";
export type { GuardProofOptions } from "./guard-proof-host.js";
export { TOOL_PATHS } from "./guard-proof-paths.js";
export { type Host, type HostParts, openHost, type StopReason } from "./host.js";
export {
  type ConfigurationReport,
  inspectConfiguration,
  inspectPlugins,
  type PluginPlaces,
  type PluginsAtRest,
} from "./host-overview.js";
export type { Caller, InboundMessage, ReplyOutcome, ReplyUsage } from "./inbound-message.js";
export type { Log } from "./log.js";
export type { ModelNotice } from "./model-notice.js";
export { readPolicyCaseFile, writeExpectations } from "./policy-case-file.js";
export { type ReplayOptions, type ReplayReport, replayRun } from "./run-replay.js";
export { directSessionKey, mainSessionKey } from "./session-key.js";
export { openStateFolder, type StateFolder, stateFolderAt } from "./state-folder.js";
export { openStoredApprovals, type StoredApprovals } from "./stored-approvals.js";
export type { UnattendedTool } from "./unattended-tools.js";
export { visible } from "./visible-text.js";
