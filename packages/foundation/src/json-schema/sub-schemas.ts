/** A JSON Schema (draft 2020-12 or earlier) that is an object; `true` and `false` are schemas without keywords. */
export interface ObjectSchema {
  readonly [keyword: string]: unknown;
}

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
 * Returns the place of sub-schemas in the value of a keyword; undefined for a keyword whose value is data.
 * @param keyword - keyword of JSON Schema
 */
export function subSchemaKind(keyword: string): "one" | "list" | "named" | undefined {
  if (ONE.has(keyword)) return "one";
  if (LIST.has(keyword)) return "list";
  return NAMED.has(keyword) ? "named" : undefined;
}

/**
 * Returns a schema whose direct sub-schemas are replaced. Values that are data, as those of `enum`, stay.
 * @param schema - JSON Schema
 * @param replace - returns what stands for a sub-schema
 */
export function withSubSchemas(
  schema: ObjectSchema,
  replace: (sub: ObjectSchema) => ObjectSchema,
): ObjectSchema {
  const replaced = (value: unknown) => (isSchema(value) ? replace(value) : value);
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    const kind = subSchemaKind(keyword);
    if ((kind === "one" || kind === "list") && Array.isArray(value)) {
      return [keyword, value.map(replaced)];
    }
    if (kind === "one") return [keyword, replaced(value)];
    if (kind !== "named" || !isSchema(value)) return [keyword, value];
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
export function isSchema(value: unknown): value is ObjectSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
