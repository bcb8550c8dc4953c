import {
  asObjectSchema,
  describeValue,
  errorMessage,
  isSchema,
  schemaFault,
} from "@openclaw/foundation";
import type {
  AnyAgentTool,
  JsonSchema,
  StandardJsonSchema,
  StandardSchema,
} from "@openclaw/plugin-sdk/tools";
import { KnownSchemas } from "./known-schemas.js";

/** Reason why a schema cannot describe a tool's arguments. */
export interface ToolSchemaProblem {
  readonly code: "TOOL_SCHEMA_INVALID" | "TOOL_PARAM_CONFLICT";
  /** Starts with `parameters`, and says what is wrong and where. */
  readonly message: string;
  /** Next step of the plugin's author. */
  readonly hint: string;
}

/** Cache of converted schemas, so that every turn uses the same object, compiled once. */
const converted = new WeakMap<object, unknown>();
const knownSchemas = new KnownSchemas();
/** Result by schema, because a tool is described when it is registered and in every turn. */
const described = new WeakMap<object, DescribedArguments>();

/** Schema of a tool's arguments, or the reason why there is none. */
export type DescribedArguments = { readonly schema: JsonSchema } | ToolSchemaProblem;

/**
 * Returns the JSON Schema of a tool's arguments, which is sent to models (SDK-009, TURN-015).
 * @param tool - tool whose `parameters` are JSON Schema, or a Standard Schema that can be converted to it
 * @returns the schema, or the reason why the tool has no usable schema
 */
export function describeArguments({
  parameters,
  jsonSchema,
}: Pick<AnyAgentTool, "parameters" | "jsonSchema">): DescribedArguments {
  const schema = isStandardSchema(parameters) ? (jsonSchema ?? convert(parameters)) : parameters;
  if (schema instanceof Error) {
    return invalid(schema.message, "give the tool a jsonSchema in addition to its parameters");
  }
  if (!isSchema(schema)) return describe(schema);
  const known = described.get(schema) ?? describe(schema);
  described.set(schema, known);
  return known;
}

/**
 * Returns true for a Standard Schema, as opposed to plain JSON Schema.
 * @param value - `parameters` of a tool
 */
export function isStandardSchema(value: unknown): value is StandardSchema {
  // Schemas of ArkType are functions.
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  if (!("~standard" in value)) return false;
  const standard = value["~standard"];
  return isSchema(standard) && typeof standard.validate === "function";
}

function describe(schema: unknown): DescribedArguments {
  const fault = schemaFault(schema);
  if (fault !== undefined || !isSchema(schema)) {
    const { place, problem } = fault ?? { place: "", problem: "expected a schema" };
    const where = place === "" ? "" : ` at ${place}`;
    return invalid(`parameters are not a JSON Schema${where}: ${problem}`, "correct the schema");
  }
  const object = asObjectSchema(knownSchemas.first(schema));
  return objectProblem(object) ?? { schema: object };
}

function objectProblem({ type, properties = {}, required }: JsonSchema) {
  if (type !== "object") {
    const message = `parameters must have type "object", got ${describeValue(type)}`;
    return invalid(message, "describe the arguments of the tool in properties of one object");
  }
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  const missing = names.filter((name) => !Object.hasOwn(Object(properties), String(name)));
  if (missing.length === 0) return undefined;
  const quoted = missing.map((name) => `"${String(name)}"`).join(", ");
  return {
    code: "TOOL_PARAM_CONFLICT",
    message: `parameters require ${quoted}, which they do not describe`,
    hint: `describe ${quoted} in properties, or remove it from required`,
  } satisfies ToolSchemaProblem;
}

function invalid(message: string, hint: string): ToolSchemaProblem {
  return { code: "TOOL_SCHEMA_INVALID", message, hint };
}

/** Returns the converted schema, or an error with the reason when there is none. */
function convert(schema: StandardSchema): unknown {
  if (converted.has(schema)) return converted.get(schema);
  const made = convertOnce(schema);
  converted.set(schema, made);
  return made;
}

function convertOnce(schema: StandardSchema): unknown {
  const { vendor } = schema["~standard"];
  if (!isConvertible(schema)) {
    return new Error(
      `parameters are a Standard Schema of ${vendor} that cannot be converted to JSON Schema`,
    );
  }
  try {
    return schema["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  } catch (error) {
    return new Error(`parameters of ${vendor} have no JSON Schema: ${errorMessage(error)}`);
  }
}

function isConvertible(schema: StandardSchema): schema is StandardJsonSchema {
  const standard: object = schema["~standard"];
  return (
    "jsonSchema" in standard &&
    isSchema(standard.jsonSchema) &&
    typeof standard.jsonSchema.input === "function"
  );
}
