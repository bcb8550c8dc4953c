const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Headers that describe a body; a redirected GET has none. */
const BODY_HEADERS = ["content-encoding", "content-language", "content-location", "content-type"];
/** Headers that identify the caller to the first host and must not reach another origin. */
const CREDENTIAL_HEADERS = ["authorization", "cookie", "proxy-authorization"];

/** One request of a chain of redirects. */
export interface NetworkHop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: Uint8Array<ArrayBuffer> | undefined;
}

/**
 * Returns the URL that a response redirects to, as written.
 * @param response - status and headers
 * @returns undefined for a response that is not a redirect
 */
export function redirectLocation(
  response: Pick<Response, "status" | "headers">,
): string | undefined {
  if (!REDIRECTS.has(response.status)) return undefined;
  return response.headers.get("location") ?? undefined;
}

/**
 * Returns the request that follows a redirect, as the Fetch standard defines it: credentials are
 * not sent to another origin; a 303, and a 301 or 302 after POST, is followed with GET and without
 * a body.
 * @param hop - request that was redirected
 * @param url - URL it was redirected to, already checked
 * @param status - status of the redirect
 */
export function redirectedHop(hop: NetworkHop, url: URL, status: number): NetworkHop {
  const headers = new Headers(hop.headers);
  if (hop.url.origin !== url.origin) {
    for (const name of CREDENTIAL_HEADERS) headers.delete(name);
  }
  if (keepsMethod(hop.method, status)) return { ...hop, url, headers };
  for (const name of BODY_HEADERS) headers.delete(name);
  return { url, method: "GET", headers };
}

function keepsMethod(method: string, status: number): boolean {
  if (status === 303) return method === "HEAD";
  return status > 303 || method !== "POST";
}
