export type { CoreTool } from "./core-tool.js";
export { CORE_TOOL_NAMES, createCoreTools, MESSAGE, WEB_SEARCH } from "./core-tools.js";
export { ToolRefusalError } from "./errors.js";
export type {
  Extension,
  ExtensionChange,
  ExtensionInstall,
  ExtensionKind,
  ExtensionLogin,
  ExtensionManagement,
} from "./extensions/management.js";
export { createExtensionTools } from "./extensions/tools.js";
export { previewChanges } from "./files/change-preview.js";
export { realPathOf } from "./files/real-path.js";
export { readWorkspaceFile, type WorkspaceDownload } from "./files/workspace-download.js";
export type { StoredCredentials } from "./http/exchange.js";
export { authorizeExec, type ExecAuthorization } from "./process/authorization.js";
export { BackgroundProcesses } from "./process/background-processes.js";
export type { SandboxState } from "./process/bubblewrap/probe-failure.js";
export { BubblewrapSandbox } from "./process/bubblewrap/sandbox.js";
export type { WorkerMount } from "./process/bubblewrap/worker-view.js";
export { childEnvironment } from "./process/child-environment.js";
export { runProcessGroup } from "./process/group.js";
export { expandInWorkspace } from "./process/literal/workspace-expansion.js";
export { answer, refusing } from "./result.js";
export type { MessagePort } from "./sessions/message.js";
export type { SendToSession, SessionMessage } from "./sessions/send.js";
export { createSubagentsTool } from "./sessions/subagents.js";
export { systemErrorCode } from "./system-error.js";
