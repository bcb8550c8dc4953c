import type { JsonSchema } from "@openclaw/plugin-sdk/config-schema";

const ANYTHING: JsonSchema = { type: "object", additionalProperties: true };

/**
 * Returns the JSON Schema of a schema with a `toJSONSchema` method, such as those of Zod 4. For other schemas
 * it returns one that accepts every object.
 * @param schema - schema of any library
 */
export function jsonSchemaOf(schema: object): JsonSchema {
  if (!("toJSONSchema" in schema) || typeof schema.toJSONSchema !== "function") return ANYTHING;
  const converted: unknown = schema.toJSONSchema({ target: "draft-07", unrepresentable: "any" });
  return typeof converted === "object" && converted !== null ? { ...converted } : ANYTHING;
}
