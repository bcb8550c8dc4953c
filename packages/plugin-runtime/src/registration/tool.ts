import { textOf } from "@openclaw/foundation";
import type {
  AnyAgentTool,
  SessionToolFactory,
  ToolFactory,
  ToolFactoryContext,
  ToolFactoryV2,
  ToolRegistrationOptions,
  ToolSessionContext,
} from "@openclaw/plugin-sdk/tools";
import {
  type ApiCall,
  expectFunction,
  expectName,
  expectObject,
  type NameRule,
  wrongArgument,
} from "./check.js";
import type { RegistrationOrigin } from "./origin.js";

/** A tool or tool factory of a plugin. */
export interface PluginToolRegistration extends RegistrationOrigin {
  /** The tool, or the function that creates the tools of one session. */
  readonly tool: AnyAgentTool | SessionToolFactory;
  /** The tool's name, or the names of a factory; empty when it declared none and made none for a sample session. */
  readonly names: readonly string[];
  /**
   * Adds the names of tools that a factory without declared names made for a sample session.
   * @param names - names as the factory gave them; invalid names are left out
   */
  learn(names: readonly string[]): void;
  /** True when it is available only where an allow list names it. */
  readonly optional: boolean;
}

const TOOL_NAME: NameRule = {
  pattern: /^[A-Za-z0-9_-]{1,64}$/,
  expected: "1 to 64 of A-Z a-z 0-9 _ -",
};

/**
 * Checks the arguments of `api.registerTool` (PLUG-029).
 * @param tool - a tool, or a factory of tools
 * @param options - declared names, and whether it is optional
 * @param dependencies - host data for factories
 * @throws PluginRegistrationError naming the argument
 */
export function readTool(
  origin: RegistrationOrigin,
  tool: AnyAgentTool | ToolFactory | ToolFactoryV2,
  options: ToolRegistrationOptions,
  dependencies: (context: ToolSessionContext) => Omit<ToolFactoryContext, keyof ToolSessionContext>,
): PluginToolRegistration {
  const call = { origin, member: "registerTool" };
  const factory = factoryOf(call, tool);
  const declared = [
    ...(options.names ?? []),
    ...(options.name === undefined ? [] : [options.name]),
  ];
  const optional = options.optional === true;
  if (factory !== undefined) {
    const names = declared.map((name) => expectName(call, "name", name, TOOL_NAME));
    const make: SessionToolFactory = (context) => factory({ ...context, ...dependencies(context) });
    const known = [...new Set(names)];
    const learn = (found: readonly string[]) => {
      const valid = found.filter((name) => TOOL_NAME.pattern.test(name) && !known.includes(name));
      known.push(...valid);
    };
    return { ...origin, tool: make, names: known, learn, optional };
  }
  const single = tool as AnyAgentTool;
  const names = [checkedTool(call, single)];
  const learn = () => undefined;
  return { ...origin, tool: single, names, learn, optional: optional || single.optional === true };
}

function factoryOf(
  call: ApiCall,
  tool: AnyAgentTool | ToolFactory | ToolFactoryV2,
): ToolFactory | undefined {
  if (typeof tool === "function") return tool;
  if (typeof tool !== "object" || tool === null) {
    const found = textOf(tool);
    throw wrongArgument(
      call,
      "tool",
      `expected a tool or a function that makes tools, got ${found}`,
    );
  }
  if (!("contextVersion" in tool)) return undefined;
  if (tool.contextVersion !== 2) {
    const found = textOf(tool.contextVersion);
    throw wrongArgument(call, "contextVersion", `expected 2, got ${found}`);
  }
  expectFunction(call, "create", tool.create);
  return (context) => tool.create(context);
}

function checkedTool(call: ApiCall, tool: AnyAgentTool): string {
  const name = expectName(call, "name", tool.name, TOOL_NAME);
  expectFunction(call, `execute of tool "${name}"`, tool.execute);
  if (typeof tool.description !== "string" && typeof tool.description !== "function") {
    const found = typeof tool.description;
    const expected = `expected a string or a function that returns one, got ${found}`;
    throw wrongArgument(call, `description of tool "${name}"`, expected);
  }
  // A schema may be a function, as those of ArkType are.
  if (typeof tool.parameters !== "function") {
    expectObject(call, `parameters of tool "${name}"`, tool.parameters);
  }
  return name;
}
