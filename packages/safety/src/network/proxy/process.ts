import http from "node:http";
import https from "node:https";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { ProxyRules, type ProxyTarget } from "./rules.js";
import { forwardsHttp, openTunnel, proxyAuthorization, startTls } from "./tunnel.js";

export { ProxyRules };

/** Names under which versions of Node.js keep the dispatcher of `fetch`. */
const DISPATCHERS = ["undici.globalDispatcher.2", "undici.globalDispatcher.1"].map(Symbol.for);

/** Part of a dispatcher of undici that requests need. */
interface Dispatcher {
  dispatch(options: DispatchOptions, handler: unknown): boolean;
}

interface DispatchOptions {
  readonly origin?: string | URL | undefined;
  readonly path: string;
  readonly headers?: unknown;
  /** Protocol of a connection that becomes another one, such as a WebSocket. */
  readonly upgrade?: unknown;
}

/** Options of a connection, as undici and the agents of Node.js pass them. */
interface ConnectOptions {
  readonly protocol?: string | undefined;
  readonly hostname?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: string | number | null | undefined;
  readonly servername?: string | undefined;
  readonly socketPath?: string | undefined;
}

/** Callback of the agents of Node.js, which ignore the stream of a failed connection. */
type AgentCallback = (error: Error | null, stream: Duplex) => void;

type Connected = (error: Error | null, socket: Socket | null) => void;

let rules: ProxyRules | undefined;
let isInstalled = false;

/** Returns the proxies of this process; undefined when it has none. */
export function currentProxyRules(): ProxyRules | undefined {
  return rules;
}

/**
 * Lets every request of this process follow `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`: those of `fetch`, of
 * `http` and `https` without an own agent, of WebSockets, and of the network check (SAFE-220). A later call replaces the
 * rules.
 * @param environment - environment variables
 */
export async function useProxyOf(environment: NodeJS.ProcessEnv): Promise<void> {
  const found = new ProxyRules(environment);
  rules = found.isEmpty ? undefined : found;
  if (rules === undefined || isInstalled) return;
  isInstalled = true;
  http.globalAgent = new RoutedHttpAgent({ keepAlive: true });
  https.globalAgent = new RoutedHttpsAgent({ keepAlive: true });
  http.request = routedUpgrades(http.request, "http:");
  https.request = routedUpgrades(https.request, "https:");
  await routeFetch();
}

function proxyOf(target: ProxyTarget): URL | undefined {
  return rules?.proxyOf(target);
}

/** Replaces the dispatcher of `fetch` by one that selects the direct one or a proxy for each request. */
async function routeFetch(): Promise<void> {
  // Node.js creates the dispatcher with the first request.
  await (await fetch("data:,")).text();
  for (const symbol of DISPATCHERS) {
    const found: unknown = Reflect.get(globalThis, symbol);
    if (!isDispatcher(found)) continue;
    const direct = directIn(found);
    const Agent = direct.constructor as new (options: { connect: unknown }) => Dispatcher;
    const tunnels = new Agent({ connect: connectThroughProxy });
    Reflect.set(globalThis, symbol, routed(direct, tunnels));
  }
}

