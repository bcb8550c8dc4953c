import { errorMessage, waitUnlessAborted } from "@openclaw/foundation";
import type {
  AnyAgentTool,
  JsonSchema,
  StandardJsonSchema,
  StandardSchema,
} from "@openclaw/plugin-sdk/tools";
import { checkParameters, type SchemaProblem, schemaProblem } from "./parameters.js";
import type { ToolEntry } from "./tool-entry.js";

const MAXIMUM_ISSUES = 5;
const DEADLINE_MS = 5000;

/** Arguments that may be used, or what is wrong with them. */
export type CheckedArguments =
  | {
      valid: true;
      /** As a model or a hook gave them: what hooks, approvals and the transcript see (SDK-010). */
      params: Record<string, unknown>;
      /**
       * What the tool's schema made of them: what the tool itself gets. Its type is known to the tool
       * alone, and a registry of tools takes it for a record. The same object without transforms.
       */
      parsed: Record<string, unknown>;
    }
  | { valid: false; issues: readonly string[] };

/** Arguments that policy and schema let through. */
export type AdmittedArguments = Omit<Extract<CheckedArguments, { valid: true }>, "valid">;

/** What converters made of schemas, so that every turn has the same object, compiled once. */
const converted = new WeakMap<object, unknown>();

/**
 * The JSON Schema of a tool's arguments, which models are shown (SDK-009).
 * @param tool - its `parameters` are JSON Schema, or a Standard Schema that can say itself as such
 * @returns the schema, or why the tool has none that can be used
 */
export function describeArguments({
  parameters,
  jsonSchema,
}: Pick<AnyAgentTool, "parameters" | "jsonSchema">): { schema: JsonSchema } | SchemaProblem {
  const schema = isStandardSchema(parameters) ? (jsonSchema ?? convert(parameters)) : parameters;
  if (schema instanceof Error) return { code: "TOOL_SCHEMA_INVALID", message: schema.message };
  // What has no problem is an object, and so are the schemas of TypeBox, whose types do not say it.
  return schemaProblem(schema) ?? { schema: schema as JsonSchema };
}

/**
 * Checks a call's arguments: against the tool's JSON Schema, or by its Standard Schema, which may make
 * something else of them (SDK-010, TURN-032).
 * @param entry - the tool
 * @param params - plain JSON
 * @param signal - aborts the wait for a schema that takes its time, as a deadline of 5 seconds does
 * @throws the signal's reason, and whatever a Standard Schema throws in place of an answer
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
  // A copy, since a schema may work on what it is given.
  const answer = schema["~standard"].validate(structuredClone(params));
  if (!(answer instanceof Promise)) return answer;
  const late = AbortSignal.timeout(DEADLINE_MS);
  return waitUnlessAborted(AbortSignal.any([signal, late]), () => answer);
}

/** The schema as the converter made it; an error says why there is none. */
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
      `parameters are a Standard Schema of ${vendor} that cannot say itself as JSON Schema; give the tool a jsonSchema beside them`,
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
  return `${place} ${typeof message === "string" ? message : "are refused"}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
