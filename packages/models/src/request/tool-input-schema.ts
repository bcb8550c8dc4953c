import type { JSONSchema7, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { defined } from "@openclaw/foundation";
import type { JsonSchema } from "@openclaw/plugin-sdk/tools";
import { InvalidToolSchemaError } from "../errors.js";
import type { ModelTool } from "./request.js";

/**
 * Converts tools to the format of model requests, in the caller's order, which is the same in every turn so
 * that prompt caches work (TURN-026).
 * @param tools - tools with object schemas; a schema without `type` counts as one
 * @throws InvalidToolSchemaError when a schema describes something other than an object
 */
export function functionTools(tools: readonly ModelTool[]): LanguageModelV4FunctionTool[] {
  return tools.map(({ name, description, parameters, strict }) => ({
    type: "function",
    name,
    description,
    inputSchema: inputSchema(name, parameters),
    ...defined({ strict }),
  }));
}

function inputSchema(toolName: string, parameters: JsonSchema): JSONSchema7 {
  const type = parameters.type ?? "object";
  if (type !== "object") throw new InvalidToolSchemaError(toolName, type);
  // Providers reject a union beside the properties, which describe the same object; the host checks each call.
  const { anyOf, oneOf, ...described } = parameters;
  const isUnion = described.properties !== undefined && (anyOf ?? oneOf) !== undefined;
  return { ...(isUnion ? described : parameters), type };
}
