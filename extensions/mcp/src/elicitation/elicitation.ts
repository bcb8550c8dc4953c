import type { ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client";
import { startOfText } from "@openclaw/plugin-sdk/kit";
import type { InputRequest, InputSchema, JsonObject } from "@openclaw/plugin-sdk/tools";

/** Answer to an elicitation. */
export type Answer = Pick<ElicitResult, "action" | "content">;

/** Longest sentence for a person, in characters. */
const MAXIMUM_MESSAGE = 512;

/**
 * Returns an elicitation as a request for input: the fields of a form, or a page to open, which has none.
 * @param params - parameters of the elicitation
 * @returns undefined for a page that is not on the web, which a browser must not open
 */
export function inputRequestOf(
  server: string,
  params: ElicitRequestParams,
): InputRequest | undefined {
  const asked = params.message.replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ").trim();
  const message = startOfText(`MCP server ${server} asks: ${asked}`, MAXIMUM_MESSAGE);
  if (params.mode !== "url") {
    // The host reads the schema, and refuses one that it cannot use.
    return { message, schema: params.requestedSchema as unknown as InputSchema };
  }
  const url = URL.parse(params.url);
  if (url === null || !["http:", "https:"].includes(url.protocol)) return undefined;
  // The person sees where the page leads, in the spelling of a browser.
  return { message, schema: { type: "object", properties: {} }, url: url.href };
}

/**
 * Returns the answer of a person who gave the input.
 * @param params - parameters of the elicitation
 * @param content - values of the form
 */
export function acceptance(params: Pick<ElicitRequestParams, "mode">, content: JsonObject): Answer {
  if (params.mode === "url") return { action: "accept" };
  // The values fit the schema of the server, whose fields have no other types.
  return { action: "accept", content: content as NonNullable<Answer["content"]> };
}
