import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { listen, startProxiedServers } from "./servers.js";

/** Proxy that forwards plain HTTP and opens tunnels, with the servers behind it. */
export interface ForwardProxy extends AsyncDisposable {
  /** URL without credentials. */
  readonly url: string;
  readonly port: number;
  /** Requests in order: method, target and user. */
  readonly seen: readonly string[];
}

/** Clients such as git send credentials only when they are asked for them. */
const CHALLENGE = 'Basic realm="proxy"';

/** Options of {@link startForwardProxy}. */
export interface ForwardProxyOptions {
  /** Port on 127.0.0.1 of the server behind the proxy, also by TLS; servers that answer with their kind when absent. */
  readonly serverPort?: number;
  /** User and password that the proxy demands, as `user:password`. */
  readonly credentials?: string;
}

/**
 * Starts a proxy on a free port. Tunnels to port 443 or 8443 of any host lead to a server with the certificate of
 * `secure.example`; everything else leads to the plain server.
 * @param options - server behind the proxy, and credentials
 */
export async function startForwardProxy({
  serverPort,
  credentials,
}: ForwardProxyOptions = {}): Promise<ForwardProxy> {
  const seen: string[] = [];
  const behind = await startProxiedServers(serverPort);
  const tunnels = new Set<Duplex>();
  const isAdmitted = (incoming: IncomingMessage) => {
    const [, encoded = ""] = (incoming.headers["proxy-authorization"] ?? "").split(" ");
    const given = Buffer.from(encoded, "base64").toString();
    seen.push(`${incoming.method} ${incoming.url}${given === "" ? "" : ` as ${given}`}`);
    return credentials === undefined || given === credentials;
  };
  const proxy = createServer((incoming, answer) => {
    if (isAdmitted(incoming)) forward(incoming, answer, behind.plain);
    else answer.writeHead(407, { "proxy-authenticate": CHALLENGE }).end();
  });
  proxy.on("connect", (incoming, socket: Duplex) => {
    if (!isAdmitted(incoming)) {
      socket.end(
        `HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: ${CHALLENGE}\r\n\r\n`,
      );
      return;
    }
    const target = connect(
      incoming.url?.endsWith("443") ? behind.secure : behind.plain,
      "127.0.0.1",
    );
    target.once("connect", () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      target.pipe(socket).pipe(target);
    });
    tunnels.add(socket);
    for (const each of [target, socket]) each.on("error", () => target.destroy());
  });
  const port = await listen(proxy);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    seen,
    async [Symbol.asyncDispose]() {
      for (const socket of tunnels) socket.destroy();
      behind[Symbol.dispose]();
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

function forward(incoming: IncomingMessage, answer: ServerResponse, port: number): void {
  const { pathname, search } = new URL(incoming.url ?? "/", "http://proxy.example");
  const { method, headers } = incoming;
  const onward = request({ host: "127.0.0.1", port, method, headers, path: pathname + search });
  onward.once("response", (found) => {
    answer.writeHead(found.statusCode ?? 502, found.headers);
    found.pipe(answer);
  });
  onward.once("error", () => answer.writeHead(502).end());
  incoming.pipe(onward);
}
