import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { ProxyConnectionError } from "../errors.js";
import { shownProxy } from "./rules.js";

/** Time in milliseconds in which a proxy must open a connection. */
const OPEN_MS = 30_000;

/** Connection that a proxy is to open. */
export interface TunnelOptions {
  readonly proxy: URL;
  /** Host that the proxy connects to: a name, or an address that was checked. */
  readonly host: string;
  readonly port: number;
}

/**
 * Opens a connection through a proxy with `CONNECT`.
 * @param options - proxy and target
 * @throws ProxyConnectionError when the proxy denies the connection or cannot be reached
 */
export function openTunnel({ proxy, host, port }: TunnelOptions): Promise<Socket> {
  const target = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const request = (proxy.protocol === "https:" ? httpsRequest : httpRequest)({
    ...{ protocol: proxy.protocol, method: "CONNECT", path: target, agent: false },
    host: proxy.hostname.replace(/^\[(.*)\]$/, "$1"),
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

/**
 * Returns the header with the credentials in the URL of a proxy.
 * @param proxy - URL of the proxy
 */
export function proxyAuthorization(proxy: URL): Readonly<Record<string, string>> {
  if (proxy.username === "" && proxy.password === "") return {};
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` };
}
