import { textOfHeader } from "@openclaw/foundation";
import type { Context } from "hono";

/**
 * Returns the text of a header, in any spelling that clients use for text outside ASCII.
 * @param context - context of the request
 * @param name - name of the header
 * @returns undefined when the request does not have the header
 */
export function requestHeader(context: Context, name: string): string | undefined {
  const value = context.req.header(name);
  return value === undefined ? undefined : textOfHeader(value);
}
