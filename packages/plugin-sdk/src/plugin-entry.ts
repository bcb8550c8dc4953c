export { type Defined, defined } from "@openclaw/foundation/defined";
export { headerFault } from "@openclaw/foundation/header-text";
export type { OAuthCredential, OAuthEndpoints } from "./host/oauth.js";
export { moveAside, removeFile, writePrivateFile } from "./host/private-files.js";
export type { Logger } from "./logger.js";
export { PLUGIN_API_VERSION } from "./manifest/api-version.js";
export type {
  HookFileEntry,
  OpenClawPluginApi,
  PluginOrigin,
  RegisterHookOptions,
  ReportedProblem,
} from "./plugin/api.js";
export type {
  CliCommand,
  CliContext,
  CliDescriptor,
  CliRegistrar,
  CliRegistrationOptions,
  LoginCallbackAnswer,
  LoginCallbacks,
} from "./plugin/cli-registration.js";
export {
  defineCommand,
  type PluginCommand,
  type PluginCommandCompletion,
  type PluginCommandContext,
  type PluginCommandReply,
  type PluginCommandVariant,
} from "./plugin/command.js";
export {
  type ConfigType,
  type DefinedPlugin,
  definePluginEntry,
  type PluginDefinition,
} from "./plugin/definition.js";
export type { PluginLifecycle } from "./plugin/lifecycle.js";
export type {
  AgentEvent,
  AgentEventEmission,
  AgentEventSubscription,
  AgentEvents,
  ImageGenerationProvider,
  MediaUnderstandingProvider,
  OlderRegistrars,
  RunContext,
  RunContextPlace,
  SessionAction,
  SessionActionContext,
  SessionControls,
  WebToolDefinition,
  WebToolProvider,
} from "./plugin/older-registrars.js";
export type {
  PanelHello,
  PanelMessage,
  PanelRequest,
  PluginPanel,
} from "./plugin/panel.js";
export {
  definePrompt,
  type PluginPrompt,
  type PromptArgument,
  type PromptInputRequest,
  type PromptMessage,
  type RenderedPrompt,
} from "./plugin/prompt.js";
export {
  defineResource,
  type PluginResource,
  type PluginResourceContent,
  type PluginResourceEntry,
  type ResourceRequest,
} from "./plugin/resource.js";
export type {
  SafetyRule,
  SafetyRuleAction,
  SafetyRuleContext,
} from "./plugin/safety-rule.js";
export type { Unregister } from "./plugin/unregister.js";
export type {
  AgentHarness,
  AgentHarnessAnswer,
  AgentHarnessAttempt,
  AgentHarnessResult,
  AgentHarnessStopDecision,
  AgentHarnessSupport,
  AgentHarnessSupportContext,
  AgentHarnessTool,
} from "./providers/agent-harness.js";
export type { CompactionProvider, CompactionRequest } from "./providers/compaction.js";
export type {
  AssembledContext,
  ContextAssembly,
  ContextEngine,
  ContextEngineFactory,
  ContextTurnEnd,
} from "./providers/context-engine.js";
export type {
  MemoryArchive,
  MemoryCapability,
  MemoryCorpusSupplement,
  MemoryEmbeddingProvider,
  MemoryFlushContext,
  MemoryFlushPlan,
  MemoryFlushPlanResolver,
  MemoryPromptBuilder,
  MemoryPromptContext,
  MemoryPromptSection,
  MemoryRequester,
  MemoryRuntime,
  MemorySearch,
} from "./providers/memory-capability.js";
export type { MemoryRegistrars } from "./providers/memory-registrars.js";
export type {
  SpeechProvider,
  SpeechRequest,
  SpeechResult,
  SpeechTarget,
} from "./providers/speech.js";
export type {
  WebSearchProvider,
  WebSearchRequest,
  WebSearchResult,
} from "./providers/web-search.js";
export {
  type ConfigOf,
  type ConfigSchema,
  emptyPluginConfigSchema,
} from "./schema/plugin-config.js";
