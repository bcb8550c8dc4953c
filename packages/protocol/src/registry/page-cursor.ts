import { InvalidRequestError } from "./errors.js";

/** Position of an entry in a list that is ordered by a time, and by an ID within it. */
export interface PagePosition {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly id: string;
}

/**
 * Returns the position after an entry as text, for the `nextCursor` of a page.
 * @param position - position of the last entry of the page
 */
export function writePageCursor({ at, id }: PagePosition): string {
  return Buffer.from(JSON.stringify([at, id])).toString("base64url");
}

/**
 * Reads the position that a call continues after.
 * @param method - method of the call
 * @param cursor - text from {@link writePageCursor}
 * @throws InvalidRequestError when the text is not a position
 */
export function readPageCursor(method: string, cursor: string): PagePosition {
  const value = parsed(Buffer.from(cursor, "base64url").toString());
  if (Array.isArray(value)) {
    const [at, id]: unknown[] = value;
    if (Number.isSafeInteger(at) && typeof id === "string") return { at: Number(at), id };
  }
  const message = "must be the nextCursor of an earlier page";
  throw new InvalidRequestError(method, [{ path: "/cursor", message }]);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
