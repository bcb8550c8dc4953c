import { withSubSchemas } from "@openclaw/foundation";
import type { JsonSchema } from "@openclaw/plugin-sdk/tools";

/** Keywords for programs, which tell a model nothing. */
const FOR_PROGRAMS = new Set(["$schema", "$id", "$comment"]);

/**
 * Returns a schema without what costs tokens in every request and does not help a model (LLM-461): annotations of the host,
 * the ban of further properties, a minimum of 1, and properties of any name and
 * value. The host checks calls with the complete schema.
 * @param schema - schema of the arguments of a tool
 */
export function compactSchema(schema: JsonSchema): JsonSchema {
  const useful = Object.entries(schema).filter(([keyword, value]) => !isUseless(keyword, value));
  return withSubSchemas(Object.fromEntries(useful), compactSchema);
}

function isUseless(keyword: string, value: unknown): boolean {
  return (
    keyword.startsWith("x-") ||
    FOR_PROGRAMS.has(keyword) ||
    (keyword === "additionalProperties" && value === false) ||
    ((keyword === "minLength" || keyword === "minimum") && value === 1) ||
    (keyword === "patternProperties" && allowsAnything(value)) ||
    (keyword === "required" && Array.isArray(value) && value.length === 0)
  );
}

function allowsAnything(patterns: unknown): boolean {
  return JSON.stringify(patterns) === '{"^.*$":{}}';
}
