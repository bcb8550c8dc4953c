export type { DefinedPlugin } from "./plugin/definition.js";
export {
  defineToolPlugin,
  type PluginTool,
  type PluginToolCall,
  type PluginToolFactory,
  type ToolMaker,
  type ToolPluginDefinition,
  type ToolRegistrar,
} from "./plugin/tool-plugin.js";
