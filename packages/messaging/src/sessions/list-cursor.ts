import { InvalidRequestError } from "@openclaw/protocol/registry";
import type { SessionCursor } from "@openclaw/store";

/**
 * Returns the position after a session in the list, as text.
 * @param last - last session of a page
 */
export function writeSessionCursor({ updatedAt, sessionKey }: SessionCursor): string {
  return Buffer.from(JSON.stringify([updatedAt, sessionKey])).toString("base64url");
}

/**
 * Reads a position in the list of sessions.
 * @param cursor - text from {@link writeSessionCursor}
 * @throws InvalidRequestError when the text is not a position
 */
export function readSessionCursor(cursor: string): SessionCursor {
  const value = parsed(Buffer.from(cursor, "base64url").toString());
  if (Array.isArray(value)) {
    const [updatedAt, sessionKey]: unknown[] = value;
    if (Number.isSafeInteger(updatedAt) && typeof sessionKey === "string") {
      return { updatedAt: Number(updatedAt), sessionKey };
    }
  }
  const message = "must be the nextCursor of an earlier page";
  throw new InvalidRequestError("sessions.list", [{ path: "/cursor", message }]);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
