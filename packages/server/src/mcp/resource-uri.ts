/** Beginning of the URIs of transcripts and of documents. */
const SESSION = "openclaw://session/";
const MEMORY = "openclaw://memory/";

/** Templates of the URIs. */
export const URI_TEMPLATES = {
  session: `${SESSION}{sessionKey}`,
  memory: `${MEMORY}{+path}`,
} as const;

/** Resource that a URI names. */
export type NamedResource =
  | { readonly kind: "session"; readonly sessionKey: string }
  | { readonly kind: "memory"; readonly path: string };

/**
 * Returns the URI of the transcript of a session.
 * @param sessionKey - full key
 */
export function sessionUri(sessionKey: string): string {
  return SESSION + encodeURIComponent(sessionKey);
}

/**
 * Returns the URI of a document of the memory.
 * @param path - path of the document
 */
export function memoryUri(path: string): string {
  return MEMORY + path.split("/").map(encodeURIComponent).join("/");
}

/**
 * Reads a URI from a client.
 * @returns undefined for one that names nothing here
 */
export function namedResource(uri: string): NamedResource | undefined {
  try {
    if (uri.startsWith(SESSION)) {
      const sessionKey = decodeURIComponent(uri.slice(SESSION.length));
      return sessionKey === "" ? undefined : { kind: "session", sessionKey };
    }
    if (uri.startsWith(MEMORY)) {
      const path = decodeURIComponent(uri.slice(MEMORY.length));
      return path === "" ? undefined : { kind: "memory", path };
    }
  } catch {
    // The URI has an escape that is not one of UTF-8.
  }
  return undefined;
}
