export type { CronDeliveryStatus, CronJob, CronService } from "./hooks/lifecycle.js";
export type {
  CommandResult,
  CompletionAnswer,
  CompletionRequest,
  HostRuntime,
  MemoryToolRequest,
  OpenClawConfig,
  RunCommandOptions,
  RuntimeAgents,
  RuntimeConfig,
  RuntimeLogging,
  RuntimeModels,
  RuntimeSubagents,
  RuntimeSystem,
  RuntimeTools,
  SubagentAnswer,
  SubagentRequest,
  VisibleConfig,
} from "./host/runtime.js";
export type { HostCommand, HostedKind, HostNames, HostServices } from "./host/services.js";
export { defineService, type PluginService, type PluginServiceContext } from "./plugin/service.js";
