import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { ModelResponseFormat } from "./request.js";

/** The libraries of the OpenAI API request strict schemas unless these options say otherwise. */
const NOT_STRICT: SharedV4ProviderOptions = {
  openai: { strictJsonSchema: false },
  openaiCompatible: { strictJsonSchema: false },
};

/**
 * Returns the options for a reply in JSON: none for a schema that OpenAI can follow strictly, and otherwise those that
 * turn the strict mode off, because OpenAI rejects a strict request with an object that allows or omits properties.
 * @param format - requested format
 */
export function structuredOutputOptions(
  format: ModelResponseFormat | undefined,
): SharedV4ProviderOptions | undefined {
  if (format?.type !== "json" || format.schema === undefined) return undefined;
  return isStrict(format.schema) ? undefined : NOT_STRICT;
}

/** Returns true when each object in a schema forbids further properties and requires those that it has. */
function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (typeof schema !== "object" || schema === null) return true;
  const { type, properties, required, additionalProperties } = fieldsOf(schema);
  if (type === "object" || properties !== undefined) {
    const names = Object.keys(Object(properties));
    const needed: readonly unknown[] = Array.isArray(required) ? required : [];
    if (additionalProperties !== false || !names.every((name) => needed.includes(name))) {
      return false;
    }
  }
  return Object.entries(schema).every(([key, inner]) => key === "enum" || isStrict(inner));
}

function fieldsOf(schema: object): Readonly<Record<string, unknown>> {
  return { ...schema };
}
