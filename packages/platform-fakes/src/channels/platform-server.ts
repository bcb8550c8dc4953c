import type { IncomingHttpHeaders, Server } from "node:http";
import { LoopbackServer } from "../loopback-server.js";

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

/**
 * Starts the HTTP side of a fake platform.
 * @param answer - answers a request; a {@link HangUp} closes the connection
 * @param origin - origin under which clients reach the server, for example through a proxy; that of loopback when absent
 */
export async function startPlatformServer(
  answer: (request: PlatformRequest) => PlatformAnswer | Promise<PlatformAnswer>,
  origin?: string | undefined,
): Promise<PlatformServer> {
  const server = new LoopbackServer(
    async ({ method, path, headers: sent, body: bytes }, outgoing) => {
      const { pathname, searchParams: query } = new URL(path, "http://platform");
      const request = { method, path: pathname, query, headers: sent, body: bytes };
      const { status = 200, headers, body } = await answer(request);
      const isBytes = body instanceof Uint8Array;
      const type = isBytes ? "application/octet-stream" : "application/json";
      outgoing.writeHead(status, { "content-type": type, ...headers });
      outgoing.end(body === undefined || isBytes ? body : JSON.stringify(body));
    },
  );
  await server.listen();
  const { http, port } = server;
  return { origin: origin ?? server.origin, port, http, close: () => server.close() };
}
