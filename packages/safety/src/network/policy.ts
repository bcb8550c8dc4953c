import { AllowedHostError, NetworkDeniedError } from "./errors.js";
import { classifyAddress } from "./ip-address.js";

/** Names of this machine or of a cloud metadata service, regardless of their addresses. */
const FORBIDDEN_NAMES = new Set([
  "localhost",
  "host.docker.internal",
  "gateway.docker.internal",
  "kubernetes.docker.internal",
  "host.containers.internal",
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "metadata.azure.internal",
  "instance-data",
  "instance-data.ec2.internal",
]);
const FORBIDDEN_SUFFIX = ".localhost";

const NO_HOSTS: readonly string[] = [];

/** Options of {@link NetworkPolicy}. */
export interface NetworkPolicyOptions {
  /**
   * `host:port` pairs that are exempt from the bans on plain HTTP and on addresses that are not
   * public. A function is called for each request, so that a changed list takes effect at once.
   */
  readonly allowHosts?: readonly string[] | (() => readonly string[] | undefined) | undefined;
}

/** Target of a connection. */
export interface ConnectionTarget {
  /** Protocol with the colon, for example `https:`. */
  readonly protocol: string;
  /** Host name or IP address; an IPv6 address with or without brackets. */
  readonly hostname: string;
  /** Empty for the default port of the protocol. */
  readonly port: string;
}

/**
 * Decides where requests may be sent (SAFE-050): https only, no credentials in the URL, and no address that is
 * private, loopback, link-local, shared (CGN), unspecified, mapped into IPv6, reserved or a metadata service,
 * whether it is written in the URL or found by resolving the host. Performs no I/O.
 */
export class NetworkPolicy {
  readonly #list: () => readonly string[];
  #latest: { readonly list: readonly string[]; readonly hosts: ReadonlySet<string> };

  /**
   * @param options - exemptions
   * @throws AllowedHostError when an entry of `allowHosts` is not `host:port`
   */
  constructor({ allowHosts = [] }: NetworkPolicyOptions = {}) {
    this.#list =
      typeof allowHosts === "function" ? () => allowHosts() ?? NO_HOSTS : () => allowHosts;
    this.#latest = exemptionsOf(this.#list());
  }

  /**
   * Exemptions in force: the same object until the list changes.
   * @throws AllowedHostError when an entry of a changed list is not `host:port`
   */
  get exemptions(): ReadonlySet<string> {
    const list = this.#list();
    if (this.#latest.list !== list) this.#latest = exemptionsOf(list);
    return this.#latest.hosts;
  }

  /**
   * Parses and checks the URL of a request or of a redirect. The addresses of a host name are not known yet;
   * {@link assertAddresses} checks them.
   * @param url - absolute, or relative to `base`
   * @param base - URL that redirected here
   * @returns the URL in its canonical spelling
   * @throws NetworkDeniedError
   */
  checkUrl(url: string | URL, base?: URL): URL {
    const target = parseUrl(url, base);
    if (target.protocol !== "https:" && target.protocol !== "http:") {
      throw new NetworkDeniedError(
        "insecure-scheme",
        `URLs with "${target.protocol}" cannot be requested. Use an https URL.`,
      );
    }
    if (target.username !== "" || target.password !== "") {
      throw new NetworkDeniedError(
        "credentials-in-url",
        `The URL for ${target.host} contains a user name or password. Remove them.`,
      );
    }
    if (this.isExempt(target)) return target;
    if (target.protocol === "http:") {
      throw new NetworkDeniedError(
        "insecure-scheme",
        `${withoutQuery(target)} is not https. Use an https URL, or add "${connectionKey(target)}" to tools.http.allowHosts.`,
      );
    }
    this.assertLiteral(target.hostname);
    return target;
  }

  /**
   * Returns whether `allowHosts` contains a host and port.
   * @param target - URL, or options of a connection
   */
  isExempt(target: ConnectionTarget): boolean {
    return this.exemptions.has(connectionKey(target));
  }

  /**
   * Checks a host as it is written: an address must be public, and a name must not belong to this
   * machine.
   * @param hostname - name or address, with or without brackets
   * @throws NetworkDeniedError
   */
  assertLiteral(hostname: string): void {
    const host = withoutBrackets(hostname).replace(/\.$/, "").toLowerCase();
    if (FORBIDDEN_NAMES.has(host) || host.endsWith(FORBIDDEN_SUFFIX)) {
      throw new NetworkDeniedError(
        "forbidden-host",
        `The host ${host} is this machine or a cloud metadata service. Only public hosts can be requested.`,
      );
    }
    const found = classifyAddress(host);
    if (found === "invalid" || found === "public") return;
    throw new NetworkDeniedError(
      "forbidden-address",
      `The address ${host} is not on the public internet (${found}). Only public addresses can be requested.`,
    );
  }

  /**
   * Checks every address of a host name; a single address that is not public denies the host.
   * @param hostname - host name for the message
   * @param addresses - all addresses of the host
   * @throws NetworkDeniedError, also when the host has no address
   */
  assertAddresses(hostname: string, addresses: readonly string[]): void {
    if (addresses.length === 0) {
      throw new NetworkDeniedError("forbidden-address", `The host ${hostname} has no address.`);
    }
    for (const address of addresses) {
      const found = classifyAddress(address);
      if (found === "public") continue;
      throw new NetworkDeniedError(
        "forbidden-address",
        `The host ${hostname} has the address ${address}, which is not on the public internet (${found}). Only public addresses can be requested.`,
      );
    }
  }
}

function parseUrl(url: string | URL, base: URL | undefined): URL {
  try {
    return new URL(url, base);
  } catch (error) {
    throw new NetworkDeniedError(
      "invalid-url",
      `${JSON.stringify(String(url))} is not a URL. Use one like https://example.com/page.`,
      { cause: error },
    );
  }
}

function exemptionsOf(list: readonly string[]) {
  return { list, hosts: new Set(list.map(hostAndPort)) };
}

/**
 * Normalizes an entry as the URL parser does, so that entries and targets can be compared as
 * strings.
 */
function hostAndPort(entry: string): string {
  const port = /:(\d{1,5})$/.exec(entry)?.[1];
  const url = port === undefined ? null : URL.parse(`http://${entry}/`);
  if (url === null || url.pathname !== "/" || url.username !== "" || url.search !== "") {
    throw new AllowedHostError(entry);
  }
  return `${url.hostname}:${Number(port)}`;
}

function connectionKey({ hostname, port, protocol }: ConnectionTarget): string {
  const host = withoutBrackets(hostname);
  const written = host.includes(":") ? `[${host}]` : host;
  return `${written}:${port || (protocol === "https:" ? "443" : "80")}`;
}

function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** Returns a URL without its query, which may contain secrets that must not be logged. */
function withoutQuery({ origin, pathname }: URL): string {
  return origin + pathname;
}
