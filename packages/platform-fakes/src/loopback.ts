import { once } from "node:events";
import type { Server } from "node:http";

/**
 * Starts to listen on a free port of the loopback interface.
 * @param server - HTTP server of a fake service
 */
export async function listenOnLoopback(server: Server): Promise<void> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
}

/**
 * Returns host and port of a server, for example `127.0.0.1:40001`.
 * @param server - HTTP server that listens
 * @throws Error when it does not listen
 */
export function loopbackHost(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === "string") {
    throw new Error("the server does not listen; call listen first");
  }
  return `127.0.0.1:${address.port}`;
}

/**
 * Closes a server and its connections; one that does not listen is left as it is.
 * @param server - HTTP server of a fake service
 */
export async function closeWithConnections(server: Server): Promise<void> {
  server.closeAllConnections();
  if (!server.listening) return;
  server.close();
  await once(server, "close");
}
