import { defined } from "@openclaw/foundation/defined";
import type { PluginDataPort } from "../host/plugin-data.js";
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
import type { ToolInput } from "../tools/input.js";
import type { JsonSchemaBeside, ParameterSchema, ParametersOf } from "../tools/schema.js";
import type { OpenClawPluginApi } from "./api.js";
import type { DefinedPlugin } from "./definition.js";

/** Call context of a tool in a tool plugin, in addition to arguments and configuration. */
export interface PluginToolCall<Config> {
  readonly api: OpenClawPluginApi<Config>;
  readonly toolCallId: string;
  /** Aborts at the deadline and on interrupt. */
  readonly signal: AbortSignal;
  /** Reports progress. */
  readonly onUpdate: ToolUpdate;
  /** Answer to the input request that the call returned before. */
  readonly input?: ToolInput;
}

/** Tool of a tool plugin; unlike other tools, the first parameter of `execute` is the arguments. */
export interface PluginTool<Config, Schema, Details = unknown>
  extends Omit<ToolDefinition<ParametersOf<Schema>, Details>, "parameters" | "execute"> {
  parameters: Schema & ParameterSchema;
  /**
   * Runs one call.
   * @param params - the validated arguments
   * @param config - the plugin's configuration
   * @param call - the call and the plugin's `api`
   */
  execute(
    params: ParametersOf<Schema>,
    config: Readonly<Config>,
    call: PluginToolCall<Config>,
  ): ToolOutput<Details> | Promise<ToolOutput<Details>>;
}

/** Tool that depends on the session; created when the session's tool set is built. */
export interface PluginToolFactory<Config> {
  /** Name of the tool, with which policy decides before the tool is created. */
  name: string;
  optional?: boolean;
  /**
   * Creates the tool; undefined omits it from this session.
   * @param request - the plugin's `api` and the session
   */
  factory(request: {
    readonly api: OpenClawPluginApi<Config>;
    readonly toolContext: ToolFactoryContext;
  }): AnyAgentTool | AnyAgentTool[] | null | undefined;
}

/** Registration of one tool, returned by the function that `tools` receives. */
export type ToolRegistrar<Config> = (api: OpenClawPluginApi<Config>) => void;

/** Defines one typed tool of a tool plugin. */
export type ToolMaker<Config> = <const Schema extends ParameterSchema, Details = unknown>(
  tool:
    | (PluginTool<Config, Schema, Details> & JsonSchemaBeside<Schema>)
    | PluginToolFactory<Config>,
) => ToolRegistrar<Config>;

/** Definition of a plugin that offers only tools. */
export interface ToolPluginDefinition<Schema> {
  /** Id, equal to the manifest's. */
  id: string;
  name?: string;
  description?: string;
  version?: string;
  configSchema?: Schema;
  /** Moves the databases of the plugin, as in `PluginDefinition`. */
  data?: PluginDataPort;
  /**
   * Returns the tools.
   * @param tool - defines one tool
   */
  tools(tool: ToolMaker<ConfigOf<Schema>>): readonly ToolRegistrar<ConfigOf<Schema>>[];
}

/**
 * Creates the entry of a plugin with a list of tools.
 * @param definition - the tools and the fields of every plugin
 * @returns the entry, to be the default export
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
      execute: (toolCallId, params, signal, onUpdate, input) =>
        execute(params, api.pluginConfig, {
          ...{ api, toolCallId, signal, onUpdate },
          ...defined({ input }),
        }),
    };
    api.registerTool(definition);
  };
}
