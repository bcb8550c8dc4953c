import type { EndpointPattern } from "./capabilities.js";

/** Reason for which a request is not allowed (WASM-028). */
export type EndpointDenial =
  | "EmptyAllowlist"
  | "InvalidUrl"
  | "InsecureScheme"
  | "HostNotAllowed"
  | "PathNotAllowed"
  | "MethodNotAllowed";

/** Decision about a request. */
export type EndpointDecision =
  | { readonly isAllowed: true; readonly url: URL }
  | { readonly isAllowed: false; readonly reason: EndpointDenial };

/** Options of {@link checkEndpoint}. */
export interface EndpointOptions {
  /** True allows plain HTTP, for hosts that the operator exempts. */
  readonly allowHttp?: boolean | undefined;
}

/**
 * Decides whether a component may send a request (WASM-028).
 * @param url - URL as the component wrote it
 * @param method - method in any case
 * @param patterns - endpoints that are allowed
 */
export function checkEndpoint(
  url: string,
  method: string,
  patterns: readonly EndpointPattern[],
  { allowHttp = false }: EndpointOptions = {},
): EndpointDecision {
  const deny = (reason: EndpointDenial) => ({ isAllowed: false, reason }) as const;
  if (patterns.length === 0) return deny("EmptyAllowlist");
  const parsed = parseUrl(url);
  if (parsed === undefined) return deny("InvalidUrl");
  if (parsed.protocol === "http:" && !allowHttp) return deny("InsecureScheme");
  if (parsed.protocol !== "https:" && parsed.protocol !== "http:") return deny("InsecureScheme");
  const ofHost = patterns.filter(({ host }) => matchesHost(parsed.hostname, host));
  if (ofHost.length === 0) return deny("HostNotAllowed");
  const ofPath = ofHost.filter(({ pathPrefix }) => matchesPath(parsed.pathname, pathPrefix));
  if (ofPath.length === 0) return deny("PathNotAllowed");
  const name = method.toUpperCase();
  const allows = ofPath.some(({ methods }) => methods.length === 0 || methods.includes(name));
  return allows ? { isAllowed: true, url: parsed } : deny("MethodNotAllowed");
}

/**
 * Returns true when a pattern matches a host: exactly, or `*.domain` for the subdomains of the domain and not the domain.
 * @param host - host of a URL
 * @param pattern - pattern of a capabilities file
 */
export function matchesHost(host: string, pattern: string): boolean {
  const [name, wanted] = [normalHost(host), normalHost(pattern)];
  return wanted.startsWith("*.")
    ? name.endsWith(wanted.slice(1)) && name.length > wanted.length - 1
    : name === wanted;
}

/** Returns the URL with a canonical path; undefined when a server could read it in another way. */
function parseUrl(text: string): URL | undefined {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return undefined;
  }
  if (url.username !== "" || url.password !== "" || url.hostname === "") return undefined;
  // An escape that is not one, and a separator that is written as an escape, are read differently by servers.
  if (/%(?![0-9a-f]{2})/i.test(url.pathname) || /%(?:2f|5c|00)/i.test(url.pathname))
    return undefined;
  if (/[\\\t\r\n]/.test(text)) return undefined;
  return url;
}

/** A prefix ends at a separator, so that `/v1` does not allow `/v10`. */
function matchesPath(path: string, prefix: string | undefined): boolean {
  if (prefix === undefined || prefix === "") return true;
  if (!path.startsWith(prefix)) return false;
  return prefix.endsWith("/") || path.length === prefix.length || path[prefix.length] === "/";
}

function normalHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, "");
}
