import { truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  startDiscordServer,
  startSlackServer,
  startTeamsServer,
  startWhatsAppServer,
} from "@openclaw/platform-fakes";
import type { IncomingMessage, OutgoingResponse } from "@openclaw/plugin-sdk/channel-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { discord } from "../src/presets/discord.js";
import type { BridgeSettings, Preset } from "../src/presets/preset.js";
import { slack } from "../src/presets/slack.js";
import { teams } from "../src/presets/teams.js";
import { whatsapp } from "../src/presets/whatsapp.js";
import { DirectChannel } from "./support/direct-channel.js";
import { slackManifest } from "./support/slack-manifest.js";
import { tokensOf, useKeysOf } from "./support/teams-cloud.js";

/** A platform, a connected channel, and a message to answer. */
interface Scene {
  readonly preset: Preset;
  readonly direct: DirectChannel;
  readonly message: IncomingMessage;
  /** Text and labels of the messages of the bot, oldest first. */
  sent(): readonly {
    readonly text: string;
    readonly buttons: readonly string[];
    readonly files: number;
  }[];
  close(): Promise<unknown>;
}

const END = "the very end";
const MEBIBYTE = 1024 * 1024;
const scenes = new Map<string, Scene>();

async function connect(preset: Preset, settings: BridgeSettings, adapterOptions = {}) {
  return await new DirectChannel(preset, settings, { adapterOptions }).start();
}

async function discordScene(): Promise<Scene> {
  let direct: DirectChannel | undefined;
  const server = await startDiscordServer({
    interactionsUrl: "https://gateway.example/plugins/chat-bridge/discord",
    request: (url, init) => direct?.request(url, init) ?? Promise.reject(new Error("not started")),
  });
  const { botToken, applicationId, publicKey, apiUrl } = server;
  direct = await connect(discord, { botToken, applicationId, publicKey, apiUrl });
  server.say("hi");
  const message = await direct.take();
  return {
    ...{ preset: discord, direct, message },
    sent: () =>
      server.guild.messages.all
        .filter(({ author }) => author.bot)
        .map(({ content, embeds, buttons, files }) => ({
          text: [content, ...embeds].join("\n"),
          buttons: buttons.map(({ label }) => label),
          files: files.length,
        })),
    close: () => server.close(),
  };
}

async function slackScene(): Promise<Scene> {
  let direct: DirectChannel | undefined;
  const server = await startSlackServer({
    manifest: slackManifest,
    request: (url, init) => {
      url.pathname = "/plugins/chat-bridge/slack";
      return direct?.request(url, init) ?? Promise.reject(new Error("not started"));
    },
  });
  const { botToken, signingSecret, apiUrl } = server;
  direct = await connect(slack, { botToken, signingSecret, apiUrl });
  const said = server.say("hi");
  const message = await direct.take();
  await said;
  const labels = (value: unknown): readonly string[] =>
    [...JSON.stringify(value).matchAll(/"type":"button","text":\{[^}]*"text":"([^"]*)"/g)].map(
      ([, label = ""]) => label,
    );
  return {
    ...{ preset: slack, direct, message },
    sent: () =>
      server.posted.map(({ text, blocks, files }) => ({
        text: `${text}\n${JSON.stringify(blocks)}`,
        buttons: labels(blocks),
        files: files.length,
      })),
    close: () => server.close(),
  };
}

async function teamsScene(): Promise<Scene> {
  let direct: DirectChannel | undefined;
  const server = await startTeamsServer({
    messagingEndpoint: "https://gateway.example/plugins/chat-bridge/teams",
    request: (url, init) => direct?.request(url, init) ?? Promise.reject(new Error("not started")),
  });
  const restore = useKeysOf(server);
  const { appId, appPassword, tenantId: appTenantId } = server.bot;
  const { origin: loginUrl, serviceUrl: apiUrl } = server;
  const settings = { appId, appPassword, appTenantId, userName: "OpenClaw", loginUrl, apiUrl };
  direct = await connect(teams, settings, { token: tokensOf(server) });
  const said = server.say("hi");
  const message = await direct.take();
  await said;
  return {
    ...{ preset: teams, direct, message },
    sent: () =>
      server.sent.all.map(({ text, buttons, images }) => ({
        text,
        buttons: buttons.map(({ title }) => title),
        files: images.length,
      })),
    close: async () => {
      restore();
      await server.close();
    },
  };
}

async function whatsappScene(): Promise<Scene> {
  let direct: DirectChannel | undefined;
  const server = await startWhatsAppServer({
    callbackUrl: "https://gateway.example/plugins/chat-bridge/whatsapp",
    request: (url, init) => direct?.request(url, init) ?? Promise.reject(new Error("not started")),
  });
  const { accessToken, appSecret, phoneNumberId, verifyToken, apiUrl } = server;
  direct = await connect(whatsapp, { accessToken, appSecret, phoneNumberId, verifyToken, apiUrl });
  const said = server.say("hi");
  const message = await direct.take();
  await said;
  return {
    ...{ preset: whatsapp, direct, message },
    sent: () =>
      server.sent.all.map(({ text, buttons, mediaId }) => ({
        text,
        buttons: buttons.map(({ title }) => title),
        files: mediaId === undefined ? 0 : 1,
      })),
    close: () => server.close(),
  };
}

