import { errorMessage, waitUnlessAborted } from "@openclaw/foundation";
import { asObjectSchema } from "@openclaw/models";
import type {
  AnyAgentTool,
  JsonSchema,
  StandardJsonSchema,
  StandardSchema,
} from "@openclaw/plugin-sdk/tools";
import { KnownSchemas } from "./known-schemas.js";
import { checkParameters, type SchemaProblem, schemaProblem } from "./parameters.js";
import type { ToolEntry } from "./tool-entry.js";

const MAXIMUM_ISSUES = 5;
const DEADLINE_MS = 5000;

/** Arguments that may be used, or what is wrong with them. */
export type CheckedArguments =
  | {
      valid: true;
      /** Arguments from the model or a hook, as hooks, approvals and the transcript see them (SDK-010). */
      params: Record<string, unknown>;
      /**
       * Arguments that the tool receives, after the transforms of its schema; the same object as `params`
       * without transforms. Only the tool knows the type; registries treat it as a record.
       */
      parsed: Record<string, unknown>;
    }
  | { valid: false; issues: readonly string[] };

/** Arguments that policy and schema allow. */
export type AdmittedArguments = Omit<Extract<CheckedArguments, { valid: true }>, "valid">;

/** Cache of converted schemas, so that every turn uses the same object, compiled once. */
const converted = new WeakMap<object, unknown>();
const knownSchemas = new KnownSchemas();

/**
 * Returns the JSON Schema of a tool's arguments, which is sent to models (SDK-009).
 * @param tool - tool whose `parameters` are JSON Schema, or a Standard Schema that can be converted to it
 * @returns the schema, or the reason why the tool has no usable schema
 */
export function describeArguments({
  parameters,
  jsonSchema,
}: Pick<AnyAgentTool, "parameters" | "jsonSchema">): { schema: JsonSchema } | SchemaProblem {
  const schema = isStandardSchema(parameters) ? (jsonSchema ?? convert(parameters)) : parameters;
  if (schema instanceof Error) return { code: "TOOL_SCHEMA_INVALID", message: schema.message };
  const object = isRecord(schema) ? asObjectSchema(knownSchemas.first(schema)) : schema;
  // A schema without a problem is an object; the types of TypeBox schemas do not express that.
  return schemaProblem(object) ?? { schema: object as JsonSchema };
}

/**
 * Checks a call's arguments against the tool's JSON Schema or Standard Schema, which may transform them
 * (SDK-010, TURN-032).
 * @param entry - the tool
 * @param params - plain JSON
 * @param signal - aborts the wait for an asynchronous schema, in addition to a deadline of 5 seconds
 * @throws the signal's reason, and errors thrown by a Standard Schema
 */
export async function checkArguments(
  { tool, parameters }: Pick<ToolEntry, "tool" | "parameters">,
  params: unknown,
  signal: AbortSignal,
): Promise<CheckedArguments> {
  if (!isStandardSchema(tool.parameters)) {
    const checked = checkParameters(parameters, params);
    return checked.valid ? { ...checked, parsed: checked.params } : checked;
  }
  if (!isRecord(params)) return { valid: false, issues: ["arguments must be object"] };
  const result = await validate(tool.parameters, params, signal);
  if (!isRecord(result)) throw new Error("its Standard Schema gave no result");
  if (result.issues === undefined) {
    return { valid: true, params, parsed: result.value as Record<string, unknown> };
  }
  const issues = Array.isArray(result.issues) ? result.issues : [];
  return { valid: false, issues: [...new Set(issues.map(describeIssue))].slice(0, MAXIMUM_ISSUES) };
}

function validate(schema: StandardSchema, params: object, signal: AbortSignal): unknown {
  // A copy, since a schema may change its input.
  const answer = schema["~standard"].validate(structuredClone(params));
  if (!(answer instanceof Promise)) return answer;
  const late = AbortSignal.timeout(DEADLINE_MS);
  return waitUnlessAborted(AbortSignal.any([signal, late]), () => answer);
}

/** Returns the converted schema; throws an error with the reason when there is none. */
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
      `parameters are a Standard Schema of ${vendor} that cannot be converted to JSON Schema; give the tool a jsonSchema as well`,
    );
  }
  try {
    return schema["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  } catch (error) {
    return new Error(`parameters of ${vendor} have no JSON Schema: ${errorMessage(error)}`);
  }
}

function isStandardSchema(value: unknown): value is StandardSchema {
  // Schemas of ArkType are functions.
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  if (!("~standard" in value)) return false;
  const standard = value["~standard"];
  return isRecord(standard) && typeof standard.validate === "function";
}

function isConvertible(schema: StandardSchema): schema is StandardJsonSchema {
  const standard: object = schema["~standard"];
  return (
    "jsonSchema" in standard &&
    isRecord(standard.jsonSchema) &&
    typeof standard.jsonSchema.input === "function"
  );
}

function describeIssue(issue: unknown): string {
  const { path, message } = isRecord(issue) ? issue : {};
  const keys = (Array.isArray(path) ? path : []).map((part) =>
    String(isRecord(part) ? part.key : part),
  );
  const place = keys.length === 0 ? "arguments" : `/${keys.join("/")}`;
  return `${place} ${typeof message === "string" ? message : "is invalid"}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
