export type { Logger } from "./logger.js";
export type {
  AnyHookHandler,
  HookFileEntry,
  OpenClawPluginApi,
  PluginLifecycle,
  RegisterHookOptions,
  Unregister,
} from "./plugin-api.js";
export {
  type DefinedPlugin,
  definePluginEntry,
  emptyPluginConfigSchema,
  type PluginDefinition,
} from "./plugin-definition.js";
