import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/**
 * Starts a real server on loopback, which is closed when the running test ends.
 * @param listener - handles requests
 * @returns its URL, and its entry for `allowHosts`
 */
export async function loopbackServer(
  listener: RequestListener,
): Promise<{ url: string; host: string; port: number }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  return { url: `http://${host}`, host, port };
}

/** Starts a server on loopback that records the host and path of each request. */
export async function countingServer() {
  const requests: string[] = [];
  const server = await loopbackServer((request, response) => {
    requests.push(`${request.headers.host}${request.url}`);
    response.end("reached");
  });
  return { ...server, requests };
}
