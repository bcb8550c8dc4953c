export type { TurnEvent } from "@openclaw/agent";
export { writePrivateFile } from "@openclaw/foundation/file-replacement";
export { currentPlugin } from "@openclaw/plugin-loader";
export type { ApprovalSummary } from "@openclaw/protocol";
export { parseCommand } from "@openclaw/safety";
export { readHolder as readLockHolder } from "@openclaw/store";
export {
  formatDecider,
  formatExplanation,
  formatProblem as formatPolicyProblem,
} from "@openclaw/tool-policy";
export type { ClientListener } from "./clients/client-listener.js";
export { createHostEvents, listenForHost } from "./clients/host-listener.js";
export type { DoctorFinding, DoctorRepair } from "./diagnostics/doctor.js";
export { type GuardProofResult, proveGuards } from "./diagnostics/guard-proof.js";
export { TOOL_PATHS } from "./diagnostics/guard-proof-paths.js";
export {
  examineHost,
  type HostExamination,
} from "./diagnostics/host-examination.js";
export { type ReplayReport, replayRun } from "./diagnostics/run-replay.js";
export { inspectSkills } from "./diagnostics/skill-inspection.js";
export { HookNotFoundError } from "./errors.js";
export { startGateway } from "./gateway.js";
export type { GatewayOptions } from "./gateway-options.js";
export { openHost } from "./host/host.js";
export { listenAddressOf } from "./host/listen-address.js";
export type { Host } from "./host/running-host.js";
export { probeSandbox, sandboxNotice } from "./host/sandbox-state.js";
export { StartSequence, type StartStep } from "./host/start-sequence.js";
export { unattendedNotice } from "./host/tools/unattended.js";
export { type CheckedCommand, checkCommand, parseCommandIn } from "./methods/command-check.js";
export { inspectPlugins } from "./methods/host-overview.js";
export { readPolicyCaseFile, writeExpectations } from "./methods/policy-case-file.js";
export { openStoredApprovals } from "./methods/stored/approvals.js";
export { openStoredSecrets } from "./methods/stored/secrets.js";
export { renderAnswered } from "./offers/answered-prompt.js";
export { openCommandPlugins } from "./plugins/command-line.js";
export { findLastGood } from "./reload/last-good.js";
export type { Gateway } from "./running-gateway.js";
export { resolveStoredSecrets } from "./secrets/inspection.js";
export { MasterKeys } from "./secrets/master-keys.js";
export { createPluginSecrets } from "./secrets/plugin-secrets.js";
export { openStoredSettings } from "./settings/stored-methods.js";
export { openStateFolder, type StateFolder, stateFolderAt } from "./state/folder.js";
export type { Log } from "./state/log.js";
export { LogRedaction } from "./state/log-redaction.js";

export { forgetRestart, markRestart, requestedRestart } from "./state/restart-mark.js";
export { loadGatewayToken } from "./state/token.js";
export {
  newConversation,
  type WorkspaceConversation,
  WorkspaceConversations,
} from "./workspaces/conversations.js";
export { TrustedFolders } from "./workspaces/trusted-folders.js";
