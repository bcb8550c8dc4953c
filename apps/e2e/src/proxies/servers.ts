import { once } from "node:events";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, type Server } from "node:net";
import { createServer as createTlsTerminator } from "node:tls";
import { SECURE_EXAMPLE } from "./certificate.js";

/** Servers that a proxy leads to. */
export interface ProxiedServers extends Disposable {
  /** Port of the server that takes plain HTTP. */
  readonly plain: number;
  /** Port of the server with the certificate of `secure.example`. */
  readonly secure: number;
}

/**
 * Starts the servers behind a proxy. Without a given one they answer with `plain` or `secure` and the host.
 * @param port - port on 127.0.0.1 of the server that takes all requests, also those by TLS
 */
export async function startProxiedServers(port?: number): Promise<ProxiedServers> {
  const servers: Server[] = [];
  const start = async (server: Server) => {
    servers.push(server);
    return await listen(server);
  };
  const plain =
    port ??
    (await start(createServer(({ headers }, answer) => answer.end(`plain ${headers.host}`))));
  const secure = await start(
    port === undefined
      ? createTlsServer(SECURE_EXAMPLE, ({ headers }, answer) =>
          answer.end(`secure ${headers.host}`),
        )
      : createTlsTerminator(SECURE_EXAMPLE, (socket) => {
          const target = connect(port, "127.0.0.1");
          socket.pipe(target).pipe(socket);
          for (const each of [socket, target]) each.on("error", () => each.destroy());
        }),
  );
  return {
    plain,
    secure,
    [Symbol.dispose]() {
      for (const server of servers) closeAll(server);
    },
  };
}

/** Listens on a free port of 127.0.0.1, and returns it. */
export async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

function closeAll(server: Server): void {
  if ("closeAllConnections" in server && typeof server.closeAllConnections === "function") {
    server.closeAllConnections();
  }
  server.close();
}
