import type { SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";

/** Name under which a provider gives and receives the data by which it continues after a reply (LLM-007). */
export const CONTINUATION = "continuation";

/**
 * Returns metadata of a provider as JSON, for the transcript; undefined when there is none.
 * @param metadata - data of a part or of a reply
 */
export function providerData(metadata: object | undefined): JsonObject | undefined {
  if (metadata === undefined || Object.keys(metadata).length === 0) return undefined;
  const data: JsonObject = JSON.parse(JSON.stringify(metadata));
  return data;
}

/**
 * Returns data of the transcript as the options of a part that is sent back; other values are left out.
 * @param data - data as stored
 */
export function providerOptions(
  data: JsonObject | undefined,
): SharedV4ProviderMetadata | undefined {
  if (data === undefined) return undefined;
  const options: SharedV4ProviderMetadata = {};
  for (const [name, value] of Object.entries(data)) {
    if (isObject(value)) options[name] = value;
  }
  return options;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
