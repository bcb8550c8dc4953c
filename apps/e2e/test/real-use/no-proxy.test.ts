import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import tls from "node:tls";
import declarativeHooks from "@openclaw/declarative-hooks";
import { createTestHost } from "@openclaw/plugin-testkit";
import { useProxyOf } from "@openclaw/safety";
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { SECURE_EXAMPLE } from "../../src/proxies/certificate.js";
import { resolveExamples, startDirectServer } from "../../src/proxies/direct.js";
import { startForwardProxy } from "../../src/proxies/forward.js";
import { platformHost } from "../../src/proxies/platform-host.js";
import { PLATFORMS } from "../../src/proxies/platforms.js";

const manifest = JSON.parse(
  readFileSync(
    new URL("../../../../extensions/declarative-hooks/openclaw.plugin.json", import.meta.url),
    "utf8",
  ),
);
const certificates = tls.getCACertificates("default");
const REPLY = "Hello without a proxy.";
let names: Disposable;

beforeAll(() => {
  tls.setDefaultCACertificates([...certificates, SECURE_EXAMPLE.cert]);
  names = resolveExamples("127.0.0.1");
});
afterAll(() => {
  names[Symbol.dispose]();
  tls.setDefaultCACertificates(certificates);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await useProxyOf({});
});

/** Lets this process use a proxy except for one name; returns what asks the proxy. */
async function useProxyExcept(exceptions: string): Promise<readonly string[]> {
  const proxy = await startForwardProxy();
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  const variables = { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url, NO_PROXY: exceptions };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  await useProxyOf(variables);
  return proxy.seen;
}

async function direct() {
  const server = await startDirectServer();
  onTestFinished(() => server[Symbol.dispose]());
  return server;
}

const CHANNELS = Object.entries(PLATFORMS).map(
  ([name, startPlatform]) => [`the channel ${name}`, startPlatform] as const,
);

it.each(CHANNELS)(
  "[SAFE-740] %s reaches a platform of NO_PROXY without the proxy",
  async (_name, startPlatform) => {
    const server = await direct();
    const host = platformHost();
    const origin = `https://secure.example:${server.port}`;
    const platform = await startPlatform(host.inbound, origin);
    server.leadTo(platform.port);
    const seen = await useProxyExcept(".example");
    await host.start(platform, { model: [{ text: REPLY }] });
    expect(await platform.exchange()).toContain(REPLY);
    expect(seen).toEqual([]);
  },
  30_000,
);

const ACTIONS = ["http", "webhook"] as const;

it.each(ACTIONS)(
  "[SAFE-740] a hook with the action %s reaches a host of NO_PROXY without the proxy",
  async (type) => {
    const received: string[] = [];
    const receiver = createServer((request, response) => {
      received.push(`${request.method} ${request.url}`);
      response.end("{}");
    }).listen(0, "127.0.0.1");
    await once(receiver, "listening");
    onTestFinished(() => {
      receiver.closeAllConnections();
      receiver.close();
    });
    const server = await direct();
    server.leadTo((receiver.address() as AddressInfo).port);
    const seen = await useProxyExcept("secure.example");
    const url = `https://secure.example:${server.port}/hook`;
    await using host = await createTestHost({
      ...{ plugin: declarativeHooks, manifest },
      pluginConfig: { hooks: [{ name: "told", points: ["beforeInbound"], action: { type, url } }] },
      config: { tools: { http: { allowHosts: [`secure.example:${server.port}`] } } },
    });
    await host.fire("message_receiving", {
      ...{ content: "hi", from: "ada", senderId: "ada", channel: "telegram", isGroup: false },
    });
    await vi.waitFor(() => expect(received).toEqual(["POST /hook"]), 60_000);
    expect(seen).toEqual([]);
  },
);
