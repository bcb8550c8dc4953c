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

function typesOf(properties: unknown): [string, string][] {
  if (typeof properties !== "object" || properties === null) return [];
  return Object.entries(properties).flatMap(([name, schema]: [string, unknown]) => {
    if (typeof schema !== "object" || schema === null || !("type" in schema)) return [];
    const { type } = schema;
    if (typeof type !== "string") return [];
    return [[name, type === "integer" ? "number" : type] satisfies [string, string]];
  });
}
