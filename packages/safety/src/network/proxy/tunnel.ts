import { AsyncLocalStorage } from "node:async_hooks";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { ProxyConnectionError } from "../errors.js";
import { shownProxy } from "./rules.js";

/** Time in milliseconds in which a proxy must open a connection. */
const OPEN_MS = 30_000;
const SOCKS: ReadonlySet<string> = new Set(["socks:", "socks5:", "socks5h:"]);
const SOCKS_PORT = 1080;
/** The library leaves its timer to run out, which must not be taken for one of the plugin whose request it was. */
const outsideOfRequests = AsyncLocalStorage.snapshot();

/** Connection that a proxy is to open. */
export interface TunnelOptions {
  readonly proxy: URL;
  /** Host that the proxy connects to: a name, or an address that was checked. */
  readonly host: string;
  readonly port: number;
}

/**
 * Opens a connection through a proxy: with `CONNECT`, or by SOCKS 5, where the proxy also resolves names.
 * @param options - proxy and target
 * @throws ProxyConnectionError when the proxy denies the connection or cannot be reached, or is of another kind
 */
export async function openTunnel(options: TunnelOptions): Promise<Socket> {
  const { proxy } = options;
  if (SOCKS.has(proxy.protocol)) return await openBySocks(options);
  if (forwardsHttp(proxy)) return await openByHttp(options);
  const problem =
    "only proxies of HTTP and SOCKS 5 are supported; correct the variable, or list hosts to reach without a proxy in NO_PROXY";
  throw new ProxyConnectionError(shownProxy(proxy), targetOf(options), problem);
}

/** Returns true for a proxy that forwards plain HTTP itself. */
export function forwardsHttp(proxy: URL): boolean {
  return proxy.protocol === "http:" || proxy.protocol === "https:";
}

async function openBySocks(options: TunnelOptions): Promise<Socket> {
  const { proxy, host, port } = options;
  const { SocksClient } = await import("socks");
  const userId = decodeURIComponent(proxy.username);
  const password = decodeURIComponent(proxy.password);
  try {
    const { socket } = await outsideOfRequests(() =>
      SocksClient.createConnection({
        command: "connect",
        destination: { host, port },
        proxy: {
          type: 5,
          host: hostOf(proxy),
          port: proxy.port === "" ? SOCKS_PORT : Number(proxy.port),
          ...(userId === "" && password === "" ? {} : { userId, password }),
        },
        timeout: OPEN_MS,
      }),
    );
    return socket;
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    // The error of the library contains the password.
    throw new ProxyConnectionError(shownProxy(proxy), targetOf(options), problem);
  }
}

function hostOf(proxy: URL): string {
  return proxy.hostname.replace(/^\[(.*)\]$/, "$1");
}

function targetOf({ host, port }: TunnelOptions): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function openByHttp(options: TunnelOptions): Promise<Socket> {
  const { proxy } = options;
  const target = targetOf(options);
  const request = (proxy.protocol === "https:" ? httpsRequest : httpRequest)({
    ...{ protocol: proxy.protocol, method: "CONNECT", path: target, agent: false },
    host: hostOf(proxy),
    port: proxy.port === "" ? (proxy.protocol === "https:" ? 443 : 80) : Number(proxy.port),
    headers: { host: target, ...proxyAuthorization(proxy) },
    timeout: OPEN_MS,
  });
  return new Promise((resolve, reject) => {
    const fail = (problem: string, cause?: unknown) =>
      reject(new ProxyConnectionError(shownProxy(proxy), target, problem, cause));
    request.once("connect", ({ statusCode = 0, statusMessage = "" }, socket, head) => {
      if (statusCode >= 200 && statusCode < 300) {
        if (head.length > 0) socket.unshift(head);
        return resolve(socket);
      }
      socket.destroy();
      const hint =
        statusCode === 407 ? "; the proxy wants a user name and password in its URL" : "";
      fail(`it answered ${statusCode} ${statusMessage}${hint}`);
    });
    request.once("response", ({ statusCode = 0 }) => {
      request.destroy();
      fail(`it answered ${statusCode} without a connection`);
    });
    request.once("timeout", () => request.destroy(new Error("it did not answer in time")));
    request.once("error", (error) => fail(error.message, error));
    request.end();
  });
}

/**
 * Starts TLS on an open connection.
 * @param socket - connection to the server, for example through a proxy
 * @param host - name or address that the certificate of the server must have
 * @param options - further options of the socket
 */
export function startTls(
  socket: Socket,
  host: string,
  options: Readonly<Record<string, unknown>> = {},
): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const name = isIP(host) === 0 ? { servername: host } : {};
    const secure = connectTls({ ALPNProtocols: ["http/1.1"], ...options, socket, host, ...name });
    secure.once("secureConnect", () => resolve(secure));
    secure.once("error", reject);
  });
}

/** Returns the header with the credentials in the URL of a proxy. */
export function proxyAuthorization(proxy: URL): Readonly<Record<string, string>> {
  if (proxy.username === "" && proxy.password === "") return {};
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` };
}
