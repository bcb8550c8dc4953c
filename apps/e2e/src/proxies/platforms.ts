import { readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { setTimeout as wait } from "node:timers/promises";
import { createChatBridge } from "@openclaw/chat-bridge";
import {
  startDiscordServer,
  startSlackServer,
  startTeamsServer,
  startTelegramServer,
  startWhatsAppServer,
  type TeamsBot,
  type TelegramServer,
} from "@openclaw/platform-fakes";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import type { TestHost } from "@openclaw/plugin-testkit";
import telegram from "@openclaw/telegram";

/** A platform behind a proxy: its fake server, the channel and its settings, and one exchange with it. */
export interface Platform extends AsyncDisposable {
  readonly channel: string;
  readonly port: number;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly plugin: PluginDefinition;
  /** Limits of messages, once a test enforces them. */
  readonly rates: TelegramServer["rates"];
  /** Resolves when the channel is connected. */
  connected(host: TestHost): Promise<void>;
  /** Messages of the bot as strings, oldest first. */
  texts(): readonly string[];
  /** Names of the files of the bot, oldest first. */
  fileNames(): readonly string[];
  /** Writes as a person, and returns the reply. */
  exchange(): Promise<string>;
}

/** Sends requests of a platform to the host, which starts later. */
export type Inbound = (path: string, init: RequestInit) => Promise<Response>;

const TEAMS_ADAPTER =
  "../../../../extensions/chat-bridge/node_modules/@chat-adapter/teams/package.json";
const ENDPOINT = "https://gateway.example/plugins/chat-bridge";

/**
 * Starts a platform.
 * @param inbound - sends its requests to the host
 * @param origin - origin under which the host reaches it; that of loopback when absent
 */
export type StartPlatform = (inbound: Inbound, origin?: string) => Promise<Platform>;

/** Every platform with a channel, by the name of the channel and of its way to receive. */
export const PLATFORMS: Readonly<Record<string, StartPlatform>> = {
  async discord(inbound, origin) {
    const interactionsUrl = `${ENDPOINT}/discord`;
    const request = ({ pathname }: URL, init: RequestInit) => inbound(pathname, init);
    const server = await startDiscordServer({ interactionsUrl, request, ...at(origin) });
    const { botToken, applicationId, publicKey, apiUrl, port } = server;
    return {
      ...{ channel: "discord", port, plugin: createChatBridge(), rates: server.rates },
      texts: () =>
        server.guild.messages.all
          .filter(({ author }) => author.bot)
          .map(({ content, embeds }) => [content, ...embeds].join("\n")),
      fileNames: () =>
        server.guild.messages.all.flatMap(({ files }) => files.map(({ name }) => name)),
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
  slack: (inbound, origin) => startSlack(inbound, origin, false),
  "slack by Socket Mode": (inbound, origin) => startSlack(inbound, origin, true),
  async teams(inbound, origin) {
    const messagingEndpoint = `${ENDPOINT}/teams`;
    const request = ({ pathname }: URL, init: RequestInit) => inbound(pathname, init);
    const server = await startTeamsServer({ messagingEndpoint, request, ...at(origin) });
    const { bot, serviceUrl: apiUrl, port } = server;
    const restore = useKeysOf(server.openIdMetadataUrl);
    const { appId, appPassword, tenantId: appTenantId } = bot;
    // The library asks for a token at Microsoft only.
    const adapterOptions = { token: () => tokenOf(server.origin, bot) };
    return {
      ...{ channel: "teams", port, plugin: createChatBridge({ adapterOptions }) },
      rates: server.rates,
      texts: () => server.sent.all.map(({ text }) => text),
      // Images have no names.
      fileNames: () => [],
      settings: {
        ...{ appId, appPassword, appTenantId, apiUrl, userName: "OpenClaw" },
        loginUrl: server.origin,
      },
      connected: async () => undefined,
      async exchange() {
        // The channel answers once it is connected.
        while ((await server.say("hi")).status !== 200) await wait(20);
        return (await server.message(({ text }) => text !== "")).text;
      },
      async [Symbol.asyncDispose]() {
        restore();
        await server.close();
      },
    };
  },
  async whatsapp(inbound, origin) {
    const callbackUrl = `${ENDPOINT}/whatsapp`;
    const request = ({ pathname, search }: URL, init: RequestInit) =>
      inbound(pathname + search, init);
    const server = await startWhatsAppServer({ callbackUrl, request, ...at(origin) });
    const { accessToken, appSecret, phoneNumberId, verifyToken, apiUrl, port } = server;
    return {
      ...{ channel: "whatsapp", port, plugin: createChatBridge(), rates: server.rates },
      texts: () => server.sent.all.map(({ text }) => text),
      fileNames: () => server.sent.all.flatMap(({ fileName }) => fileName ?? []),
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
  async telegram(_inbound, origin) {
    const server = await startTelegramServer();
    return {
      ...{ channel: "telegram", port: Number(new URL(server.url).port), plugin: telegram },
      rates: server.rates,
      texts: () => server.sent.map(({ text }) => text),
      fileNames: () => server.sent.flatMap(({ file }) => file?.name ?? []),
      settings: { botToken: server.token, apiRoot: origin ?? server.url },
      connected: async () => undefined,
      async exchange() {
        server.write({ text: "hi" });
        while (server.sent.length === 0) await wait(20);
        return server.sent[0]?.text ?? "";
      },
      async [Symbol.asyncDispose]() {
        server.dropPoll();
        await server.close();
      },
    };
  },
};

function at(origin: string | undefined) {
  return origin === undefined ? {} : { origin };
}

/** Slack by requests to the gateway, or over a connection of the gateway to Slack. */
async function startSlack(
  inbound: Inbound,
  origin: string | undefined,
  isSocket: boolean,
): Promise<Platform> {
  const page = readFileSync(
    new URL("../../../../docs/operate/channels/slack.md", import.meta.url),
    "utf8",
  );
  const [, json = ""] = /```json\n(.*?)```/s.exec(page) ?? [];
  const manifest = JSON.parse(json);
  manifest.settings.socket_mode_enabled = isSocket;
  const request = ({ pathname }: URL, init: RequestInit) => inbound(`${pathname}/default`, init);
  const server = await startSlackServer({ manifest, request, ...at(origin) });
  const { botToken, appToken, signingSecret, apiUrl, port } = server;
  return {
    ...{ channel: "slack", port, plugin: createChatBridge(), rates: server.rates },
    texts: () => server.posted.map(({ text, blocks }) => `${text}\n${JSON.stringify(blocks)}`),
    fileNames: () => server.posted.flatMap(({ files }) => files.map(({ name }) => name)),
    settings: { botToken, apiUrl, ...(isSocket ? { appToken } : { signingSecret }) },
    async connected(host) {
      while (!(await server.verifyUrl())) await host.advance(1000);
    },
    async exchange() {
      await server.say("hi");
      return (await server.message(({ user }) => user === server.botUserId)).text;
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

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
