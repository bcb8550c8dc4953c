export { PLUGIN_API_VERSION } from "./api-version.js";
export type {
  CliCommand,
  CliContext,
  CliRegistrar,
  CliRegistrationOptions,
} from "./cli-registration.js";
export type { CompactionProvider } from "./compaction-provider.js";
export type { ContextEngine, ContextEngineFactory } from "./context-engine.js";
export type { Logger } from "./logger.js";
export type {
  MemoryCapability,
  MemoryCorpusSupplement,
  MemoryEmbeddingProvider,
  MemoryFunction,
  MemoryRuntime,
  MemorySearch,
} from "./memory-capability.js";
export type { MemoryRegistrars } from "./memory-registrars.js";
export type {
  HookFileEntry,
  OpenClawPluginApi,
  PluginOrigin,
  RegisterHookOptions,
} from "./plugin-api.js";
export {
  defineCommand,
  type PluginCommand,
  type PluginCommandContext,
  type PluginCommandReply,
} from "./plugin-command.js";
export {
  type ConfigOf,
  type ConfigSchema,
  emptyPluginConfigSchema,
} from "./plugin-config-schema.js";
export {
  type ConfigType,
  type DefinedPlugin,
  definePluginEntry,
  type PluginDefinition,
} from "./plugin-definition.js";
export type { PluginLifecycle } from "./plugin-lifecycle.js";
export type { Unregister } from "./unregister.js";
