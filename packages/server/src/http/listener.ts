import { Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { OpenClawError } from "@openclaw/foundation";
import type { GatewayAccess } from "../access/access.js";
import { DEFAULT_ACCESS_LIMITS } from "../access/limits.js";
import { OpenConnections } from "../access/open-connections.js";
import { ServedOrigins } from "../access/served-origins.js";
import { TrustedProxies } from "../access/trusted-proxies.js";
import { ListenAddressError, PortTakenError } from "../errors.js";
import { isSocketRequest, type SocketServer } from "../websocket/socket-server.js";
import { gatewayResponseClass } from "./gateway-response.js";
import { refuse } from "./refusal.js";
import { rejectionOf } from "./rejected-request.js";

/** Maximum size of the header of a request, in bytes. */
const MAXIMUM_HEADER_BYTES = 16 * 1024;
/** Interval in milliseconds in which slow senders are found. */
const SLOW_SENDER_CHECK_MS = 500;

/** Options of {@link listen}. */
export interface ListenOptions {
  /** Port; 0 lets the system choose. */
  readonly port: number;
  /** IP address to listen on; loopback by default. */
  readonly hostname?: string | undefined;
  /** Limits, origins and proxies; the defaults when absent. */
  readonly access?: Pick<GatewayAccess, "limits" | "origins" | "proxies"> | undefined;
  /** Serves WebSocket connections; none are served when absent. */
  readonly sockets?: Pick<SocketServer, "attach"> | undefined;
}

/** Listening server. */
export interface HttpServer {
  /** Port that it listens on. */
  readonly port: number;
  /**
   * Stops listening, and resolves when no connection is left.
   * @param graceMs - time after which the open requests are aborted; without it they are served to their end
   */
  close(graceMs?: number): Promise<void>;
  /** Stops listening; open requests are served to their end, and other connections remain. */
  pause(): void;
  /**
   * Listens again after {@link HttpServer.pause}.
   * @throws PortTakenError, ListenAddressError
   */
  resume(): Promise<void>;
}

/**
 * Replaces `Request` and `Response` of the process by the classes that the server answers faster with. Otherwise the
 * first {@link listen} does so, when what plugins change is watched already.
 */
export function replaceFetchClasses(): void {
  getRequestListener(() => new Response());
}

/**
 * Listens for HTTP. Connections above the limits, requests that are not valid HTTP and slow senders receive an error
 * and are closed (GW-017).
 * @param app - routes to serve
 * @param options - port, address and limits
 * @throws PortTakenError when another program listens there
 * @throws ListenAddressError when the machine does not have the address
 */
export async function listen(
  app: { readonly fetch: Parameters<typeof getRequestListener>[0] },
  { port, hostname = "127.0.0.1", access, sockets }: ListenOptions,
): Promise<HttpServer> {
  const {
    limits = DEFAULT_ACCESS_LIMITS,
    origins = new ServedOrigins(),
    proxies = new TrustedProxies(),
  } = access ?? {};
  const refused = new WeakSet<Duplex>();
  const responses = new WeakMap<Duplex, ServerResponse>();
  const respond = getRequestListener(app.fetch, { hostname });
  const server = new Server(
    {
      ServerResponse: gatewayResponseClass(origins),
      maxHeaderSize: MAXIMUM_HEADER_BYTES,
      headersTimeout: limits.headerTimeoutMs,
      requestTimeout: Math.max(limits.requestTimeoutMs, limits.headerTimeoutMs),
      connectionsCheckingInterval: SLOW_SENDER_CHECK_MS,
      // Never taken from an option of the process, because a lenient parser allows request smuggling.
      insecureHTTPParser: false,
      shouldUpgradeCallback: (request) =>
        sockets !== undefined && isSocketRequest(request) && !refused.has(request.socket),
    },
    (request, response) => {
      if (refused.has(request.socket)) return;
      responses.set(request.socket, response);
      response.once("close", () => {
        if (!server.listening) server.closeIdleConnections();
      });
      void respond(request, response);
    },
  );
  sockets?.attach(server);
  const connections = new OpenConnections(limits, proxies);
  server.prependListener("connection", (socket) => {
    try {
      connections.add(socket);
    } catch (error) {
      if (!OpenClawError.isInstance(error)) throw error;
      refused.add(socket);
      socket.on("error", () => socket.destroy());
      refuse(socket, error);
    }
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (refused.has(socket)) return;
    const { rejection, status } = rejectionOf(error);
    // A second head would corrupt a response that has begun.
    if (rejection === undefined || responses.get(socket)?.headersSent === true) socket.destroy();
    else refuse(socket, rejection, status);
  });
  await bind(server, port, hostname);
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  let closed: Promise<void> | undefined;
  /** Resolves when the last connection has ended. */
  const stopListening = () => {
    closed ??= new Promise((resolve) => {
      server.close(() => resolve());
      // Clients keep idle connections open for further requests.
      server.closeIdleConnections();
    });
    return closed;
  };
  return {
    port: bound,
    close: (graceMs) => endConnections(server, stopListening(), graceMs),
    pause: () => void stopListening(),
    async resume() {
      closed = undefined;
      await bind(server, bound, hostname);
    },
  };
}

function bind(server: Server, port: number, hostname: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException) => reject(listenFailure(cause, hostname, port));
    server.once("error", fail);
    server.listen(port, hostname, () => {
      server.off("error", fail);
      resolve();
    });
  });
}

function listenFailure(cause: NodeJS.ErrnoException, hostname: string, port: number): Error {
  if (cause.code === "EADDRINUSE") return new PortTakenError(hostname, port, cause);
  if (cause.code === "EADDRNOTAVAIL") {
    const problem = "this machine does not have that address; correct gateway.bind";
    return new ListenAddressError(hostname, problem, cause);
  }
  if (cause.code === "EACCES") {
    const problem = `this user may not listen on port ${port}; set gateway.port to 1024 or more`;
    return new ListenAddressError(hostname, problem, cause);
  }
  return cause;
}

async function endConnections(
  server: Server,
  closed: Promise<void>,
  graceMs: number | undefined,
): Promise<void> {
  const cut =
    graceMs === undefined ? undefined : setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(cut);
}
