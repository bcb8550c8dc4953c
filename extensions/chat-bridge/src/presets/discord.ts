import { ChannelHttpError } from "@openclaw/plugin-sdk/channel-core";
import type { FileUpload } from "chat";
import { downloadWith, isTransport } from "../adapter/transport.js";
import { DiscordGateway, type GatewaySettings } from "../discord/gateway.js";
import { sizeProblem } from "../messages/limits.js";
import type { BridgeSettings, Preset } from "./preset.js";

const API = "https://discord.com/api/v10";
const FILE_HOSTS = new Set(["cdn.discordapp.com", "media.discordapp.net"]);
const SEND_MS = 25_000;

/** Discord by its gateway, its REST API and its interactions endpoint. */
export const discord: Preset = {
  channel: "discord",
  adapter: { name: "@chat-adapter/discord", version: "4.41.0", factory: "createDiscordAdapter" },
  // Discord accepts 2000 characters; the conversion to its Markdown adds a few.
  capabilities: { textLimit: 1900, buttons: true, streaming: true, audio: "file" },
  required: {
    botToken: "the token of the page Bot",
    applicationId: "the Application ID of the page General Information",
    publicKey: "the Public Key of the page General Information",
  },
  inHeaders: ["botToken"],
  optional: ["apiUrl"],
  limits: { text: 2000, buttons: 25, label: 80, files: 10 },
  refusalOf: (file) => sizeProblem(file, "Discord", 10),
  async connect(context) {
    const gateway = new DiscordGateway(context, gatewaySettings(context.settings));
    await gateway.open();
    return gateway;
  },
  async checkHealth({ settings }) {
    const { apiUrl, botToken } = gatewaySettings(settings);
    const response = await fetch(`${apiUrl}/users/@me`, {
      headers: { authorization: `Bot ${botToken}` },
      signal: AbortSignal.timeout(SEND_MS),
    });
    await response.body?.cancel();
    if (!response.ok) throw failure(response.status, "");
  },
  // The adapter uploads to discord.com whatever its apiUrl is.
  async postFiles(_adapter, thread, { markdown, files = [] }, settings) {
    const { apiUrl, botToken } = gatewaySettings(settings);
    const [, , channelId, threadId] = thread.split(":");
    const form = new FormData();
    form.append("payload_json", JSON.stringify({ content: markdown }));
    for (const [index, file] of files.entries()) {
      form.append(`files[${index}]`, blobOf(file), file.filename);
    }
    const response = await fetch(`${apiUrl}/channels/${threadId ?? channelId}/messages`, {
      method: "POST",
      headers: { authorization: `Bot ${botToken}` },
      body: form,
      signal: AbortSignal.timeout(SEND_MS),
    });
    if (!response.ok) throw failure(response.status, await response.text());
    const sent: unknown = await response.json();
    const id = typeof sent === "object" && sent !== null && "id" in sent ? sent.id : undefined;
    return { id: typeof id === "string" ? id : "" };
  },
  fetchFile(_adapter, { url = "" }, { fileTransport }) {
    if (!isTransport(fileTransport)) return undefined;
    return downloadWith(fileTransport, new URL(url), FILE_HOSTS);
  },
};

function gatewaySettings({ botToken, apiUrl = API }: BridgeSettings): GatewaySettings {
  return { botToken: String(botToken), apiUrl: String(apiUrl).replace(/\/$/, "") };
}

function blobOf({ data, mimeType = "application/octet-stream" }: FileUpload): Blob {
  return data instanceof Blob ? data : new Blob([new Uint8Array(data)], { type: mimeType });
}

/** A failure with the body of Discord, which has the time to wait. */
function failure(status: number, body: string): Error {
  const problem = `Discord answered with HTTP ${status} ${body.slice(0, 500)}`.trim();
  return status === 429 || status === 401
    ? Object.assign(new Error(problem), { status })
    : new ChannelHttpError("discord", status, problem);
}
