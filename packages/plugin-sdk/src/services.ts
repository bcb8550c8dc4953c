export type { CronDeliveryStatus, CronJob, CronService } from "./hooks/lifecycle.js";
export type {
  AgentRunAnswer,
  AgentRunRequest,
  RuntimeAgents,
  RuntimeSubagents,
  SubagentAnswer,
  SubagentRequest,
  SubagentStart,
  ToolInvocation,
} from "./host/agents.js";
export type {
  EmbeddingAnswer,
  EmbeddingModelInfo,
  EmbeddingRequest,
  RuntimeEmbeddings,
  TextEmbedding,
} from "./host/embeddings.js";
export type {
  HostJobPort,
  PluginJob,
  PluginJobObserver,
  PluginJobRequest,
  PluginJobState,
  PluginJobStep,
  PluginJobs,
} from "./host/jobs.js";
export type {
  CredentialPrompt,
  MessageReceipt,
  MessageTarget,
  PluginMessage,
  RuntimeMessages,
} from "./host/messages.js";
export type {
  CompletionAnswer,
  CompletionMessage,
  CompletionRequest,
  RuntimeModels,
} from "./host/models.js";
export type { OAuthCredential, OAuthEndpoints, RuntimeOAuth } from "./host/oauth.js";
export type { LinearPattern, PatternOptions, RuntimePatterns } from "./host/patterns.js";
export type {
  BundleHookHandler,
  DeclaredHooks,
  DeclaredServers,
  RuntimePlugins,
} from "./host/plugins.js";
export type {
  ProcessEnd,
  ProcessSandbox,
  RunningProcess,
  StartProcessOptions,
} from "./host/process.js";
export type {
  CommandResult,
  ConfigMutation,
  ConfigReplacement,
  HostRuntime,
  MemoryToolRequest,
  OpenClawConfig,
  RunCommandOptions,
  RuntimeConfig,
  RuntimeLogging,
  RuntimeSystem,
  RuntimeTools,
  SystemEventOptions,
  VisibleConfig,
} from "./host/runtime.js";
export type { FoundInjection, FoundSecret, RuntimeSafety } from "./host/safety.js";
export type {
  HostAgentPort,
  HostAgentReply,
  HostAgentTurn,
  HostApprovalPort,
  HostChannelAccess,
  HostCommand,
  HostConfigChange,
  HostConfigurationPort,
  HostDeclarations,
  HostEvent,
  HostEventPort,
  HostedKind,
  HostMessagePort,
  HostNames,
  HostOAuthPort,
  HostOutsidePort,
  HostProcess,
  HostQuestion,
  HostSafetyPort,
  HostSchedulePort,
  HostServices,
  HostSessionPort,
  HostStoragePort,
} from "./host/services.js";
export type { RuntimeSpeech, SpokenText, SynthesisRequest } from "./host/speech.js";
export type { KeyedStore, KeyedStoreEntry, KeyedStoreOptions, RuntimeState } from "./host/state.js";
export {
  defineService,
  type PluginService,
  type PluginServiceContext,
  type RepeatedWork,
} from "./plugin/service.js";
