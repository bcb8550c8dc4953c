import { lookup as systemLookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import type { Agent } from "undici";
import { CoreToolOptionsError, ToolRefusalError } from "../errors.js";

/** Addresses that are public by their range, but answer with a cloud machine's credentials. */
const METADATA_ADDRESSES = new Set(["168.63.129.16"]);
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");

/** All addresses of a host name. */
export type ResolveHost = (hostname: string) => Promise<{ address: string; family: number }[]>;

/** How targets are judged. */
export interface HttpTargetOptions {
  /** `host:port` pairs that may be private and need no https. */
  readonly allowHosts?: readonly string[];
  /** The system's resolver when absent. */
  readonly resolveHost?: ResolveHost;
}

/**
 * Decides where tools may send HTTP requests, and makes connections that keep to it: https only, no
 * address that is private, loopback, link-local, shared (CGN), reserved, unspecified, mapped or a
 * metadata service, whether written in the URL or found by resolving its host (TURN-062).
 */
export class HttpTargets {
  readonly #allowed: ReadonlySet<string>;
  readonly #resolveHost: ResolveHost;

  /**
   * @param options - exceptions and resolver
   * @throws CoreToolOptionsError when an entry of `allowHosts` is not `host:port`
   */
  constructor(options: HttpTargetOptions = {}) {
    this.#allowed = new Set((options.allowHosts ?? []).map(hostAndPort));
    this.#resolveHost = options.resolveHost ?? resolveAll;
  }

  /**
   * Reads and judges the URL of a request or of a redirect.
   * @param url - absolute, or relative to `base`
   * @param base - the URL that redirected here
   * @returns the URL in its canonical spelling
   * @throws ToolRefusalError when it is no URL, not https, carries credentials or names a closed address
   */
  check(url: string, base?: URL): URL {
    const target = parseUrl(url, base);
    if (target.protocol !== "https:" && target.protocol !== "http:") {
      throw forbidden(`"${target.protocol}//" addresses cannot be fetched. Give an https URL.`);
    }
    if (target.username !== "" || target.password !== "") {
      throw forbidden("The URL holds a user name or password. Give it without them.");
    }
    if (this.#allowed.has(originKey(target))) return target;
    if (target.protocol !== "https:") {
      throw forbidden(`${target.href} is not https. Give an https URL.`);
    }
    assertPublicLiteral(target.hostname);
    return target;
  }

  /**
   * An undici dispatcher whose connections go to checked addresses only: a host is resolved once
   * per connection, every address found must be public, and the socket connects to one of exactly
   * those. Close it after use.
   */
  async dispatcher(): Promise<Agent> {
    const { Agent, buildConnector } = await import("undici");
    const closedConnector = buildConnector({ lookup: this.#lookup(assertPublic) });
    const openConnector = buildConnector({ lookup: this.#lookup(() => undefined) });
    return new Agent({
      connect: (options, callback) => {
        const isAllowed = this.#allowed.has(connectionKey(options));
        try {
          if (!isAllowed) assertPublicLiteral(options.hostname);
        } catch (error) {
          callback(error instanceof Error ? error : new Error(String(error)), null);
          return;
        }
        (isAllowed ? openConnector : closedConnector)(options, callback);
      },
    });
  }

  /** What a socket asks for the addresses of its host; it connects to one of those it gets here. */
  #lookup(assertUsable: (address: string, hostname: string) => void): LookupFunction {
    const usableAddresses = async (hostname: string) => {
      const [first, ...others] = await this.#resolveHost(hostname);
      if (first === undefined) throw forbidden(`The host ${hostname} has no address.`);
      for (const { address } of [first, ...others]) assertUsable(address, hostname);
      return [first, ...others] as const;
    };
    return (hostname, options, callback) => {
      usableAddresses(hostname).then(
        ([first, ...others]) => {
          if (options.all) callback(null, [first, ...others]);
          else callback(null, first.address, first.family);
        },
        (error: NodeJS.ErrnoException) => callback(error, ""),
      );
    };
  }
}

async function resolveAll(hostname: string): Promise<{ address: string; family: number }[]> {
  return await systemLookup(hostname, { all: true });
}

/**
 * Whether an address belongs to the public internet.
 * @param address - an IPv4 or IPv6 address in any spelling the `net` module accepts
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === "ipv6" && !parsed.match(GLOBAL_UNICAST)) return false;
  return parsed.range() === "unicast" && !METADATA_ADDRESSES.has(parsed.toString());
}

function assertPublic(address: string, hostname: string): void {
  if (isPublicAddress(address)) return;
  throw forbidden(
    `The host ${hostname} has the address ${address}, which is not on the public internet. Only public addresses can be fetched.`,
  );
}

function assertPublicLiteral(hostname: string): void {
  const address = withoutBrackets(hostname);
  if (isIP(address) === 0 || isPublicAddress(address)) return;
  throw forbidden(
    `The address ${address} is not on the public internet. Only public addresses can be fetched.`,
  );
}

function forbidden(message: string): ToolRefusalError {
  return new ToolRefusalError("forbidden-address", message);
}

function parseUrl(url: string, base?: URL): URL {
  try {
    return new URL(url, base);
  } catch (error) {
    throw new ToolRefusalError(
      "invalid-value",
      `"${url}" is not a URL. Give one like https://example.com/page.`,
      { cause: error },
    );
  }
}

/** Host and port as URLs spell them, so that an entry and a target compare as text. */
function hostAndPort(entry: string): string {
  const port = /:(\d{1,5})$/.exec(entry)?.[1];
  const url = port === undefined ? null : URL.parse(`http://${entry}/`);
  if (url === null || url.pathname !== "/" || url.username !== "" || url.search !== "") {
    throw new CoreToolOptionsError(
      "allowHosts",
      `has the entry "${entry}"; expected host:port, for example 127.0.0.1:8080`,
    );
  }
  return `${url.hostname}:${Number(port)}`;
}

function originKey({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port === "" ? defaultPort(protocol) : port}`;
}

function connectionKey(options: { hostname: string; port: string; protocol: string }): string {
  const hostname = withoutBrackets(options.hostname);
  const host = isIP(hostname) === 6 ? `[${hostname}]` : hostname;
  return `${host}:${options.port || defaultPort(options.protocol)}`;
}

function defaultPort(protocol: string): string {
  return protocol === "https:" ? "443" : "80";
}

function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}
