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

/**
 * Returns the reason why a schema cannot be compiled, for what only the compiler knows; undefined when it can.
 * @param schema - JSON Schema of an object
 */
export function compileProblem(schema: JsonSchema): string | undefined {
  try {
    validatorOf(schema);
    return undefined;
  } catch (error) {
    return `parameters cannot be compiled: ${errorMessage(error)}`;
  }
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
