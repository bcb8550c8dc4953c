import type {
  Logger,
  PluginCommand,
  PluginCommandReply,
  PluginDefinition,
} from "@openclaw/plugin-sdk/plugin-entry";
import type { PluginService, PluginServiceContext } from "@openclaw/plugin-sdk/services";
import type { ToolFactory, ToolFactoryContext } from "@openclaw/plugin-sdk/tools";

export {
  buildJsonPluginConfigSchema,
  buildPluginConfigSchema,
  type OlderPluginConfigSchema as OpenClawPluginConfigSchema,
} from "./config-schema.js";

/** @deprecated Use `PluginDefinition`. */
export type OpenClawPluginDefinition = PluginDefinition;

/** @deprecated Use `PluginCommand`. */
export type OpenClawPluginCommandDefinition = PluginCommand;

/** @deprecated Use `PluginCommandReply`. */
export type PluginCommandResult = PluginCommandReply;

/** @deprecated Use `PluginService`. */
export type OpenClawPluginService = PluginService;

/** @deprecated Use `PluginServiceContext`. */
export type OpenClawPluginServiceContext = PluginServiceContext;

/** @deprecated Use `ToolFactory`. */
export type OpenClawPluginToolFactory = ToolFactory;

/** @deprecated Use `ToolFactoryContext`. */
export type OpenClawPluginToolContext = ToolFactoryContext;

/** @deprecated Use `Logger`. */
export type PluginLogger = Logger;
