import type { JsonSchema, JsonValue } from "@openclaw/plugin-sdk/tools";
import { Compile, type Validator } from "typebox/compile";

const MAXIMUM_ISSUES = 5;
const validators = new WeakMap<object, Validator>();

/** Arguments that fit their schema, or what is wrong with them. */
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
  const validator = validators.get(schema) ?? compile(schema);
  if (isObject(params) && validator.Check(params)) return { valid: true, params };
  const issues = new Set<string>();
  for (const error of validator.Errors(params)) {
    if (error.keyword === "boolean") continue;
    const path = error.instancePath === "" ? "arguments" : error.instancePath;
    issues.add(`${path} ${error.message}${unexpected(error.params)}`);
    if (issues.size === MAXIMUM_ISSUES) break;
  }
  if (issues.size === 0) issues.add("arguments must be an object");
  return { valid: false, issues: [...issues] };
}

/**
 * Why a schema cannot describe a tool's arguments; undefined when it can (TURN-015).
 * @param schema - what the tool gave as `parameters`
 */
export function schemaProblem(schema: unknown): string | undefined {
  if (!isObject(schema)) return "parameters must be a JSON Schema object";
  if (schema.type !== "object") return 'parameters must have type "object"';
  const { properties = {}, required = [] } = schema;
  if (!isObject(properties) || !Array.isArray(required)) {
    return "parameters must have properties as an object and required as a list";
  }
  const missing = required.find((name) => !Object.hasOwn(properties, name));
  return missing === undefined
    ? undefined
    : `parameters require "${String(missing)}", which is not among their properties`;
}

function compile(schema: JsonSchema): Validator {
  const validator = Compile(schema);
  validators.set(schema, validator);
  return validator;
}

function unexpected(params: object): string {
  const { additionalProperties } = params as { additionalProperties?: JsonValue };
  return Array.isArray(additionalProperties) ? `: ${additionalProperties.join(", ")}` : "";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
