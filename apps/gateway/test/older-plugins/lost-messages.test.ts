import { join } from "node:path";
import { loadConfiguration } from "@openclaw/configuration";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { startGateway } from "@openclaw/gateway";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { LinePlatform } from "./line-platform.js";

/** Waits for a condition, also on a machine with much else to do. */
const eventually = <Result>(check: () => Result | Promise<Result>) => vi.waitFor(check, 20_000);

/**
 * A channel plugin that asks functions which no host has about each message with "please" or "kindly", hides the
 * failure, and hands other messages to the host.
 */
const SILENT_PLUGIN = `
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { resolveWordOfCourtesy } from "@openclaw/plugin-sdk/channel-core";

const sockets = new Map();
const send = (to, text) => {
  sockets.get("default").write(JSON.stringify({ to: to.replace(/^lines:/, ""), text }) + "\\n");
  return { channel: "lines", messageId: "sent" };
};

async function receive(api, cfg, { id, from, room, text }) {
  const { channel } = api.runtime;
  if (text.includes("please")) {
    await resolveWordOfCourtesy({
      cfg,
      account: { token: "private" },
      inbound: {
        ...{ rawBody: text, senderId: from, senderName: from.toUpperCase(), messageId: id },
        ...(room === undefined ? {} : { isGroup: true, conversationId: room }),
      },
    });
  }
  if (text.includes("kindly")) {
    await channel.media.fetchRemoteKindness({ text, senderId: from, messageId: id });
  }
  const ctx = channel.reply.finalizeInboundContext({
    ...{ Body: text, RawBody: text, CommandBody: text, MessageSid: id },
    ...{ From: "lines:" + from, To: "lines:" + from, SenderId: from, ChatType: "direct" },
    ...{ Provider: "lines", Surface: "lines", AccountId: "default" },
  });
  await channel.reply.dispatchReplyWithBufferedBlockDispatcher({
    ctx,
    dispatcherOptions: { deliver: async (reply) => send(from, reply.text) },
  });
}

export default {
  id: "lines",
  register(api) {
    api.registerChannel({
      plugin: {
        id: "lines",
        meta: { id: "lines", label: "Lines" },
        capabilities: { chatTypes: ["direct", "group"] },
        config: {
          listAccountIds: () => ["default"],
          resolveAccount: (cfg) => ({ port: cfg.channels.lines.port }),
        },
        outbound: { deliveryMode: "direct", sendText: async ({ to, text }) => send(to, text) },
        gateway: {
          async startAccount({ cfg, account, abortSignal, setStatus }) {
            const socket = connect(account.port, "127.0.0.1");
            await new Promise((resolve) => socket.once("connect", resolve));
            sockets.set("default", socket);
            abortSignal.addEventListener("abort", () => socket.destroy(), { once: true });
            createInterface({ input: socket }).on("line", (line) => {
              receive(api, cfg, JSON.parse(line)).catch(() => {});
            });
            setStatus({ connected: true });
            await new Promise((resolve) => socket.once("close", resolve));
          },
        },
      },
    });
  },
};
`;

async function gatewayWithPlugin(senders: readonly string[] = ["ann"]) {
  const platform = await LinePlatform.start();
  const folder = temporaryFolder();
  const openclaw = { extensions: ["./index.mjs"] };
  const manifest = { id: "lines", channels: ["lines"], configSchema: {} };
  const lines = { port: platform.port, allowFrom: senders };
  folder.write({
    "node_modules/lines/index.mjs": SILENT_PLUGIN,
    "node_modules/lines/package.json": JSON.stringify({ name: "lines", type: "module", openclaw }),
    "node_modules/lines/openclaw.plugin.json": JSON.stringify(manifest),
    "openclaw.json": JSON.stringify({ channels: { lines } }),
  });
  const configurationFile = join(folder.path, "openclaw.json");
  const output: string[] = [];
  const gateway = await startGateway({
    version: "1.0.0",
    stateDir: join(folder.path, "state"),
    configuration: await loadConfiguration(configurationFile),
    configurationFile,
    workspaceDir: folder.path,
    bundledExtensions: [],
    pluginPaths: [join(folder.path, "node_modules/lines")],
    environment: {},
    model: "demo/echo",
    port: 0,
    logOutput: (text) => void output.push(text),
  });
  onTestFinished(async () => {
    await gateway.stop("command");
    await platform.close();
    folder[Symbol.dispose]();
  });
  const methods = await gateway.methods();
  return {
    ...{ platform, gateway, output },
    call: methods.call.bind(methods),
    async status() {
      const { channels } = await methods.call("channels.list", {});
      return channels[0];
    },
  };
}

