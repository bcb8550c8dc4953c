import { emptyPluginConfigSchema } from "@openclaw/plugin-sdk/plugin-entry";
import type { JsonSchema } from "@openclaw/plugin-sdk/tools";

/**
 * Returns the `configSchema` that a plugin's module exports, as a manifest can hold it: JSON Schema,
 * TypeBox, or a Standard Schema that has a JSON form. Undefined for a plugin that exports none, for the
 * empty schema that the SDK fills in, and for a schema without a JSON form.
 * @param exported - the module's `configSchema`
 */
export function manifestSchemaOf(exported: unknown): JsonSchema | undefined {
  if (exported === emptyPluginConfigSchema() || !isRecord(exported)) return undefined;
  const described = isRecord(exported["~standard"])
    ? standardForm(exported["~standard"])
    : exported;
  if (!isRecord(described) || described.type !== "object") return undefined;
  // TypeBox adds its own properties to the keywords; they are not part of the document.
  const document: unknown = JSON.parse(JSON.stringify(described));
  return isRecord(document) ? document : undefined;
}

function standardForm({ jsonSchema }: Record<string, unknown>): unknown {
  if (!isRecord(jsonSchema) || typeof jsonSchema.input !== "function") return undefined;
  return jsonSchema.input({ target: "draft-2020-12" });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
