import { errorMessage } from "@openclaw/foundation";
import type { JsonSchema, JsonValue } from "@openclaw/plugin-sdk/tools";
import { Compile, type Validator } from "typebox/compile";

const MAXIMUM_ISSUES = 5;
const validators = new WeakMap<object, Validator>();

/** Valid arguments, or the issues found in them. */
export type CheckedParameters =
  | { valid: true; params: Record<string, unknown> }
  | { valid: false; issues: readonly string[] };

/**
 * Checks a call's arguments against its tool's schema (TURN-032).
 * @param schema - JSON Schema of an object; compiled once per schema object
 * @param params - as a model or a hook gave them
 * @returns at most five issues, each `<path> <message>`
 */
export function checkParameters(schema: JsonSchema, params: unknown): CheckedParameters {
  const validator = validatorOf(schema);
  if (isObject(params) && validator.Check(params)) return { valid: true, params };
  const issues = new Set<string>();
  for (const error of validator.Errors(params)) {
    if (isUnexpected(error)) continue;
    const path = error.instancePath === "" ? "arguments" : error.instancePath;
    issues.add(`${path} ${error.message}${unexpected(error.params)}`);
    if (issues.size === MAXIMUM_ISSUES) break;
  }
  return { valid: false, issues: [...issues] };
}

/** Reason why a schema cannot describe a tool's arguments. */
export interface SchemaProblem {
  readonly code: "TOOL_SCHEMA_INVALID" | "TOOL_PARAM_CONFLICT";
  readonly message: string;
}

/**
 * Checks that a schema can describe a tool's arguments (TURN-015).
 * @param schema - value of the tool's `parameters`
 * @returns the problem; undefined when there is none
 */
export function schemaProblem(schema: unknown): SchemaProblem | undefined {
  if (!isObject(schema)) return invalid("parameters must be a JSON Schema object");
  if (schema.type !== "object") return invalid('parameters must have type "object"');
  const { properties = {}, required = [] } = schema;
  if (!isObject(properties) || !Array.isArray(required)) {
    return invalid("parameters must have properties as an object and required as a list");
  }
  const missing = required.find((name) => !Object.hasOwn(properties, name));
  if (missing !== undefined) {
    const message = `parameters require "${String(missing)}", which is not among their properties`;
    return { code: "TOOL_PARAM_CONFLICT", message };
  }
  try {
    validatorOf(schema);
    return undefined;
  } catch (error) {
    return invalid(`parameters cannot be compiled: ${errorMessage(error)}`);
  }
}

function invalid(message: string): SchemaProblem {
  return { code: "TOOL_SCHEMA_INVALID", message };
}

function validatorOf(schema: JsonSchema): Validator {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const validator = Compile(schema);
  validators.set(schema, validator);
  return validator;
}

/**
 * Returns true for the error of a single unexpected argument, which the error of the enclosing object
 * already lists.
 */
function isUnexpected({ keyword, schemaPath }: { keyword: string; schemaPath: string }): boolean {
  return keyword === "boolean" && schemaPath.endsWith("/additionalProperties");
}

function unexpected(params: object): string {
  const { additionalProperties } = params as { additionalProperties?: JsonValue };
  return Array.isArray(additionalProperties) ? `: ${additionalProperties.join(", ")}` : "";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
