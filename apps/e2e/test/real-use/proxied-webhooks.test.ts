import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import tls from "node:tls";
import { inspect } from "node:util";
import declarativeHooks from "@openclaw/declarative-hooks";
import { openOutboundWebhook } from "@openclaw/plugin-sdk/outbound-webhook";
import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { createTestHost } from "@openclaw/plugin-testkit";
import { useProxyOf } from "@openclaw/safety";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { SECURE_EXAMPLE } from "../../src/proxies/certificate.js";
import { resolveExamples } from "../../src/proxies/direct.js";
import { startForwardProxy } from "../../src/proxies/forward.js";
import { startSocksProxy } from "../../src/proxies/socks.js";

const URL_OF_HOOK = "https://secure.example/hook";
const PUBLIC_ADDRESS = "93.184.216.34";
const PASSWORD = "right-password";
const manifest = JSON.parse(
  readFileSync(
    new URL("../../../../extensions/declarative-hooks/openclaw.plugin.json", import.meta.url),
    "utf8",
  ),
);
const certificates = tls.getCACertificates("default");

beforeAll(() => tls.setDefaultCACertificates([...certificates, SECURE_EXAMPLE.cert]));
afterAll(() => tls.setDefaultCACertificates(certificates));
afterEach(() => useProxyOf({}));

/** Starts a receiver of hooks behind a proxy with credentials, which this process uses with the given password. */
async function behindProxy(kind: string, password = PASSWORD) {
  const received: string[] = [];
  const receiver = createServer((request, response) => {
    received.push(`${request.method} ${request.url} ${request.headers["x-webhook-event"] ?? ""}`);
    response.end('{"action":"continue"}');
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  onTestFinished(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  const { port } = receiver.address() as AddressInfo;
  const proxy =
    kind === "HTTP"
      ? await startForwardProxy({ serverPort: port, credentials: `me:${PASSWORD}` })
      : await startSocksProxy({ user: "me", password: PASSWORD }, port);
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  const scheme = kind === "HTTP" ? "http" : "socks5h";
  await useProxyOf({ HTTPS_PROXY: `${scheme}://me:${password}@127.0.0.1:${proxy.port}` });
  const targets = () => new Set(proxy.seen.map((line) => /[\w.]+:\d+/.exec(line)?.[0]));
  return { received, targets };
}

/** Sends an event by each way: a hook that waits for its answer, one that does not, and a webhook of a plugin. */
async function sendAll(allowHosts: readonly string[]) {
  const audit = definePluginEntry({
    id: "audit",
    register(api) {
      const webhook = openOutboundWebhook(api, { name: "audit", url: URL_OF_HOOK });
      api.lifecycle.onDispose(() => webhook.close());
      api.on("message_received", async () => {
        const hook = { name: "audit", point: "message_received", id: "audit" };
        await webhook.send({ event: "message_received", hook, data: {} });
      });
    },
  });
  const points = ["beforeInbound"];
  const host = await createTestHost({
    ...{ plugin: declarativeHooks, manifest },
    pluginConfig: {
      outbound_webhooks: [{ name: "all", points, url: URL_OF_HOOK }],
      hooks: [{ name: "asked", points, action: { type: "http", url: URL_OF_HOOK } }],
    },
    neighbours: [audit],
    model: "demo/echo",
    config: { tools: { http: { allowHosts: [...allowHosts] } } },
  });
  onTestFinished(() => host.dispose());
  await host.turn("hi");
  return host;
}

describe.each(["HTTP", "SOCKS 5"])("behind a proxy of %s with credentials", (kind) => {
  it("[SAFE-741] hooks and webhooks are sent through the proxy", async () => {
    const { received, targets } = await behindProxy(kind);
    await sendAll(["secure.example:443"]);
    await vi.waitFor(() => expect(received).toHaveLength(3), 60_000);
    expect(new Set(received)).toEqual(
      new Set(["POST /hook ", "POST /hook beforeInbound", "POST /hook message_received"]),
    );
    expect(targets()).toEqual(new Set(["secure.example:443"]));
  });

  it("[SAFE-741] the proxy connects to the address that was checked", async () => {
    using _names = resolveExamples(PUBLIC_ADDRESS);
    const { received, targets } = await behindProxy(kind);
    await sendAll([]);
    await vi.waitFor(() => expect(received).toHaveLength(3), 60_000);
    expect(targets()).toEqual(new Set([`${PUBLIC_ADDRESS}:443`]));
  });

  it("[SAFE-741] a private address behind the proxy is not asked for", async () => {
    using _names = resolveExamples("10.0.0.1");
    const { received, targets } = await behindProxy(kind);
    const host = await sendAll([]);
    await vi.waitFor(() => expect(inspect(host.logs, { depth: 9 })).toContain("10.0.0.1"), 60_000);
    expect(received).toEqual([]);
    expect(targets()).toEqual(new Set());
  });

  it("[SAFE-741] a denial of the proxy is logged without the password", async () => {
    const { received } = await behindProxy(kind, "wrong-password");
    const host = await sendAll(["secure.example:443"]);
    const logs = () => inspect(host.logs, { depth: 12 });
    await vi.waitFor(
      () => expect(logs()).toContain("did not connect to secure.example:443"),
      10_000,
    );
    expect(received).toEqual([]);
    expect(logs()).not.toContain("wrong-password");
    expect(logs()).not.toContain(Buffer.from("me:wrong-password").toString("base64"));
  });
});
