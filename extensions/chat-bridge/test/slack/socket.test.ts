import { createHmac } from "node:crypto";
import { type SlackServer, startSlackServer } from "@openclaw/platform-fakes";
import { ChannelAuthFailedError } from "@openclaw/plugin-sdk/channel-core";
import { expect, it, onTestFinished, vi } from "vitest";
import { slack as preset } from "../../src/presets/slack.js";
import { DirectChannel } from "../support/direct-channel.js";
import { slackManifest } from "../support/slack-manifest.js";

const ENDPOINT = new URL("https://gateway.example/plugins/chat-bridge/slack");

async function startServer(): Promise<SlackServer> {
  const settings = { ...slackManifest.settings, socket_mode_enabled: true };
  const server = await startSlackServer({
    manifest: { ...slackManifest, settings },
    request: () => Promise.reject(new Error("Socket Mode sends no requests")),
  });
  onTestFinished(() => server.close());
  return server;
}

async function connected() {
  const server = await startServer();
  const { botToken, appToken, apiUrl } = server;
  const direct = await new DirectChannel(preset, { botToken, appToken, apiUrl }).start();
  onTestFinished(() => direct[Symbol.asyncDispose]());
  return { server, direct };
}

it("[EXT-741] acknowledges a message once it is stored, and receives presses and commands", async () => {
  const { server, direct } = await connected();
  const said = server.say("hi");
  let isAnswered = false;
  void said.then(() => {
    isAnswered = true;
  });
  const message = await direct.peek();
  expect(message.content).toBe("hi");
  expect(isAnswered).toBe(false);
  await direct.take();
  expect((await said).statuses).toEqual([200]);
  const buttons = [[{ label: "Allow", value: "/approve ABC" }]];
  await direct.channel.respond(message, { content: "Run it?", buttons });
  const [posted] = server.posted;
  if (posted === undefined) throw new Error("nothing was posted");
  const pressed = server.press(posted, "Allow");
  expect((await direct.take()).content).toBe("/approve ABC");
  expect(await pressed).toBe(200);
  const ran = server.command("/openclaw", "status");
  expect((await direct.take()).content).toBe("/status");
  expect(await ran).toBe(200);
});

it("[EXT-741] opens another connection when Slack closes one", async () => {
  const { server, direct } = await connected();
  server.sockets.refresh();
  const opened = () => server.calls.filter((call) => call === "apps.connections.open").length;
  await vi.waitFor(() => expect([opened(), server.sockets.isConnected]).toEqual([2, true]), 40_000);
  const said = server.say("after it");
  expect((await direct.take()).content).toBe("after it");
  expect((await said).statuses).toEqual([200]);
});

it("[EXT-741] rejects every request from outside without a signing secret", async () => {
  const { server, direct } = await connected();
  const body = JSON.stringify({ eventType: "events_api", body: {} });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = (secret: string) =>
    `v0=${createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex")}`;
  const signed = (secret: string) => ({
    "x-slack-request-timestamp": timestamp,
    "x-slack-signature": signature(secret),
  });
  for (const headers of [
    ...["", "undefined", server.signingSecret, server.appToken].map(signed),
    { "x-slack-socket-token": server.appToken },
    { "x-slack-socket-token": "undefined" },
  ]) {
    const request = { method: "POST", body, headers };
    expect((await direct.request(ENDPOINT, request)).status).toBe(401);
  }
});

it("[EXT-741] names a token that Slack does not accept", async () => {
  const { botToken, apiUrl } = await startServer();
  const wrong = new DirectChannel(preset, { botToken, apiUrl, appToken: "xapp-wrong" });
  await expect(wrong.start()).rejects.toBeInstanceOf(ChannelAuthFailedError);
  const broken = new DirectChannel(preset, { botToken, apiUrl, appToken: "xapp-1\n" });
  await expect(broken.start()).rejects.toThrow("channels.slack.appToken is not valid");
});
