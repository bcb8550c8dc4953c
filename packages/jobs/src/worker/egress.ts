import { connect, createServer } from "node:net";

/** Variables by which programs find a proxy. */
const VARIABLES = [
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "http_proxy",
  "https_proxy",
  "all_proxy",
];

/**
 * Opens a port in the sandbox that leads to the proxy of the host, because programs know proxies by host and port.
 * @param socket - path of the socket of the proxy
 * @returns the variables with which programs use it
 */
export async function openEgress(socket: string): Promise<Readonly<Record<string, string>>> {
  const port = await openRelay(socket);
  return Object.fromEntries(VARIABLES.map((name) => [name, `http://127.0.0.1:${port}`]));
}

/**
 * Opens a port in the sandbox that leads to a socket of the host, for programs that know no sockets.
 * @param socket - path of the socket
 * @returns the port
 */
export async function openRelay(socket: string): Promise<number> {
  const server = createServer((incoming) => {
    const outgoing = connect(socket);
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      from.on("error", () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Programs of the worker use it; it does not keep the worker running.
  server.unref();
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
