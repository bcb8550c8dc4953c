import type { JSONSchema7, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { defined, plainObjectSchema, wellFormed } from "@openclaw/foundation";
import type { JsonSchema } from "@openclaw/plugin-sdk/tools";
import { InvalidToolSchemaError } from "../errors.js";
import type { ModelTool } from "./request.js";
import { compactSchema } from "./tool-schema/compact.js";
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
    inputSchema: inputSchema(name, strict === true ? parameters : compactSchema(parameters)),
    ...defined({ strict }),
  });
}

/** Characters of a definition for each token, as the encoding o200k has them on average; prose has fewer. */
const CHARACTERS_PER_TOKEN = 4.38;
/** Tokens of definitions; each turn offers the same objects. */
const TOKENS = new WeakMap<LanguageModelV4FunctionTool, number>();

/**
 * Returns the number of tokens that the definition of a tool costs in each request, estimated from the characters of its
 * name, description and schema as JSON. How a provider writes a definition for its models is not known.
 * @param tool - tool with an object schema
 * @throws InvalidToolSchemaError when the schema describes something other than an object
 */
export function toolTokens(tool: ModelTool): number {
  let total = 0;
  for (const definition of functionTools([tool])) {
    const tokens = TOKENS.get(definition) ?? tokensOf(definition);
    TOKENS.set(definition, tokens);
    total += tokens;
  }
  return total;
}

function tokensOf({ name, description, inputSchema: parameters }: LanguageModelV4FunctionTool) {
  const text = JSON.stringify({ name, description, parameters });
  return Math.round(text.length / CHARACTERS_PER_TOKEN);
}

function inputSchema(toolName: string, parameters: JsonSchema): JSONSchema7 {
  const type = parameters.type ?? "object";
  if (type !== "object") throw new InvalidToolSchemaError(toolName, type);
  return { ...plainObjectSchema(withoutReferences(parameters)), type };
}