function routed(direct: Dispatcher, tunnels: Dispatcher): Dispatcher {
  const dispatch: Dispatcher["dispatch"] = (options, handler) => {
    const url = new URL(options.path, options.origin);
    const proxy = proxyOf(url);
    if (proxy === undefined) return direct.dispatch(options, handler);
    const isForwarded = url.protocol === "http:" && !options.upgrade && forwardsHttp(proxy);
    if (!isForwarded) return tunnels.dispatch(options, handler);
    // A proxy forwards plain HTTP itself; many open no connections to port 80.
    const headers = withHeaders(options.headers, { host: url.host, ...proxyAuthorization(proxy) });
    return direct.dispatch({ ...options, origin: proxy.origin, path: url.href, headers }, handler);
  };
  return new Proxy(direct, {
    get: (target, key) => {
      if (key === "dispatch") return dispatch;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function withHeaders(headers: unknown, added: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(headers)) return [...headers, ...Object.entries(added).flat()];
  return { ...Object(headers), ...added };
}

/** With NODE_USE_ENV_PROXY the dispatcher of Node.js follows other rules; it contains a direct one. */
function directIn(dispatcher: Dispatcher): Dispatcher {
  if (dispatcher.constructor.name !== "EnvHttpProxyAgent") return dispatcher;
  const parts = Reflect.ownKeys(dispatcher).map((key): unknown => Reflect.get(dispatcher, key));
  return parts.filter(isDispatcher).find((part) => part.constructor.name === "Agent") ?? dispatcher;
}

function isDispatcher(value: unknown): value is Dispatcher {
  return typeof value === "object" && value !== null && "dispatch" in value;
}

function connectThroughProxy(options: ConnectOptions, callback: Connected): void {
  const target = targetOf(options, options.protocol ?? "https:");
  const proxy = proxyOf(target);
  if (proxy === undefined) {
    callback(new Error("the proxy was removed"), null);
    return;
  }
  connectTo(proxy, target, options).then(
    (socket) => callback(null, socket),
    (error: Error) => callback(error, null),
  );
}

async function connectTo(
  proxy: URL,
  { protocol, hostname, port }: ProxyTarget,
  options: ConnectOptions,
): Promise<Socket> {
  const isSecure = protocol === "https:";
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const socket = await openTunnel({ proxy, host, port: Number(port || (isSecure ? 443 : 80)) });
  if (!isSecure) return socket;
  const { socketPath: _path, ...own } = options;
  return startTls(socket, options.servername || host, { ...own });
}

function targetOf(options: ConnectOptions, protocol: string): ProxyTarget {
  const { hostname, host = "", port } = options;
  return { protocol, hostname: hostname ?? host, port: String(port ?? "") };
}

/**
 * Routes the requests that the library `ws` makes for WebSockets: they have a connection function instead of an agent, and
 * libraries over it, such as that of Discord, offer no option for another one.
 */
function routedUpgrades<Request extends typeof http.request>(
  request: Request,
  protocol: string,
): Request {
  return new Proxy(request, {
    apply: (target, self, given: unknown[]) =>
      Reflect.apply(
        target,
        self,
        given.map((part) => (isUpgrade(part) ? upgradeThroughProxy(part, protocol) : part)),
      ),
  });
}

function isUpgrade(part: unknown): part is http.RequestOptions {
  if (typeof part !== "object" || part === null || part instanceof URL) return false;
  const { agent, createConnection, headers }: http.RequestOptions = part;
  const upgrade: unknown = Reflect.get(Object(headers), "Upgrade");
  return agent == null && typeof createConnection === "function" && upgrade === "websocket";
}

function upgradeThroughProxy(options: http.RequestOptions, protocol: string): http.RequestOptions {
  const { host, port, socketPath } = options;
  const target = { protocol, hostname: host ?? "", port: String(port ?? "") };
  const proxy = (socketPath ?? "") === "" ? proxyOf(target) : undefined;
  if (proxy === undefined) return options;
  const createConnection: http.RequestOptions["createConnection"] = (own, callback) => {
    connectTo(proxy, target, own as ConnectOptions).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, new Socket().destroy()),
    );
    return undefined;
  };
  return { ...options, createConnection };
}

/** Agent of `http` whose connections go through the proxy of their target. */
class RoutedHttpAgent extends http.Agent {
  constructor(options: http.AgentOptions) {
    super(options);
    markAsRouted(this);
  }

  override createConnection(options: http.ClientRequestArgs, callback?: AgentCallback) {
    if (connectRouted(options, "http:", callback)) return null;
    return super.createConnection(options, callback);
  }
}

/** Agent of `https` whose connections go through the proxy of their target. */
class RoutedHttpsAgent extends https.Agent {
  constructor(options: https.AgentOptions) {
    super(options);
    markAsRouted(this);
  }

  override createConnection(options: https.RequestOptions, callback?: AgentCallback) {
    if (connectRouted(options, "https:", callback)) return null;
    return super.createConnection(options, callback);
  }
}

/**
 * Marks an agent as one that follows the proxies of the environment. Libraries such as axios then leave them to it instead
 * of reading the variables themselves, by which they would know no SOCKS proxy and no loopback exception. The value is not
 * one that Node.js itself gives.
 */
function markAsRouted(agent: http.Agent): void {
  Reflect.set(Object(Reflect.get(agent, "options")), "proxyEnv", true);
}

/** Returns true when a connection through a proxy will be given to the callback, and false for a direct one. */
function connectRouted(
  options: object,
  protocol: string,
  callback: AgentCallback | undefined,
): boolean {
  const given = options as ConnectOptions;
  if (callback === undefined || (given.socketPath ?? "") !== "") return false;
  const target = targetOf({ ...given, hostname: undefined }, protocol);
  const proxy = proxyOf(target);
  if (proxy === undefined) return false;
  connectTo(proxy, target, given).then(
    (socket) => callback(null, socket),
    (error: Error) => callback(error, new Socket().destroy()),
  );
  return true;
}
