import type { JsonSchema } from "@openclaw/plugin-sdk/config-schema";

const ANYTHING: JsonSchema = { type: "object", additionalProperties: true };

/**
 * The JSON Schema of a schema that can say itself as one, as those of Zod 4 can; else one that accepts
 * every object.
 * @param schema - of any library
 */
export function jsonSchemaOf(schema: object): JsonSchema {
  if (!("toJSONSchema" in schema) || typeof schema.toJSONSchema !== "function") return ANYTHING;
  const said: unknown = schema.toJSONSchema({ target: "draft-07", unrepresentable: "any" });
  return typeof said === "object" && said !== null ? { ...said } : ANYTHING;
}
