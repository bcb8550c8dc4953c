import { OAuthError } from "@modelcontextprotocol/client";

/** Time in which an authorization server must answer one request. */
const REQUEST_MS = 15_000;

/**
 * Returns the network of the host for requests of a login. The request of a token is not redirected, because it contains
 * credentials; every other redirect passes the network check, as each request does.
 * @param send - network of the host
 */
export function oauthFetch(send: typeof fetch): typeof fetch {
  return async (input, init = {}) => {
    const isGet = init.method === undefined || init.method === "GET";
    const timeout = AbortSignal.timeout(REQUEST_MS);
    return await send(input, {
      ...init,
      ...(isGet ? {} : { redirect: "manual" }),
      signal: init.signal ? AbortSignal.any([init.signal, timeout]) : timeout,
    });
  };
}

/**
 * Returns why a request of a login failed. The text of an authorization server is not shown, because it is not trusted.
 * @param error - error of the library or of the network
 */
export function oauthReason(error: unknown): string {
  let found = error;
  while (found instanceof Error && found.cause instanceof Error) found = found.cause;
  if (!(found instanceof Error)) return "unknown error";
  if (found instanceof OAuthError) return found.code.replaceAll(/[^a-z_]/g, "").slice(0, 60);
  const { code, status } = { code: undefined, status: undefined, ...found };
  if (code !== "NETWORK_DENIED" && typeof status === "number") return `HTTP ${status}`;
  return found.message.slice(0, 300);
}
