import type { JSONSchema7, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { defined, plainObjectSchema, wellFormed } from "@openclaw/foundation";
import type { JsonSchema } from "@openclaw/plugin-sdk/tools";
import { InvalidToolSchemaError } from "../errors.js";
import type { ModelTool } from "./request.js";
import { withoutReferences } from "./tool-schema/references.js";

/** Converted tools; each turn offers the same objects. */
const CONVERTED = new WeakMap<ModelTool, LanguageModelV4FunctionTool>();

/**
 * Converts tools to the format of model requests, in the caller's order, which is the same in every turn so
 * that prompt caches work (TURN-026). References are inlined, and a union of objects becomes one object (LLM-005).
 * @param tools - tools with object schemas; a schema without `type` counts as one
 * @throws InvalidToolSchemaError when a schema describes something other than an object
 */
export function functionTools(tools: readonly ModelTool[]): LanguageModelV4FunctionTool[] {
  return tools.map((tool) => {
    const known = CONVERTED.get(tool) ?? functionTool(tool);
    CONVERTED.set(tool, known);
    return known;
  });
}

function functionTool({
  name,
  description,
  parameters,
  strict,
}: ModelTool): LanguageModelV4FunctionTool {
  return wellFormed({
    type: "function",
    name,
    description,
    inputSchema: inputSchema(name, parameters),
    ...defined({ strict }),
  });
}

function inputSchema(toolName: string, parameters: JsonSchema): JSONSchema7 {
  const type = parameters.type ?? "object";
  if (type !== "object") throw new InvalidToolSchemaError(toolName, type);
  return { ...plainObjectSchema(withoutReferences(parameters)), type };
}
