import type { ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client";
import { type FormSchema, fieldsText } from "./form.js";

/** Elicitation of a server for a person: answers to fields, or a page to open. */
export type Elicitation =
  | { readonly mode: "form"; readonly message: string; readonly schema: FormSchema }
  | { readonly mode: "url"; readonly message: string; readonly url: string };

/** Answer to an elicitation. */
export type Answer = Pick<ElicitResult, "action" | "content">;

/** Longest description of a request for approval. */
const MAXIMUM_TEXT = 512;

/**
 * Returns an elicitation as it was asked.
 * @param params - parameters of an elicitation
 * @returns undefined for a page that is not on the web, which a browser must not open
 */
export function elicitationOf(params: ElicitRequestParams): Elicitation | undefined {
  const { message } = params;
  if (params.mode !== "url") return { mode: "form", message, schema: params.requestedSchema };
  const url = URL.parse(params.url);
  const isWeb = url !== null && ["http:", "https:"].includes(url.protocol);
  // The person sees where the page leads, in the spelling of a browser.
  return isWeb ? { mode: "url", message, url: url.href } : undefined;
}

/**
 * Returns the text of an elicitation for the person.
 * @param elicitation - the elicitation
 * @param code - code with which it is answered
 */
export function elicitationText(elicitation: Elicitation, code: string): string {
  const message = elicitation.message.replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ").trim();
  const rest =
    elicitation.mode === "url"
      ? `Page: ${elicitation.url} Allow once you want to open it, or deny.`
      : `Fields: ${fieldsText(elicitation.schema)}. Answer with: /mcp answer ${code} FIELD=VALUE … Deny to decline.`;
  const room = Math.max(0, MAXIMUM_TEXT - rest.length - 1);
  return `${message.slice(0, room)} ${rest}`.slice(0, MAXIMUM_TEXT).trim();
}
