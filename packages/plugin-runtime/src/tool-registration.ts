import type {
  AnyAgentTool,
  ToolFactory,
  ToolRegistrationOptions,
} from "@openclaw/plugin-sdk/tools";
import { PluginRegistrationError } from "./errors.js";
import type { PluginToolRegistration, RegistrationOrigin } from "./registry.js";

const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Checks the arguments of `api.registerTool` (PLUG-029).
 * @param origin - the plugin
 * @param tool - a tool, or a factory of tools
 * @param options - declared names, and whether it is optional
 * @throws PluginRegistrationError naming the argument
 */
export function readTool(
  origin: RegistrationOrigin,
  tool: AnyAgentTool | ToolFactory,
  options: ToolRegistrationOptions = {},
): PluginToolRegistration {
  const declared = [
    ...(options.names ?? []),
    ...(options.name === undefined ? [] : [options.name]),
  ];
  const names = typeof tool === "function" ? declared : [checkedName(origin, tool)];
  for (const name of names) {
    if (!TOOL_NAME.test(name)) {
      throw wrong(
        origin,
        "name",
        `expected 1 to 64 of A-Z a-z 0-9 _ -, got ${JSON.stringify(name)}`,
      );
    }
  }
  return { ...origin, tool, names: [...new Set(names)], optional: options.optional === true };
}

function checkedName(origin: RegistrationOrigin, tool: AnyAgentTool): string {
  const found: unknown = tool;
  if (typeof found !== "object" || found === null) {
    throw wrong(
      origin,
      "tool",
      `expected a tool or a function that makes tools, got ${String(found)}`,
    );
  }
  if (typeof tool.name !== "string") {
    throw wrong(origin, "name", `expected a string, got ${typeof tool.name}`);
  }
  if (typeof tool.execute !== "function") {
    throw wrong(
      origin,
      `execute of tool "${tool.name}"`,
      `expected a function, got ${typeof tool.execute}`,
    );
  }
  if (typeof tool.description !== "string") {
    throw wrong(
      origin,
      `description of tool "${tool.name}"`,
      `expected a string, got ${typeof tool.description}`,
    );
  }
  if (typeof tool.parameters !== "object" || tool.parameters === null) {
    throw wrong(
      origin,
      `parameters of tool "${tool.name}"`,
      `expected a schema of an object, got ${typeof tool.parameters}`,
    );
  }
  return tool.name;
}

function wrong(origin: RegistrationOrigin, argument: string, problem: string) {
  return new PluginRegistrationError(origin.pluginId, "registerTool", argument, problem);
}