beforeAll(async () => {
  for (const scene of [discordScene, slackScene, teamsScene, whatsappScene]) {
    const opened = await scene();
    scenes.set(opened.preset.channel, opened);
  }
}, 60_000);

afterAll(async () => {
  for (const { direct, close } of scenes.values()) {
    await close();
    await direct[Symbol.asyncDispose]();
  }
});

/** Answers the message of a scene, and returns what the platform shows then. */
async function shown(channel: string, response: (scene: Scene) => OutgoingResponse) {
  const scene = scenes.get(channel);
  if (scene === undefined) throw new Error(`no scene of ${channel}`);
  const before = scene.sent().length;
  await scene.direct.channel.respond(scene.message, response(scene));
  return scene.sent().slice(before);
}

/** Returns a text of exactly the greatest length that the host sends, made of one part. */
function filled(part: string, limit: number): string {
  const room = limit - END.length - 2;
  return `${part.repeat(Math.ceil(room / part.length)).slice(0, room)}\n\n${END}`;
}

/** Returns a text like {@link filled}, of different parts. */
function numbered(part: (index: number) => string, limit: number): string {
  let text = "";
  for (let index = 0; (text + part(index)).length < limit - END.length - 2; index += 1) {
    text += part(index);
  }
  return `${text}\n\n${END}`;
}

/** Words with a number of a text, which all must be shown. */
function words(text: string): ReadonlySet<string> {
  return new Set(text.match(/\bw\d+\b/g));
}

const table = `| a | b |\n|---|---|\n| ${"wide ".repeat(60)} | 1 |\n`;
const KINDS: readonly (readonly [name: string, text: (limit: number) => string])[] = [
  ["rules", (limit) => filled("---\n\n", limit)],
  ["ampersands", (limit) => numbered((index) => `w${index} && b < c > d `, limit)],
  ["Chinese", (limit) => filled("预算会议", limit)],
  ["emoji", (limit) => filled("👩‍👩‍👧 ", limit)],
  ["stars", (limit) => filled("* a\n* b\n\n", limit)],
  ["escapes", (limit) => filled("_*[x]~`\n\n", limit)],
  ["a table", (limit) => table + filled("| 1 | 2 |\n", limit - table.length)],
];
const CHANNELS = ["discord", "slack", "teams", "whatsapp"] as const;

describe.each(CHANNELS)("[EXT-581] %s", (channel) => {
  it.each(KINDS)("shows the longest text whole: %s", async (_name, text) => {
    const limit = scenes.get(channel)?.preset.capabilities.textLimit ?? 4000;
    const content = text(limit);
    const messages = await shown(channel, () => ({ content }));
    const whole = messages.map((each) => each.text).join("\n");
    expect(whole).toContain(END);
    expect(words(whole)).toEqual(words(content));
  });

  it.each(KINDS)("shows the longest text above buttons whole: %s", async (_name, text) => {
    const buttons = [[{ label: "Deny", value: "/deny ABCDEF" }]];
    const content = text(scenes.get(channel)?.preset.capabilities.textLimit ?? 4000);
    const messages = await shown(channel, () => ({ content, buttons }));
    const whole = messages.map((each) => each.text).join("\n");
    expect(whole).toContain(END);
    expect(words(whole)).toEqual(words(content));
    expect(messages.flatMap((each) => each.buttons)).toEqual(["Deny"]);
  });

  it("shows all of many buttons, and distinguishes long labels", async () => {
    const labels = Array.from({ length: 8 }, (_, index) => `Choice with number ${index + 1}`);
    const buttons = [labels.map((label) => ({ label, value: `/choose ${label}` }))];
    const messages = await shown(channel, () => ({ content: "Which?", buttons }));
    const found = messages.flatMap((each) => each.buttons);
    expect(found).toHaveLength(8);
    expect(new Set(found).size).toBe(8);
    const long = [["first", "second"].map((end) => ({ label: "x".repeat(90) + end, value: end }))];
    const [, ...others] = await shown(channel, () => ({ content: "Which?", buttons: long })).then(
      (each) => new Set(each.flatMap((one) => one.buttons)),
    );
    expect(others).toHaveLength(1);
  });

  it("names files that the platform does not take, and sends the rest", async () => {
    const file = (name: string, mimeType: string, bytes: number) => {
      const path = join(tmpdir(), `limits-${process.pid}-${name}`);
      writeFileSync(path, bytes === 0 ? "" : "x");
      truncateSync(path, bytes);
      return { path, name, mimeType, bytes };
    };
    const attachments = [
      file("small.png", "image/png", 10),
      file("empty.png", "image/png", 0),
      file("large.png", "image/png", 11 * MEBIBYTE),
      file("archive.zip", "application/zip", 10),
    ];
    const messages = await shown(channel, () => ({ content: "Here they are.", attachments }));
    const text = messages.map((each) => each.text).join("\n");
    expect(text).toContain("Here they are.");
    expect(text).toContain("empty.png");
    const files = messages.reduce((sum, each) => sum + each.files, 0);
    expect(files).toBe({ discord: 2, slack: 3, teams: 1, whatsapp: 1 }[channel]);
    if (channel !== "slack") expect(text).toContain("large.png");
    if (channel === "teams" || channel === "whatsapp") expect(text).toContain("archive.zip");
  });
});
