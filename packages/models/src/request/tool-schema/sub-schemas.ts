import type { JsonSchema } from "@openclaw/plugin-sdk/tools";

/** Keywords whose value is a schema, or in `items` of older drafts a list of them. */
const ONE = new Set([
  ...["items", "additionalItems", "additionalProperties", "unevaluatedItems"],
  ...["unevaluatedProperties", "propertyNames", "contains", "not", "if", "then", "else"],
]);
/** Keywords whose value is a list of schemas. */
const LIST = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
/** Keywords whose value has a schema for each name. */
const NAMED = new Set([
  ...["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"],
]);

/**
 * Returns a schema whose direct sub-schemas are replaced. Values that are data, as those of `enum`, stay.
 * @param schema - JSON Schema
 * @param replace - returns what stands for a sub-schema
 */
export function withSubSchemas(
  schema: JsonSchema,
  replace: (sub: JsonSchema) => JsonSchema,
): JsonSchema {
  const replaced = (value: unknown) => (isSchema(value) ? replace(value) : value);
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if ((ONE.has(keyword) || LIST.has(keyword)) && Array.isArray(value)) {
      return [keyword, value.map(replaced)];
    }
    if (ONE.has(keyword)) return [keyword, replaced(value)];
    if (!NAMED.has(keyword) || !isSchema(value)) return [keyword, value];
    const named = Object.entries(value).map(([name, sub]): [string, unknown] => [
      name,
      replaced(sub),
    ]);
    return [keyword, Object.fromEntries(named)];
  });
  return Object.fromEntries(entries);
}

/**
 * Returns true for a schema that is an object; `true` and `false` are schemas without keywords.
 * @param value - part of a schema
 */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
