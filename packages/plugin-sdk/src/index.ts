export {
  isPluginHookExecutionError,
  OpenClawError,
  PluginDisposedError,
  type PluginHookExecutionFailure,
  RuntimeCapabilityError,
} from "./errors.js";
export {
  type CataloguedHookName,
  HOOK_NAMES,
  type HookContext,
  type HookEvent,
  type HookHandler,
  type HookKind,
  type HookMap,
  type HookName,
  type HookOptions,
  type HookResult,
  type HooksOfKind,
  isHookName,
} from "./hooks.js";
export {
  LIFECYCLE_ALIASES,
  LIFECYCLE_PHASES,
  type LifecycleAlias,
  type LifecyclePhase,
  type PhaseHook,
} from "./lifecycle.js";
export type { PluginManifest } from "./manifest.js";
export {
  definePluginEntry,
  emptyPluginConfigSchema,
  type Logger,
  type OpenClawPluginApi,
  type PluginDefinition,
  type Unregister,
} from "./plugin-entry.js";
export { defineProvider, type LanguageModel, type ModelProvider } from "./provider-entry.js";
export { errorResult, imageResult, jsonResult, textResult } from "./tool-results.js";
export {
  type AgentMessage,
  type AnyAgentTool,
  type ApprovalNeed,
  defineTool,
  messageText,
  type ToolDefinition,
  type ToolFactory,
  type ToolFactoryContext,
  type ToolOutput,
  type ToolResult,
} from "./tools.js";
