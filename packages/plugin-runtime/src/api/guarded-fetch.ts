/** Redirects a fetch follows at most, as the Fetch standard has it. */
const MOST_REDIRECTS = 20;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Headers about a body, which a redirected GET no longer has. */
const BODY_HEADERS = ["content-encoding", "content-language", "content-location", "content-type"];
/** Headers that say who asks, and are not for another origin. */
const CREDENTIAL_HEADERS = ["authorization", "cookie", "proxy-authorization"];

/** Sends one request, without following redirects. */
export type SendRequest = (request: Request) => Promise<Response>;

/**
 * Fetches, asking before every hop whether its address may be reached: a redirect cannot lead to a host
 * that could not be asked directly (PLUG-045).
 * @param request - as the plugin made it
 * @param check - throws for an address that may not be reached
 * @param send - sends one request
 */
export async function guardedFetch(
  request: Request,
  check: (url: URL) => void,
  send: SendRequest,
): Promise<Response> {
  let hop = request;
  for (let redirects = 0; ; redirects += 1) {
    check(new URL(hop.url));
    // What is sent is a copy, since a redirect may ask for the same body once more.
    const response = await send(new Request(hop.clone(), { redirect: "manual" }));
    const location = response.headers.get("location");
    if (!REDIRECTS.has(response.status) || location === null) return response;
    if (request.redirect === "manual") return response;
    if (request.redirect === "error") {
      throw new TypeError(`fetch failed: ${hop.url} redirects, which the request does not allow`);
    }
    if (redirects === MOST_REDIRECTS) {
      throw new TypeError(
        `fetch failed: ${request.url} redirects more than ${MOST_REDIRECTS} times`,
      );
    }
    await response.body?.cancel();
    hop = redirected(hop, new URL(location, hop.url), response.status);
  }
}

function redirected(hop: Request, target: URL, status: number): Request {
  const headers = new Headers(hop.headers);
  const asksAgain = status === 303 ? hop.method === "HEAD" : status > 303 || hop.method !== "POST";
  if (new URL(hop.url).origin !== target.origin) {
    for (const name of CREDENTIAL_HEADERS) headers.delete(name);
  }
  if (asksAgain) return new Request(target, new Request(hop, { headers }));
  for (const name of BODY_HEADERS) headers.delete(name);
  const { signal, redirect } = hop;
  return new Request(target, { method: "GET", headers, signal, redirect });
}

/**
 * Whether a list of hosts names the one of an address. A host stands alone for every port, or with one;
 * `*.` before it stands for the hosts below it, `*` for every host.
 * @param hosts - of a manifest's `permissions.network.hosts`
 * @param url - the address
 */
export function namesHost(hosts: readonly string[], url: URL): boolean {
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  return hosts.some((entry) => {
    if (entry === "*") return true;
    const [, host = "", ownPort] = /^(.+?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (ownPort !== undefined && ownPort !== port) return false;
    return host.startsWith("*.") ? url.hostname.endsWith(host.slice(1)) : url.hostname === host;
  });
}
