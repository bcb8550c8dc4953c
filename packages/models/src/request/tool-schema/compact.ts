import { withSubSchemas } from "@openclaw/foundation";
import type { JsonSchema } from "@openclaw/plugin-sdk/tools";

/** Keywords for programs, which tell a model nothing. */
const FOR_PROGRAMS = new Set(["$schema", "$id", "$comment"]);

/**
 * Returns a schema without what costs tokens in every request and does not help a model (LLM-461): annotations of the host,
 * the ban of further properties, a minimum of 1, and properties of any name and value. Properties of any name
 * are written with the shorter keyword, which more providers know. The host checks calls with the complete schema.
 * @param schema - schema of the arguments of a tool
 */
export function compactSchema({ patternProperties: patterns, ...schema }: JsonSchema): JsonSchema {
  const useful = Object.entries(schema).filter(([keyword, value]) => !isUseless(keyword, value));
  const named = namesOf(patterns, schema.additionalProperties);
  return withSubSchemas({ ...Object.fromEntries(useful), ...named }, compactSchema);
}

/** Returns the keyword for properties by pattern; a pattern of every name has a shorter one. */
function namesOf(patterns: unknown, others: unknown): JsonSchema {
  if (patterns === undefined || JSON.stringify(patterns) === '{"^.*$":{}}') return {};
  const isClosed = others === undefined || others === false;
  const isOfAll = typeof patterns === "object" && patterns !== null && isClosed;
  const [only, ...more] = isOfAll ? Object.entries(patterns) : [];
  if (only?.[0] !== "^.*$" || more.length > 0) return { patternProperties: patterns };
  return { additionalProperties: only[1] };
}

function isUseless(keyword: string, value: unknown): boolean {
  return (
    keyword.startsWith("x-") ||
    FOR_PROGRAMS.has(keyword) ||
    (keyword === "additionalProperties" && value === false) ||
    ((keyword === "minLength" || keyword === "minimum") && value === 1) ||
    (keyword === "required" && Array.isArray(value) && value.length === 0)
  );
}
