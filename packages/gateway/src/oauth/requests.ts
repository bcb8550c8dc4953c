import { type Timers, withDeadline } from "@openclaw/foundation";
import type { NetworkClient } from "@openclaw/safety";

/** Time for one request with its response, in milliseconds. */
export const REQUEST_MS = 15_000;

/** Sends one request to an authorization server. */
export type OAuthFetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Creates the function that sends the requests to authorization servers, within the network check of the host and
 * without redirects, which could take a token elsewhere.
 * @param connect - creates the network client of one request, which is closed after it: requests are rare
 * @param timers - timers of the time limit
 */
export function createOAuthFetch(
  connect: () => Pick<NetworkClient, "fetch" | "close">,
  timers: Timers,
): OAuthFetch {
  return async (url, init) => {
    const network = connect();
    const stop = new AbortController();
    const request = { ...init, redirect: "manual", signal: stop.signal } as const;
    try {
      return await withDeadline(
        REQUEST_MS,
        async () => {
          const response = await network.fetch(url, request);
          return conformResponse(response, await response.text());
        },
        timers,
      );
    } finally {
      stop.abort();
      await network.close();
    }
  };
}

/**
 * Returns a response in the form that the protocol prescribes. Some servers report errors with status 200, and JSON with
 * another content type. An ID token is left out: it is not used, so it needs no check and is not stored.
 */
function conformResponse({ status, headers }: Response, text: string): Response {
  const body = jsonObject(text);
  if (body === undefined) return new Response(text === "" ? null : text, { status, headers });
  const { id_token: _, ...rest } = body;
  const isError = typeof rest.error === "string" && typeof rest.access_token !== "string";
  const type = { "content-type": "application/json" };
  return new Response(JSON.stringify(rest), {
    status: isError && status === 200 ? 400 : status,
    headers: type,
  });
}

function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