describe("a channel plugin that loses messages", () => {
  it("[CHAN-520] is not connected until a message passes, and not after one was lost", async () => {
    const { platform, status } = await gatewayWithPlugin();
    await eventually(() => expect(platform.bots).toBe(1));
    await eventually(async () =>
      expect(await status()).toMatchObject({
        state: "degraded",
        problem: {
          code: "CHANNEL_PARTS_MISSING",
          message: expect.stringContaining(
            '"resolveWordOfCourtesy" of "@openclaw/plugin-sdk/channel-core"',
          ),
        },
        lost: 0,
      }),
    );
    platform.write({ id: "1", from: "ann", text: "hello" });
    await eventually(async () =>
      expect(await status()).toMatchObject({ state: "connected", received: 1 }),
    );
    platform.write({ id: "2", from: "ann", text: "help me please" });
    await eventually(async () =>
      expect(await status()).toMatchObject({
        state: "degraded",
        problem: { code: "CHANNEL_MESSAGE_LOST" },
        lost: 1,
      }),
    );
    platform.write({ id: "3", from: "ann", text: "hello again" });
    await eventually(async () =>
      expect(await status()).toMatchObject({ state: "degraded", received: 2 }),
    );
  });

  it("[CHAN-521] [PLUG-520] keeps each lost message, tells it once, and hands it over once", async () => {
    const { platform, output, call, status } = await gatewayWithPlugin();
    await eventually(() => expect(platform.bots).toBe(1));
    platform.write({ id: "7", from: "ann", text: "help me please" });
    platform.write({ id: "7", from: "ann", text: "help me please" });
    platform.write({ id: "8", from: "eve", text: "let me in, please" });
    const messages = await eventually(async () => {
      const { messages: found } = await call("channels.lost", { channel: "lines" });
      expect(found).toHaveLength(2);
      return found;
    });
    const of = (sender: string) => messages.find(({ senderId }) => senderId === sender);
    const [first, second] = [of("ann"), of("eve")];
    expect(first).toMatchObject({
      channel: "lines",
      accountId: "default",
      pluginId: "lines",
      part: '"resolveWordOfCourtesy" of "@openclaw/plugin-sdk/channel-core"',
      text: "help me please",
      senderId: "ann",
      senderName: "ANN",
    });
    expect(JSON.stringify(messages)).not.toContain("private");
    const told = output.join("").match(/lost a message of ann: \\?"help me please/g);
    expect(told).toHaveLength(1);
    const { diagnostics } = await call("plugins.list", {});
    expect(diagnostics.filter(({ code }) => code === "sdk-part-used")).toHaveLength(1);

    expect(await call("channels.replay", { id: first?.id ?? "" })).toMatchObject({
      outcome: "accepted",
    });
    await eventually(() => expect(platform.sent.map(({ to }) => to)).toEqual(["ann"]));
    await expect(call("channels.replay", { id: first?.id ?? "" })).rejects.toMatchObject({
      code: "LOST_MESSAGE_NOT_FOUND",
    });
    expect(await status()).toMatchObject({ lost: 1, received: 0 });
    platform.write({ id: "9", from: "ann", text: "tell me kindly" });
    await eventually(async () => {
      const { messages: found } = await call("channels.lost", {});
      expect(found.filter(({ senderId }) => senderId === "ann")).toMatchObject([
        {
          part: '"api.runtime.channel.media.fetchRemoteKindness" of "openclaw"',
          text: "tell me kindly",
        },
      ]);
    });
    expect(await call("channels.discard", { id: second?.id ?? "" })).toEqual({ id: second?.id });
    expect((await call("channels.lost", {})).messages).toHaveLength(1);
  });
});
