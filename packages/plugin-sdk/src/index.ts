// What the author of a first plugin needs, and every value. Other types come from the entry point of their topic.

// Plugins
export { PLUGIN_API_VERSION, PLUGIN_MANIFEST_SCHEMA, type PluginManifest } from "./manifest.js";
// Tools
export { readBoolean, readNumber, readString, readStringArray } from "./param-readers.js";
export {
  type ConfigOf,
  type ConfigSchema,
  type DefinedPlugin,
  defined,
  definePluginEntry,
  definePrompt,
  defineResource,
  emptyPluginConfigSchema,
  headerFault,
  type Logger,
  type OpenClawPluginApi,
  type PluginDefinition,
} from "./plugin-entry.js";
export type { HostRuntime, OpenClawConfig } from "./services.js";
export { defineToolPlugin } from "./tool-plugin.js";
export {
  audioPart,
  errorResult,
  imageResult,
  jsonResult,
  resourcePart,
  textResult,
} from "./tool-results.js";
export {
  type AnyAgentTool,
  defineTool,
  type JsonSchema,
  type JsonValue,
  type ToolDefinition,
  type ToolFactory,
  type ToolFactoryContext,
  type ToolOutput,
  type ToolResult,
} from "./tools.js";

// Hooks

export {
  followedFile,
  followedNames,
  PluginApprovalResolutions,
  type RequireApproval,
  writtenFiles,
} from "./approvals.js";
export {
  defineHook,
  HOOK_NAMES,
  type HookContext,
  type HookEvent,
  type HookHandler,
  type HookName,
  type HookOptions,
  type HookResult,
  isHookName,
} from "./hooks.js";
export { LIFECYCLE_ALIASES, LIFECYCLE_PHASES, type LifecyclePhase } from "./lifecycle.js";
export { type AgentMessage, messageText } from "./tools.js";

// Commands, services, routes and storage

export type { HttpRoute } from "./http.js";
export {
  defineCommand,
  moveAside,
  type PluginCommand,
  type PluginCommandContext,
  type PluginCommandReply,
  removeFile,
  writePrivateFile,
} from "./plugin-entry.js";
export { defineService, type PluginService, type PluginServiceContext } from "./services.js";
export { databaseData, exportTable, importRows, type PluginStore } from "./store.js";

// Channels and model providers

export {
  type Channel,
  ChannelAuthFailedError,
  type ChannelContext,
  ChannelDisconnectedError,
  ChannelError,
  ChannelHealthCheckFailedError,
  ChannelHttpError,
  ChannelInvalidMessageError,
  ChannelRateLimitedError,
  type ChannelRegistration,
  ChannelSendFailedError,
  ChannelStartupFailedError,
  defineChannelPluginEntry,
  type IncomingMessage,
  MessageQueue,
  type OutgoingResponse,
  SentParts,
} from "./channel-core.js";
// Errors
export {
  AuthRequiredError,
  type ErrorKind,
  isPluginHookExecutionError,
  OpenClawError,
  OutboundWebhookError,
  ParameterError,
  PluginDataError,
  PluginDisposedError,
  PluginMigrationError,
  PluginPermissionError,
  PluginQueryError,
  PluginQuotaError,
  PluginStoreArgumentError,
  ProviderAddressInvalidError,
  ProviderListFailedError,
  ProviderReplyTooLargeError,
  ProviderSettingInvalidError,
  ProviderSettingMissingError,
  RuntimeCapabilityError,
} from "./errors.js";
export {
  characterStart,
  clientCall,
  endOfText,
  errorMessage,
  hostParams,
  hostTool,
  isRecord,
  promptArguments,
  promptUsage,
  SlidingWindow,
  startOfText,
  writtenArgument,
} from "./kit.js";
export { checkOutboundWebhook, openOutboundWebhook } from "./outbound-webhook.js";
export {
  boundedFetch,
  defineModelProviderPlugin,
  defineProvider,
  isLocalUrl,
  type LanguageModel,
  listProviderModels,
  type ModelProvider,
  type ProviderSettings,
} from "./provider-entry.js";
