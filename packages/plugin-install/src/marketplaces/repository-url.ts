import type { NetworkClient } from "@openclaw/safety";
import { NetworkDeniedError } from "@openclaw/safety";
import { MarketplaceRedirectError } from "../errors.js";

/** Network check of a host. */
export type NetworkPort = Pick<NetworkClient, "checkUrl" | "fetch">;

/** Maximum number of redirects within one host. */
const MOST_REDIRECTS = 3;
const SERVICE = "/info/refs?service=git-upload-pack";

/**
 * Fetches a URL of a marketplace within the network check. A redirect within its origin is followed, since servers add
 * `.git` or a slash; one to another origin is an error, because the operator agreed to this one (EXT-546).
 * @param url - URL as the operator or the marketplace wrote it
 * @param network - network check of the host
 * @returns the response, whose `url` is the last one
 * @throws NetworkDeniedError, MarketplaceRedirectError, TypeError when the host cannot be reached
 */
export async function fetchWithinOrigin(url: string, network: NetworkPort): Promise<Response> {
  let current = network.checkUrl(url);
  for (let hops = 0; ; hops += 1) {
    const response = await network.fetch(current, { redirect: "manual" });
    const location = response.headers.get("location");
    const isRedirect = response.status >= 300 && response.status < 400 && location !== null;
    if (!isRedirect) return response;
    await response.body?.cancel();
    const next = URL.parse(location, current.href);
    if (next === null || next.origin !== current.origin || hops === MOST_REDIRECTS) {
      throw new MarketplaceRedirectError(url, location);
    }
    current = next;
  }
}

/**
 * Returns the URL under which git reads a repository without being redirected. The repository is asked for its branches
 * within the network check; git itself follows no redirect.
 * @param url - URL of a repository; only `http` and `https` are checked
 * @param network - network check of the host
 * @throws NetworkDeniedError, MarketplaceRedirectError
 */
export async function repositoryUrl(url: string, network: NetworkPort): Promise<string> {
  if (!/^https?:\/\//.test(url)) return url;
  try {
    const response = await fetchWithinOrigin(`${url.replace(/\/$/, "")}${SERVICE}`, network);
    await response.body?.cancel();
    return response.url.endsWith(SERVICE) ? response.url.slice(0, -SERVICE.length) : url;
  } catch (error) {
    if (NetworkDeniedError.isInstance(error) || MarketplaceRedirectError.isInstance(error)) {
      throw error;
    }
    // git describes a server that cannot be reached better, and follows no redirect either.
    return url;
  }
}
