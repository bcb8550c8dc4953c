import { once } from "node:events";
import { readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import tls from "node:tls";
import { inspect } from "node:util";
import { createChatBridge } from "@openclaw/chat-bridge";
import {
  createTestHost,
  startDiscordServer,
  startSlackServer,
  startTeamsServer,
  startWhatsAppServer,
  type TeamsBot,
  type TestHost,
} from "@openclaw/plugin-testkit";
import { useProxyOf } from "@openclaw/safety";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { SECURE_EXAMPLE } from "../../src/proxies/certificate.js";
import { startForwardProxy } from "../../src/proxies/forward.js";
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

/** A platform behind a proxy: its fake server, settings of its channel, and one exchange with it. */
interface Platform extends AsyncDisposable {
  readonly port: number;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Options of the adapter that a configuration cannot express. */
  readonly adapterOptions?: Readonly<Record<string, unknown>>;
  /** Resolves when the channel is connected. */
  connected(host: TestHost): Promise<void>;
  /** Writes as a person, and returns the reply. */
  exchange(): Promise<string>;
}

/** Sends requests of a platform to the host, which starts later. */
type Inbound = (path: string, init: RequestInit) => Promise<Response>;

const REPLY = "Hello through the proxy.";
const TEAMS_ADAPTER =
  "../../../../extensions/chat-bridge/node_modules/@chat-adapter/teams/package.json";
const ENDPOINT = "https://gateway.example/plugins/chat-bridge";

const PLATFORMS: Readonly<Record<string, (inbound: Inbound, origin: string) => Promise<Platform>>> =
  {
    async discord(inbound, origin) {
      const interactionsUrl = `${ENDPOINT}/discord`;
      const request = ({ pathname }: URL, init: RequestInit) => inbound(pathname, init);
      const server = await startDiscordServer({ interactionsUrl, request, origin });
      const { botToken, applicationId, publicKey, apiUrl, port } = server;
      return {
        port,
        settings: { botToken, applicationId, publicKey, apiUrl },
        async connected(host) {
          while (!(await server.verifyUrl())) await host.advance(1000);
        },
        async exchange() {
          server.say("hi");
          return (await server.message(({ author }) => author.bot)).content;
        },
        [Symbol.asyncDispose]: () => server.close(),
      };
    },
    async slack(inbound, origin) {
      const page = readFileSync(
        new URL("../../../../docs/channels/slack.md", import.meta.url),
        "utf8",
      );
      const [, manifest = ""] = /```json\n(.*?)```/s.exec(page) ?? [];
      const request = ({ pathname }: URL, init: RequestInit) =>
        inbound(`${pathname}/default`, init);
      const server = await startSlackServer({ manifest: JSON.parse(manifest), request, origin });
      const { botToken, signingSecret, apiUrl, port } = server;
      return {
        port,
        settings: { botToken, signingSecret, apiUrl },
        async connected(host) {
          while (!(await server.verifyUrl())) await host.advance(1000);
        },
        async exchange() {
          await server.say("hi");
          return (await server.message(({ user }) => user === server.botUserId)).text;
        },
        [Symbol.asyncDispose]: () => server.close(),
      };
    },
    async teams(inbound, origin) {
      const messagingEndpoint = `${ENDPOINT}/teams`;
      const request = ({ pathname }: URL, init: RequestInit) => inbound(pathname, init);
      const server = await startTeamsServer({ messagingEndpoint, request, origin });
      const { bot, serviceUrl: apiUrl, port } = server;
      onTestFinished(useKeysOf(server.openIdMetadataUrl));
      const { appId, appPassword, tenantId: appTenantId } = bot;
      return {
        port,
        settings: {
          ...{ appId, appPassword, appTenantId, apiUrl, userName: "OpenClaw" },
          loginUrl: origin,
        },
        // The library asks for a token at Microsoft only.
        adapterOptions: { token: () => tokenOf(origin, bot) },
        connected: async () => undefined,
        async exchange() {
          // The channel answers once it is connected.
          const said = async () => (await server.say("hi")).status;
          await expect.poll(said, { timeout: 20_000 }).toBe(200);
          return (await server.message(({ text }) => text !== "")).text;
        },
        [Symbol.asyncDispose]: () => server.close(),
      };
    },
    async whatsapp(inbound, origin) {
      const callbackUrl = `${ENDPOINT}/whatsapp`;
      const request = ({ pathname, search }: URL, init: RequestInit) =>
        inbound(pathname + search, init);
      const server = await startWhatsAppServer({ callbackUrl, request, origin });
      const { accessToken, appSecret, phoneNumberId, verifyToken, apiUrl, port } = server;
      return {
        port,
        settings: { accessToken, appSecret, phoneNumberId, verifyToken, apiUrl },
        async connected(host) {
          while (!(await server.verifyUrl())) await host.advance(1000);
        },
        async exchange() {
          await server.say("hi");
          return (await server.message(() => true)).text;
        },
        [Symbol.asyncDispose]: () => server.close(),
      };
    },
  };

/** Keys of the fake connector: the adapter has no option for their URL, which is a field of the library's app. */
function useKeysOf(openIdMetadataUrl: string): () => void {
  const adapter = createRequire(realpathSync(new URL(TEAMS_ADAPTER, import.meta.url)));
  const { App } = adapter("@microsoft/teams.apps");
  const { initialize } = App.prototype;
  App.prototype.initialize = async function () {
    this.cloud = { ...this.cloud, openIdMetadataUrl };
    await initialize.call(this);
  };
  return () => {
    App.prototype.initialize = initialize;
  };
}

async function tokenOf(
  origin: string,
  { tenantId, appId, appPassword }: TeamsBot,
): Promise<string> {
  const response = await fetch(`${origin}/${tenantId}/oauth2/v2.0/token`, {
    method: "POST",
    body: new URLSearchParams({
      ...{ grant_type: "client_credentials", client_id: appId, client_secret: appPassword },
      scope: "https://api.botframework.com/.default",
    }),
  });
  return Object(await response.json()).access_token;
}

async function hostOf(
  platform: Platform,
  channel: string,
  receive: (host: TestHost) => void,
): Promise<void> {
  const { settings, adapterOptions = {} } = platform;
  const host = await createTestHost({
    plugin: createChatBridge({ adapterOptions }),
    model: [{ text: REPLY }],
    config: { channels: { [channel]: { ...settings, dmPolicy: "open" } } },
  });
  receive(host);
  onTestFinished(async () => {
    // First, because clients keep their connections open until the platform closes them.
    await platform[Symbol.asyncDispose]();
    await host.dispose();
  });
  await platform.connected(host);
}

/** Another port for each proxy: the library of Teams keeps the keys of an origin. */
describe.each([
  ["HTTP", 443],
  ["SOCKS 5", 8443],
])("behind a proxy of %s with credentials", (kind, port) => {
  it.each(Object.entries(PLATFORMS))(
    "[SAFE-560] the channel %s receives and sends",
    async (channel, startPlatform) => {
      let host: TestHost | undefined;
      const platform = await startPlatform(
        async (path, init) => {
          if (host === undefined) return new Response(null, { status: 503 });
          return await host.request(path, { ...init, authenticated: false });
        },
        `https://${HOST}${port === 443 ? "" : `:${port}`}`,
      );
      const proxy = await PROXIES[kind]?.(platform.port);
      if (proxy === undefined) throw new Error("unreachable");
      await use(proxy);
      await hostOf(platform, channel, (running) => {
        host = running;
      });
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
  async (channel, startPlatform) => {
    const platform = await startPlatform(
      async () => new Response(null, { status: 503 }),
      `https://${HOST}`,
    );
    onTestFinished(() => platform[Symbol.asyncDispose]());
    const proxy = await startForwardProxy({ credentials: "me:right" });
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    await use({ url: `http://me:wrong-password@127.0.0.1:${proxy.port}`, seen: proxy.seen });
    const { settings, adapterOptions = {} } = platform;
    await using host = await createTestHost({
      plugin: createChatBridge({ adapterOptions }),
      config: { channels: { [channel]: settings } },
    });
    const told = () => host.logs.filter(({ message }) => message.includes(channel));
    await expect.poll(() => told().length, { timeout: 20_000 }).toBeGreaterThan(0);
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
