import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { closeWithConnections, listenOnLoopback, loopbackHost } from "../loopback.js";

/** Request that a fake platform received. */
export interface PlatformRequest {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Answer of a fake platform. */
export interface PlatformAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Object that is sent as JSON, or bytes. */
  readonly body?: object | Uint8Array;
}

/** Failure of a platform, for the next request. */
export type PlatformFault =
  | { readonly kind: "rate-limit"; readonly retryAfterS: number }
  | { readonly kind: "outage"; readonly status?: number }
  /** The connection is closed after the request was processed. */
  | { readonly kind: "lost-answer" }
  /** The connection is closed before the request is processed. */
  | { readonly kind: "hang-up" };

/** HTTP side of a fake platform. */
export interface PlatformServer {
  /** For example `http://127.0.0.1:4711`. */
  readonly origin: string;
  readonly port: number;
  /** The server, for connections that are not HTTP requests. */
  readonly http: Server;
  close(): Promise<void>;
}

/** Closes the connection of a request instead of answering it. */
export class HangUp extends Error {}

/**
 * Starts the HTTP side of a fake platform.
 * @param answer - answers a request; a {@link HangUp} closes the connection
 * @param origin - origin under which clients reach the server, for example through a proxy; that of loopback when absent
 */
export async function startPlatformServer(
  answer: (request: PlatformRequest) => PlatformAnswer | Promise<PlatformAnswer>,
  origin?: string | undefined,
): Promise<PlatformServer> {
  const server = createServer(async (incoming, outgoing) => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
      const url = new URL(incoming.url ?? "/", "http://platform");
      const {
        status = 200,
        headers,
        body,
      } = await answer({
        method: incoming.method ?? "GET",
        path: url.pathname,
        query: url.searchParams,
        headers: incoming.headers,
        body: Buffer.concat(chunks),
      });
      const isBytes = body instanceof Uint8Array;
      const type = isBytes ? "application/octet-stream" : "application/json";
      outgoing.writeHead(status, { "content-type": type, ...headers });
      outgoing.end(body === undefined || isBytes ? body : JSON.stringify(body));
    } catch (error) {
      if (error instanceof HangUp) incoming.socket.resetAndDestroy();
      else outgoing.writeHead(500).end(String(error));
    }
  });
  await listenOnLoopback(server);
  const own = `http://${loopbackHost(server)}`;
  return {
    origin: origin ?? own,
    port: Number(new URL(own).port),
    http: server,
    async close() {
      await closeWithConnections(server);
    },
  };
}
