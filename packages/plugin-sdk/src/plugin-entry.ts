export type { Logger } from "./logger.js";
export type {
  AnyHookHandler,
  OpenClawPluginApi,
  PluginLifecycle,
  RegisterHookOptions,
  Unregister,
} from "./plugin-api.js";
export {
  definePluginEntry,
  emptyPluginConfigSchema,
  type PluginDefinition,
} from "./plugin-definition.js";
