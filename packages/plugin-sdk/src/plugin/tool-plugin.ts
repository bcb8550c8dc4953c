import {
  type ConfigOf,
  type ConfigSchema,
  emptyPluginConfigSchema,
} from "../schema/plugin-config.js";
import type {
  AnyAgentTool,
  ToolDefinition,
  ToolFactoryContext,
  ToolOutput,
  ToolUpdate,
} from "../tools/definition.js";
import type { JsonSchemaBeside, ParameterSchema, ParametersOf } from "../tools/schema.js";
import type { OpenClawPluginApi } from "./api.js";
import type { DefinedPlugin } from "./definition.js";

/** What a tool of a tool plugin is told of the call, beside arguments and configuration. */
export interface PluginToolCall<Config> {
  readonly api: OpenClawPluginApi<Config>;
  readonly toolCallId: string;
  /** Aborts at the deadline and on interrupt. */
  readonly signal: AbortSignal;
  /** Reports progress. */
  readonly onUpdate: ToolUpdate;
}

/** A tool of a tool plugin: like any other, but its `execute` begins with the arguments. */
export interface PluginTool<Config, Schema, Details = unknown>
  extends Omit<ToolDefinition<ParametersOf<Schema>, Details>, "parameters" | "execute"> {
  parameters: Schema & ParameterSchema;
  /**
   * Runs one call.
   * @param params - the validated arguments
   * @param config - the plugin's configuration
   * @param call - the call, and the plugin's `api`
   */
  execute(
    params: ParametersOf<Schema>,
    config: Readonly<Config>,
    call: PluginToolCall<Config>,
  ): ToolOutput<Details> | Promise<ToolOutput<Details>>;
}

/** A tool that depends on the session: it is made when the session's tool set is built. */
export interface PluginToolFactory<Config> {
  /** Name the tool will have; lets policy decide before it is made. */
  name: string;
  optional?: boolean;
  /**
   * Makes the tool; nothing leaves it out of this session.
   * @param request - the plugin's `api`, and the session
   */
  factory(request: {
    readonly api: OpenClawPluginApi<Config>;
    readonly toolContext: ToolFactoryContext;
  }): AnyAgentTool | AnyAgentTool[] | null | undefined;
}

/** Registers one tool of a tool plugin; made by the function that `tools` is given. */
export type ToolRegistrar<Config> = (api: OpenClawPluginApi<Config>) => void;

/** Types one tool of a tool plugin. */
export type ToolMaker<Config> = <const Schema extends ParameterSchema, Details = unknown>(
  tool:
    | (PluginTool<Config, Schema, Details> & JsonSchemaBeside<Schema>)
    | PluginToolFactory<Config>,
) => ToolRegistrar<Config>;

/** A plugin that offers tools and nothing else. */
export interface ToolPluginDefinition<Schema> {
  /** Equal to the manifest's id. */
  id: string;
  name?: string;
  description?: string;
  version?: string;
  configSchema?: Schema;
  /**
   * Lists the tools.
   * @param tool - types one of them
   */
  tools(tool: ToolMaker<ConfigOf<Schema>>): readonly ToolRegistrar<ConfigOf<Schema>>[];
}

/**
 * Makes a plugin of a list of tools.
 * @param definition - the tools, and what every plugin has
 * @returns a plugin's entry, to export by default
 * @example
 * ```ts
 * import { defineToolPlugin } from "@openclaw/plugin-sdk/tool-plugin";
 * import { Type } from "typebox";
 *
 * export default defineToolPlugin({
 *   id: "dice",
 *   configSchema: Type.Object({ sides: Type.Integer({ default: 6 }) }),
 *   tools: (tool) => [
 *     tool({
 *       name: "roll_dice",
 *       description: "Rolls dice and returns the numbers.",
 *       parameters: Type.Object({ count: Type.Integer({ minimum: 1, maximum: 20 }) }),
 *       execute: ({ count }, { sides }) =>
 *         Array.from({ length: count }, () => 1 + Math.floor(Math.random() * sides)),
 *     }),
 *   ],
 * });
 * ```
 */
export function defineToolPlugin<const Schema extends ConfigSchema = object>({
  tools,
  configSchema,
  ...identity
}: ToolPluginDefinition<Schema>): DefinedPlugin<ConfigOf<Schema>> {
  return {
    ...identity,
    configSchema: configSchema ?? emptyPluginConfigSchema(),
    register(api) {
      for (const registerTool of tools(toolRegistrar)) registerTool(api);
    },
  };
}

function toolRegistrar<Config, Schema, Details>(
  tool: PluginTool<Config, Schema, Details> | PluginToolFactory<Config>,
): ToolRegistrar<Config> {
  return (api) => {
    if ("factory" in tool) {
      const { name, optional = false, factory } = tool;
      api.registerTool((toolContext) => factory({ api, toolContext }) ?? null, { name, optional });
      return;
    }
    const { execute, ...rest } = tool;
    const definition: ToolDefinition<ParametersOf<Schema>, Details> = {
      ...rest,
      execute: (toolCallId, params, signal, onUpdate) =>
        execute(params, api.pluginConfig, { api, toolCallId, signal, onUpdate }),
    };
    api.registerTool(definition);
  };
}
