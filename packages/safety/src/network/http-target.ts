import { type AddressClass, classifyAddress } from "./ip-address.js";

/** Names that lead to the machine itself or to a cloud's metadata, whatever they resolve to. */
const FORBIDDEN_NAMES = new Set([
  "localhost",
  "metadata",
  "metadata.google.internal",
  "instance-data",
]);
const FORBIDDEN_SUFFIX = ".localhost";

export interface HttpTargetOptions {
  /** `host:port` pairs exempt from the bans on plain HTTP and on private addresses. */
  readonly allowHosts?: readonly string[];
}

/** Whether an HTTP tool may go to a URL. */
export type HttpTarget =
  | {
      readonly allowed: true;
      readonly url: URL;
      /** Whether the addresses the host resolves to need no check. */
      readonly exempt: boolean;
    }
  | {
      readonly allowed: false;
      readonly code: "invalid-url" | "insecure-scheme" | "forbidden-host" | "forbidden-address";
      readonly reason: string;
    };

/**
 * Checks the literal URL of a request (SAFE-050): HTTPS only, and no host that is an inner address in
 * any spelling. The addresses that a name resolves to are the caller's to check with
 * `classifyAddress`, on every hop.
 * @param text - the URL as the tool got it
 */
export function checkHttpTarget(
  text: string,
  { allowHosts = [] }: HttpTargetOptions = {},
): HttpTarget {
  if (!URL.canParse(text)) return refused("invalid-url", `${JSON.stringify(text)} is no URL`);
  const url = new URL(text);
  const { protocol } = url;
  if (protocol !== "https:" && protocol !== "http:") {
    return refused("insecure-scheme", `${protocol} is not allowed; use https:`);
  }
  if (allowHosts.includes(hostAndPort(url))) return { allowed: true, url, exempt: true };
  if (protocol === "http:") {
    return refused(
      "insecure-scheme",
      `http: is not allowed for ${hostAndPort(url)}; use https:, or add the host to the allowed ones`,
    );
  }
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (FORBIDDEN_NAMES.has(host) || host.endsWith(FORBIDDEN_SUFFIX)) {
    return refused("forbidden-host", `${host} leads to this machine or to the cloud's metadata`);
  }
  const address: AddressClass = classifyAddress(host);
  return address === "invalid" || address === "public"
    ? { allowed: true, url, exempt: false }
    : refused("forbidden-address", `${host} is no public address (${address})`);
}

function hostAndPort({ hostname, port, protocol }: URL): string {
  const defaultPort = protocol === "https:" ? "443" : "80";
  return `${hostname}:${port === "" ? defaultPort : port}`;
}

function refused(
  code: Extract<HttpTarget, { allowed: false }>["code"],
  reason: string,
): HttpTarget {
  return { allowed: false, code, reason };
}
