import type { LoopbackRequest } from "../../loopback-server.js";
import { badRequest } from "./refusal.js";
import { parsed } from "./rules.js";

/** Fields of a request. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the fields of a request, of JSON, of a form or of the URL.
 * @throws TelegramRefusal
 */
export async function fieldsOf({ headers, path, body }: LoopbackRequest) {
  const { "content-type": type = "" } = headers;
  const query = Object.fromEntries(new URL(path, "http://telegram").searchParams);
  if (body.length === 0) return query;
  if (type.startsWith("application/json")) return { ...query, ...objectOf(body.toString()) };
  try {
    const form = await new Response(new Uint8Array(body), {
      headers: { "content-type": type },
    }).formData();
    return { ...query, ...Object.fromEntries(form) };
  } catch {
    throw badRequest("can't parse the request");
  }
}

/**
 * Returns a field as JSON; those of a form are JSON in strings.
 * @param value - value of the field
 * @throws TelegramRefusal
 */
export function json(value: unknown): unknown {
  return typeof value === "string" ? parsed(value) : value;
}

function objectOf(text: string): Fields {
  const value = parsed(text);
  if (typeof value === "object" && value !== null) return { ...value };
  throw badRequest("can't parse JSON object");
}
