import type { IncomingMessage } from "node:http";

/** Fields of a request. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the fields of a request, of JSON or of a form.
 * @param request - the request
 * @param body - its body
 */
export async function fieldsOf({ headers }: IncomingMessage, body: Buffer): Promise<Fields> {
  const { "content-type": type = "" } = headers;
  if (body.length === 0) return {};
  if (type.startsWith("application/json")) return JSON.parse(body.toString()) as Fields;
  const form = await new Response(new Uint8Array(body), {
    headers: { "content-type": type },
  }).formData();
  return Object.fromEntries(form);
}

/**
 * Returns a field as JSON; those of a form are JSON in strings.
 * @param value - value of the field
 */
export function json(value: unknown): unknown {
  return typeof value === "string" ? JSON.parse(value) : value;
}
