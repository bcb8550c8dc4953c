import type { ToolEntry, ToolSetProblem } from "./tool-entry.js";

/**
 * Returns a warning for each parameter that has different types in two tools of a plugin, since models
 * confuse them. The tools are kept (TURN-015).
 * @param entries - the tools of plugins
 */
export function parameterTypeProblems(entries: readonly ToolEntry[]): ToolSetProblem[] {
  const seen = new Map<string, { readonly type: string; readonly toolName: string }>();
  return entries.flatMap(({ name: toolName, pluginId, parameters }) => {
    if (pluginId === undefined) return [];
    return typesOf(parameters.properties).flatMap(([parameter, type]): ToolSetProblem[] => {
      const key = `${pluginId}\n${parameter}`;
      const first = seen.get(key);
      if (first === undefined) seen.set(key, { type, toolName });
      if (first === undefined || first.type === type) return [];
      const message = `plugin "${pluginId}" has a parameter "${parameter}" of type ${first.type} in tool "${first.toolName}" and of type ${type} in tool "${toolName}"; give both the same type, or different names`;
      return [{ code: "TOOL_PARAM_TYPE_MISMATCH", pluginId, message }];
    });
  });
}

/** Types by the properties of a schema, so that a turn reads no schema a second time. */
const types = new WeakMap<object, readonly [string, string][]>();

function typesOf(properties: unknown): readonly [string, string][] {
  if (typeof properties !== "object" || properties === null) return [];
  const known = types.get(properties) ?? readTypes(properties);
  types.set(properties, known);
  return known;
}

function readTypes(properties: object): [string, string][] {
  return Object.entries(properties).flatMap(([name, schema]: [string, unknown]) => {
    if (typeof schema !== "object" || schema === null || !("type" in schema)) return [];
    const { type } = schema;
    if (typeof type !== "string") return [];
    return [[name, type === "integer" ? "number" : type] satisfies [string, string]];
  });
}
