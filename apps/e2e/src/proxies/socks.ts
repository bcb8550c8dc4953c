import { connect, createServer, type Socket } from "node:net";
import { listen, startProxiedServers } from "./servers.js";

/** SOCKS 5 proxy, with the servers behind it. */
export interface SocksProxy extends AsyncDisposable {
  readonly port: number;
  /** Targets of the connections in order, as `host:port`. */
  readonly seen: readonly string[];
}

/** User name and password that a {@link SocksProxy} demands. */
export interface SocksCredentials {
  readonly user: string;
  readonly password: string;
}

/**
 * Starts a SOCKS 5 proxy on a free port. Port 443 or 8443 of any host leads to a server with the certificate of
 * `secure.example`; everything else leads to a plain server.
 * @param credentials - user name and password; none are demanded when absent
 * @param serverPort - port on 127.0.0.1 of the server behind the proxy, also by TLS
 */
export async function startSocksProxy(
  credentials?: SocksCredentials,
  serverPort?: number,
): Promise<SocksProxy> {
  const seen: string[] = [];
  const behind = await startProxiedServers(serverPort);
  const sockets = new Set<Socket>();
  const proxy = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    serve(socket, credentials, (target) => {
      seen.push(target);
      return target.endsWith("443") ? behind.secure : behind.plain;
    }).catch(() => socket.destroy());
  });
  return {
    port: await listen(proxy),
    seen,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      behind[Symbol.dispose]();
      proxy.close();
    },
  };
}

/** Takes one connection through the steps of RFC 1928 and RFC 1929. */
async function serve(
  socket: Socket,
  credentials: SocksCredentials | undefined,
  portOf: (target: string) => number,
): Promise<void> {
  const [, methodCount = 0] = await read(socket, 2);
  await read(socket, methodCount);
  socket.write(Buffer.from([5, credentials === undefined ? 0 : 2]));
  if (credentials !== undefined) {
    const [, userLength = 0] = await read(socket, 2);
    const user = (await read(socket, userLength)).toString();
    const [passwordLength = 0] = await read(socket, 1);
    const password = (await read(socket, passwordLength)).toString();
    const isRight = user === credentials.user && password === credentials.password;
    socket.write(Buffer.from([1, isRight ? 0 : 1]));
    if (!isRight) return void socket.end();
  }
  const [, , , kind = 0] = await read(socket, 4);
  const length = kind === 1 ? 4 : kind === 4 ? 16 : ((await read(socket, 1))[0] ?? 0);
  const address = await read(socket, length);
  const host = kind === 3 ? address.toString() : [...address].join(".");
  const port = (await read(socket, 2)).readUInt16BE();
  const target = connect(portOf(`${host}:${port}`), "127.0.0.1");
  target.once("connect", () => {
    socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
    target.pipe(socket).pipe(target);
  });
  target.on("error", () => socket.destroy());
}

async function read(socket: Socket, length: number): Promise<Buffer> {
  for (;;) {
    const chunk: unknown = length === 0 ? Buffer.alloc(0) : socket.read(length);
    if (Buffer.isBuffer(chunk)) return chunk;
    await new Promise<void>((resolve, reject) => {
      socket.once("readable", resolve);
      socket.once("close", () => reject(new Error("the connection was closed")));
    });
  }
}
