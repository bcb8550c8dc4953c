import ipaddr from "ipaddr.js";

/** Target of a connection, as a URL or the options of a socket have it. */
export interface ProxyTarget {
  /** Protocol with the colon, for example `https:`. */
  readonly protocol: string;
  /** Host name or IP address; an IPv6 address with or without brackets. */
  readonly hostname: string;
  /** Empty for the default port of the protocol. */
  readonly port: string;
}

/** Variable of the environment that is not usable as a proxy. */
export interface ProxyProblem {
  readonly variable: string;
  /** Description without the value, which may have a password. */
  readonly problem: string;
}

/** A proxy, and the variable that names it. */
interface NamedProxy {
  readonly variable: string;
  readonly url: URL;
}

/** Protocols of proxies that a tunnel can be opened to. */
const PROTOCOLS: ReadonlySet<string> = new Set([
  "http:",
  "https:",
  "socks:",
  "socks5:",
  "socks5h:",
]);

/** Networks that are never behind a proxy: loopback, link-local and the unspecified address. */
const DIRECT_RANGES = new Set(["loopback", "linkLocal", "unspecified"]);

/**
 * Rules of the variables `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, in upper or lower case; of the two the
 * lower case counts, as with curl.
 */
export class ProxyRules {
  readonly #http: NamedProxy | undefined;
  readonly #https: NamedProxy | undefined;
  readonly #exceptions: readonly string[];
  /** Variables that are set and not usable. */
  readonly problems: readonly ProxyProblem[];

  /** @param environment - environment variables */
  constructor(environment: NodeJS.ProcessEnv) {
    const problems: ProxyProblem[] = [];
    const own = (name: string) => proxyOf(name, environment, problems);
    const [ofHttp, ofHttps] = [own("HTTP_PROXY"), own("HTTPS_PROXY")];
    // It is not looked at when both others are set: many systems also name a proxy of another kind there.
    const all = ofHttp === undefined || ofHttps === undefined ? own("ALL_PROXY") : undefined;
    this.#http = ofHttp ?? all;
    this.#https = ofHttps ?? all;
    const exceptions = variableOf("NO_PROXY", environment)?.value ?? "";
    this.#exceptions = exceptions.split(/[\s,]+/).filter((entry) => entry !== "");
    this.problems = problems;
  }

  /** True when no request uses a proxy. */
  get isEmpty(): boolean {
    return this.#http === undefined && this.#https === undefined;
  }

  /**
   * Returns the proxy of a request; undefined for a direct connection. A variable that is not usable gives a URL of a kind
   * that no tunnel can be opened to, so that its requests fail instead of taking the direct way.
   * @param target - URL, or options of a connection
   */
  proxyOf(target: ProxyTarget): URL | undefined {
    const isSecure = target.protocol === "https:" || target.protocol === "wss:";
    const proxy = isSecure ? this.#https : this.#http;
    if (proxy === undefined) return undefined;
    const host = plainHost(target.hostname);
    const port = target.port === "" ? (isSecure ? "443" : "80") : target.port;
    if (isAlwaysDirect(host)) return undefined;
    return this.#exceptions.some((entry) => matches(entry, host, port)) ? undefined : proxy.url;
  }

  /** Describes the proxies without their credentials, for people. */
  describe(): readonly string[] {
    const shown = new Map([this.#https, this.#http].flatMap((proxy) => entryOf(proxy)));
    const lines = [...shown].map(([variable, url]) => `${variable}: ${url}`);
    return this.#exceptions.length === 0
      ? lines
      : [...lines, `without a proxy: ${this.#exceptions.join(", ")}`];
  }

  /** Variables of a child process, such as npm, that follow the same rules. */
  childVariables(): Readonly<Record<string, string>> {
    if (this.isEmpty) return {};
    const none = [...this.#exceptions, "localhost", "127.0.0.1", "::1"].join(",");
    const variables: Record<string, string> = { NO_PROXY: none, no_proxy: none };
    for (const [name, proxy] of [
      ["HTTP_PROXY", this.#http],
      ["HTTPS_PROXY", this.#https],
    ] as const) {
      if (proxy === undefined) continue;
      variables[name] = proxy.url.href;
      variables[name.toLowerCase()] = proxy.url.href;
    }
    return variables;
  }
}

/**
 * Returns the URL of a proxy without user name and password.
 * @param url - URL of a proxy
 */
export function shownProxy(url: URL): string {
  const credentials = url.username === "" && url.password === "" ? "" : " (with credentials)";
  return `${url.protocol}//${url.host}${credentials}`;
}

function entryOf(proxy: NamedProxy | undefined): [string, string][] {
  if (proxy === undefined || !PROTOCOLS.has(proxy.url.protocol)) return [];
  return [[proxy.variable, shownProxy(proxy.url)]];
}

function variableOf(
  name: string,
  environment: NodeJS.ProcessEnv,
): { readonly variable: string; readonly value: string } | undefined {
  for (const variable of [name.toLowerCase(), name]) {
    const value = environment[variable]?.trim();
    if (value !== undefined && value !== "") return { variable, value };
  }
  return undefined;
}

function proxyOf(
  name: string,
  environment: NodeJS.ProcessEnv,
  problems: ProxyProblem[],
): NamedProxy | undefined {
  const found = variableOf(name, environment);
  if (found === undefined) return undefined;
  const { variable, value } = found;
  // Without a scheme the value is a host and a port, as with curl.
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`);
  if (url === null || url.hostname === "") {
    problems.push({ variable, problem: "is not the URL of a proxy" });
    return { variable, url: new URL(`unusable://${variable}`) };
  }
  if (!PROTOCOLS.has(url.protocol)) {
    problems.push({
      variable,
      problem: `names a proxy of the kind "${url.protocol.slice(0, -1)}"`,
    });
  }
  return { variable, url };
}

function plainHost(hostname: string): string {
  return hostname
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/%.*$/, "")
    .replace(/\.$/, "")
    .toLowerCase();
}

function isAlwaysDirect(host: string): boolean {
  if (host === "localhost" || host.endsWith(".localhost")) return true;
  return ipaddr.isValid(host) && DIRECT_RANGES.has(ipaddr.process(host).range());
}

/** Compares an entry of `NO_PROXY`: a name with its subdomains, an address, a network or `*`, with or without port. */
function matches(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  const [, named = entry, ownPort] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
  if (ownPort !== undefined && ownPort !== port) return false;
  const name = plainHost(named);
  if (ipaddr.isValid(host)) return matchesAddress(name, host);
  const domain = name.replace(/^\*?\./, "");
  return domain !== "" && (host === domain || host.endsWith(`.${domain}`));
}

function matchesAddress(entry: string, host: string): boolean {
  const address = ipaddr.process(host);
  if (ipaddr.isValid(entry)) return ipaddr.process(entry).toString() === address.toString();
  if (!ipaddr.isValidCIDR(entry)) return false;
  const network = ipaddr.parseCIDR(entry);
  return network[0].kind() === address.kind() && address.match(network);
}
