import { once } from "node:events";
import tls from "node:tls";
import { inspect } from "node:util";
import { startDiscordServer } from "@openclaw/platform-fakes";
import { createTestHost } from "@openclaw/plugin-testkit";
import { useProxyOf } from "@openclaw/safety";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { SECURE_EXAMPLE } from "../../src/proxies/certificate.js";
import { startForwardProxy } from "../../src/proxies/forward.js";
import { platformHost } from "../../src/proxies/platform-host.js";
import { PLATFORMS } from "../../src/proxies/platforms.js";
import { startSocksProxy } from "../../src/proxies/socks.js";

/** Host of every platform here; only the proxy knows the name. */
const HOST = "secure.example";
const certificates = tls.getCACertificates("default");

beforeAll(() => tls.setDefaultCACertificates([...certificates, SECURE_EXAMPLE.cert]));
afterAll(() => tls.setDefaultCACertificates(certificates));
afterEach(async () => {
  vi.unstubAllEnvs();
  await useProxyOf({});
});

/** A proxy with credentials in front of a platform, and what its URL is. */
interface Proxy {
  readonly url: string;
  readonly seen: readonly string[];
}

const PROXIES: Readonly<Record<string, (serverPort: number) => Promise<Proxy>>> = {
  async HTTP(serverPort) {
    const proxy = await startForwardProxy({ serverPort, credentials: "me:p@ss" });
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    return { url: `http://me:p%40ss@127.0.0.1:${proxy.port}`, seen: proxy.seen };
  },
  async "SOCKS 5"(serverPort) {
    const proxy = await startSocksProxy({ user: "me", password: "p@ss" }, serverPort);
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    return { url: `socks5://me:p%40ss@127.0.0.1:${proxy.port}`, seen: proxy.seen };
  },
};

/** Lets this process and the libraries in it, some of which read the variables themselves, use a proxy. */
async function use({ url }: Proxy, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const variables = { HTTPS_PROXY: url, HTTP_PROXY: url, ...more };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  await useProxyOf(variables);
}

const REPLY = "Hello through the proxy.";
const ENDPOINT = "https://gateway.example/plugins/chat-bridge";

/** Another port for each proxy: the library of Teams keeps the keys of an origin. */
describe.each([
  ["HTTP", 443],
  ["SOCKS 5", 8443],
])("behind a proxy of %s with credentials", (kind, port) => {
  it.each(Object.entries(PLATFORMS))(
    "[SAFE-560] the channel %s receives and sends",
    async (_name, startPlatform) => {
      const host = platformHost();
      const platform = await startPlatform(
        host.inbound,
        `https://${HOST}${port === 443 ? "" : `:${port}`}`,
      );
      const proxy = await PROXIES[kind]?.(platform.port);
      if (proxy === undefined) throw new Error("unreachable");
      await use(proxy);
      await host.start(platform, { model: [{ text: REPLY }] });
      expect(await platform.exchange()).toContain(REPLY);
      expect(new Set(proxy.seen.map((line) => /[\w.]+:\d+/.exec(line)?.[0]))).toEqual(
        new Set([`${HOST}:${port}`]),
      );
    },
    30_000,
  );
});

it.each(Object.entries(PLATFORMS))(
  "[SAFE-560] the channel %s shows no password of a proxy that denies it",
  async (_name, startPlatform) => {
    const platform = await startPlatform(
      async () => new Response(null, { status: 503 }),
      `https://${HOST}`,
    );
    onTestFinished(() => platform[Symbol.asyncDispose]());
    const proxy = await startForwardProxy({ credentials: "me:right" });
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    await use({ url: `http://me:wrong-password@127.0.0.1:${proxy.port}`, seen: proxy.seen });
    const { channel, settings, plugin } = platform;
    await using host = await createTestHost({
      plugin,
      config: { channels: { [channel]: settings } },
    });
    const told = () => host.logs.filter(({ message }) => message.includes(channel));
    await expect.poll(() => told().length, { timeout: 60_000 }).toBeGreaterThan(0);
    expect(proxy.seen.every((line) => line.startsWith(`CONNECT ${HOST}:443`))).toBe(true);
    const logs = inspect(host.logs, { depth: 12 });
    expect(logs).toMatch(
      /\(with credentials\) did not connect to secure\.example:443: it answered 407/,
    );
    expect(logs).not.toContain("wrong-password");
    expect(logs).not.toContain(Buffer.from("me:wrong-password").toString("base64"));
  },
  30_000,
);

it.each(["wss://secure.example/", "ws://plain.example/"])(
  "[SAFE-560] the WebSocket %s of a process goes through a tunnel",
  async (url) => {
    const server = await startDiscordServer({
      interactionsUrl: `${ENDPOINT}/discord`,
      request: async () => new Response(null),
    });
    onTestFinished(() => server.close());
    const proxy = await PROXIES.HTTP?.(server.port);
    if (proxy === undefined) throw new Error("unreachable");
    await use(proxy);
    const socket = new WebSocket(url);
    const [{ data }] = await once(socket, "message");
    expect(JSON.parse(String(data))).toMatchObject({ op: 10 });
    expect(proxy.seen).toEqual([
      `CONNECT ${new URL(url).hostname}:${url.startsWith("wss") ? 443 : 80} as me:p@ss`,
    ]);
    socket.close();
  },
);
