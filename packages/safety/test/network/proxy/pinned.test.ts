import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { NetworkClient, useProxyOf } from "../../../src/index.js";

afterEach(() => useProxyOf({}));

/** Starts a proxy that rejects every connection, and records its targets. */
async function refusingProxy(): Promise<string[]> {
  const targets: string[] = [];
  const proxy = createServer().on("connect", (request, socket) => {
    targets.push(request.url ?? "");
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => void proxy.close());
  await useProxyOf({ HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` });
  return targets;
}

function clientFor(address: string): NetworkClient {
  const client = new NetworkClient({ resolveHost: async () => [{ address, family: 4 }] });
  onTestFinished(() => client.close());
  return client;
}

it("[SAFE-221] asks the proxy for the checked address, never for the name", async () => {
  const targets = await refusingProxy();
  const failure = await clientFor("93.184.216.34")
    .fetch("https://public.example/")
    .catch(({ cause }: Error) => cause);
  expect(failure).toMatchObject({ code: "PROXY_CONNECTION_FAILED" });
  expect(targets).toEqual(["93.184.216.34:443"]);
});

it("[SAFE-221] does not ask the proxy for a private address", async () => {
  const targets = await refusingProxy();
  await expect(clientFor("10.0.0.1").fetch("https://private.example/")).rejects.toMatchObject({
    code: "NETWORK_DENIED",
    reason: "forbidden-address",
  });
  expect(targets).toEqual([]);
});
