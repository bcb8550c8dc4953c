import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  startTelegramServer,
  type TelegramPerson,
  type TelegramServer,
} from "@openclaw/platform-fakes";
import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { createTestHost, type TestHostOptions } from "@openclaw/plugin-testkit";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { TelegramChannel } from "../src/channel.js";
import { createTelegramPlugin } from "../src/plugin.js";

/** Waits for a condition, also on a machine with much else to do. */
const eventually = <Result>(check: () => Result | Promise<Result>) => vi.waitFor(check, 40_000);

const GROUP = { id: -100, type: "supergroup", topics: [7] } as const;
const SECRET = "secret-of-the-webhook-0123456789";

async function connected(
  section: Record<string, unknown> = {},
  options: Partial<TestHostOptions> = {},
) {
  const server = await startTelegramServer();
  server.addChat(GROUP);
  const plugin = createTelegramPlugin();
  const { token: botToken, url: apiRoot } = server;
  const telegram = { botToken, apiRoot, dmPolicy: "open", ...section };
  const config = { channels: { telegram } } as NonNullable<TestHostOptions["config"]>;
  const host = await createTestHost({ plugin, config, model: [{ text: "Hello." }], ...options });
  onTestFinished(async () => {
    server.dropPoll();
    await host.dispose();
    await server.close();
  });
  return { server, host };
}

function sentTo(server: TelegramServer, number: number) {
  return eventually(() => {
    const sent = server.sent[number - 1];
    if (sent === undefined) throw new Error(`only ${server.sent.length} messages were sent`);
    return sent;
  });
}

describe("Telegram", () => {
  it("[EXT-017] answers a private message, and confirms its update once it is stored", async () => {
    const { server } = await connected();
    server.write({ text: "hi" });
    expect(await sentTo(server, 1)).toMatchObject({
      chatId: 42,
      text: "Hello.",
      replyToId: undefined,
    });
    expect(server.actions).toContainEqual({ chatId: 42, action: "typing" });
    await eventually(() => expect(server.unconfirmed).toBe(0));
  });

  it("[SAFE-511] passes a message to the model without its tag characters and bidirectional controls", async () => {
    const { server, host } = await connected();
    server.write({ text: "pay \u202e001\u202c now\u{e0069}\u{e0067}" });
    await sentTo(server, 1);
    const asked = JSON.stringify(host.modelRequests[0]?.prompt.at(-1));
    expect(asked).toContain(
      "pay 001 now\\n[4 invisible characters removed: bidirectional controls, tag characters]",
    );
    expect(asked).not.toMatch(/[\u202a-\u202e\u{e0000}-\u{e007f}]/u);
  });

  it("runs an update once that Telegram sends again after a lost connection", async () => {
    const { server, host } = await connected({}, { model: [{ text: "one" }, { text: "two" }] });
    const update = server.write({ text: "hi" });
    await sentTo(server, 1);
    const { message } = update as { message: object };
    server.send({ message });
    server.write({ text: "next" });
    expect(await sentTo(server, 2)).toMatchObject({ text: "two" });
    expect(host.modelRequests).toHaveLength(2);
  });

  it("connects again after an outage, without losing what was written meanwhile", async () => {
    const { server, host } = await connected();
    await eventually(() => expect(server.calls).toContain("getUpdates"));
    server.refuse("getMe", [502, "Bad Gateway"]);
    server.dropPoll();
    server.write({ text: "written during the outage" });
    await eventually(() =>
      expect(host.logs.some(({ message }) => message.includes("started again"))).toBe(true),
    );
    await host.advance(1000);
    await eventually(() =>
      expect(host.logs.filter(({ message }) => message.includes("started again"))).toHaveLength(2),
    );
    await host.advance(2000);
    expect(await sentTo(server, 1)).toMatchObject({ text: "Hello." });
  });

  it("[EXT-016] shows Markdown as HTML, and sends it as plain text when Telegram rejects it", async () => {
    const text =
      "# Title\n\n**bold** and `a < b`, [site](https://example.com)\n\n- one\n- two\n\n```ts\nlet a = 1;\n```";
    const { server } = await connected({}, { model: [{ text }, { text: "*plain*" }] });
    server.write({ text: "format" });
    const first = await sentTo(server, 1);
    expect(first.text).toBe("Title\n\nbold and a < b, site\n\n• one\n• two\n\nlet a = 1;");
    expect(first.source).toContain('<pre><code class="language-ts">');
    server.refuse("sendMessage", [400, "Bad Request: can't parse entities: odd"]);
    server.write({ text: "again" });
    expect(await sentTo(server, 2)).toMatchObject({ text: "*plain*", source: "*plain*" });
  });

  it("[EXT-017] splits a long reply into messages of at most 4096 characters", async () => {
    const text = Array.from({ length: 900 }, (_, index) => `word${index}`).join(" ");
    const code = Array.from({ length: 600 }, (_, index) => `line${index};`).join("\n");
    const { server } = await connected(
      {},
      { model: [{ text }, { text: `\`\`\`js\n${code}\n\`\`\`` }] },
    );
    server.write({ text: "long" });
    await sentTo(server, 2);
    expect(server.sent.map((sent) => sent.text).join(" ")).toBe(text);
    // A block of code that is cut is closed and opened again.
    server.write({ text: "long code" });
    await sentTo(server, 4);
    const blocks = server.sent.slice(2);
    for (const { source } of blocks) expect(source).toMatch(/^<pre><code class="language-js">/);
    expect(blocks.map((sent) => sent.text).join("\n")).toBe(code);
  });

  it("[EXT-017] waits as long as Telegram asks after 429", async () => {
    const { server, host } = await connected();
    server.refuse("sendMessage", [429, "Too Many Requests: retry after 7", { retry_after: 7 }]);
    server.write({ text: "hi" });
    await eventually(() => expect(server.calls).toContain("sendMessage"));
    await host.advance(6999);
    expect(server.sent).toHaveLength(0);
    await host.advance(1);
    expect(await sentTo(server, 1)).toMatchObject({ text: "Hello." });
  });

  it("[EXT-016] answers in groups only when it is mentioned or replied to, in the topic of the message", async () => {
    const { server, host } = await connected(
      { groups: { "-100": {} } },
      { model: [{ text: "In the topic." }, { text: "Of course." }] },
    );
    const inTopic = { chat: GROUP, is_topic_message: true, message_thread_id: 7 };
    server.write({ ...inTopic, text: "not for the bot" });
    const mention = { type: "mention", offset: 0, length: 11 };
    server.write({ ...inTopic, text: "@helper_bot what now?", entities: [mention] });
    const reply = await sentTo(server, 1);
    expect(reply).toMatchObject({ chatId: -100, threadId: 7, text: "In the topic." });
    expect(reply.replyToId).toBeGreaterThan(0);
    expect(JSON.stringify(host.modelRequests[0])).toContain("what now?");
    expect(JSON.stringify(host.modelRequests[0])).not.toContain("@helper_bot");
    const from = { id: 123456, is_bot: true, first_name: "Helper" };
    const replied = { message_id: reply.messageId, from, chat: GROUP, date: 1, text: reply.text };
    server.write({ ...inTopic, text: "are you sure?", reply_to_message: replied });
    expect(await sentTo(server, 2)).toMatchObject({ threadId: 7, text: "Of course." });
    expect(host.modelRequests).toHaveLength(2);
  });

  it("ignores other bots, edits and updates without a message", async () => {
    const { server, host } = await connected();
    const bot = { id: 77, is_bot: true, first_name: "Other" };
    server.write({ from: bot, text: "hello bot" });
    server.send({ edited_message: { message_id: 1, date: 1, chat: { id: 42 }, text: "edited" } });
    server.write({ new_chat_title: "Title" });
    server.write({ text: "hi" });
    await sentTo(server, 1);
    expect(host.modelRequests).toHaveLength(1);
    await eventually(() => expect(server.unconfirmed).toBeLessThanOrEqual(1));
  });

  it("[HOST-022] gives an unknown sender a pairing code and nothing else", async () => {
    const { server, host } = await connected({ dmPolicy: "pairing" });
    server.write({ text: "hi" });
    expect((await sentTo(server, 1)).text).toMatch(/pairing code is [A-HJ-NP-Z2-9]{8}\./);
    server.write({ text: "hello? /status" });
    await eventually(() => expect(server.unconfirmed).toBe(0));
    expect(server.sent).toHaveLength(1);
    expect(host.modelRequests).toHaveLength(0);
  });

  it("[EXT-016] receives files into the workspace and tells the model where they are", async () => {
    const { server, host } = await connected();
    server.addFile("doc-1", Buffer.from("a,b\n1,2\n"));
    const document = {
      file_id: "doc-1",
      file_unique_id: "1",
      file_name: "t.csv",
      mime_type: "text/csv",
    };
    server.write({ caption: "what is this?", document });
    await sentTo(server, 1);
    const request = JSON.stringify(host.modelRequests[0]);
    expect(request).toContain("what is this?");
    const [, path = ""] = /Attached: t\.csv \(text\/csv, 8 bytes\), ([^\]]+)\]/.exec(request) ?? [];
    expect(path.startsWith(host.workspaceDir)).toBe(true);
    expect(readFileSync(path, "utf8")).toBe("a,b\n1,2\n");
    server.write({ document: { file_id: "gone", file_unique_id: "2", file_name: "x.bin" } });
    await eventually(() =>
      expect(JSON.stringify(host.modelRequests)).toContain("x.bin could not be received"),
    );
  });

  it("shows an approval request with buttons, and updates it when it is decided", async () => {
    const { server } = await connected(
      { owners: [42] },
      {
        model: [
          { toolCalls: [{ toolName: "exec", params: { command: "touch made.txt" } }] },
          { text: "Done." },
        ],
      },
    );
    server.write({ text: "make a file" });
    const card = await sentTo(server, 1);
    expect(card.buttons.flat().map(({ text }) => text)).toContain("Allow once");
    server.press(card, "Allow once");
    await eventually(() => expect(server.sent.at(-1)?.text).toBe("Done."));
    expect(server.answered).toHaveLength(1);
    await eventually(() => expect(card.buttons).toEqual([]));
    expect(card.text).toMatch(/Allowed once by telegram:42/);
  });

  it("[EXT-016] reports edits and reactions to plugins, and runs no agent", async () => {
    const seen: object[] = [];
    const watcher = definePluginEntry({
      id: "watcher",
      register(api) {
        api.registerHook(
          ["message:edited", "message:reaction"],
          ({ action, sessionKey, context }) => void seen.push({ action, sessionKey, ...context }),
        );
      },
    });
    const { server, host } = await connected({}, { neighbours: [watcher] });
    const chat = { id: 42, type: "private" };
    const from = { id: 42, is_bot: false, first_name: "Alice" };
    server.write({ text: "hi" });
    await sentTo(server, 1);
    server.send({ edited_message: { message_id: 7, date: 1, chat, from, text: "hello" } });
    const emoji = (name: string) => ({ type: "emoji", emoji: name });
    const reaction = { chat, user: from, message_id: 8, date: 1, old_reaction: [emoji("👍")] };
    server.send({ message_reaction: { ...reaction, new_reaction: [emoji("🎉")] } });
    const bot = { id: 77, is_bot: true, first_name: "Other" };
    server.send({ message_reaction: { ...reaction, user: bot, new_reaction: [] } });
    await eventually(() => expect(server.unconfirmed).toBe(0));
    const sessionKey = "agent:main:telegram:direct:42";
    const about = { sessionKey, channel: "telegram", conversationId: "42", userId: "42" };
    expect(seen).toMatchObject([
      { ...about, action: "edited", messageId: "7", content: "hello" },
      { ...about, action: "reaction", messageId: "8", added: ["🎉"], removed: ["👍"] },
    ]);
    expect(host.modelRequests).toHaveLength(1);
  });

  it("[EXT-018] binds buttons to the request and its approvers, and answers a stale one with the state", async () => {
    const bob = { id: 7, first_name: "Bob" };
    const { server, host } = await connected(
      { owners: [42], groups: { "-100": {} }, groupPolicy: "all" },
      {
        model: [
          { toolCalls: [{ toolName: "exec", params: { command: "touch made.txt" } }] },
          { text: "Done." },
        ],
      },
    );
    server.write({ chat: GROUP, from: bob, text: "make a file" });
    const card = await sentTo(server, 1);
    const shown = { ...card };
    const answer = async (label: string, from?: TelegramPerson) => {
      const before = server.sent.length;
      server.press(shown, label, from);
      return (await sentTo(server, before + 1)).text;
    };
    for (const { data } of shown.buttons.flat()) expect(data.length).toBeLessThanOrEqual(64);
    expect(await answer("Allow once", bob)).toContain("NOT_AUTHORIZED_TO_APPROVE");
    expect(await answer("Deny")).toContain("is denied");
    await eventually(() => expect(server.sent.at(-1)?.text).toBe("Done."));
    const stale = await answer("Allow once");
    expect(stale).toContain("APPROVAL_ALREADY_DECIDED");
    expect(stale).toContain("denied");
    expect(existsSync(join(host.workspaceDir, "made.txt"))).toBe(false);
    expect(host.modelRequests).toHaveLength(2);
  });

  it("[EXT-020] obeys the policies for direct messages and groups of each account, and the tools of a group", async () => {
    const [work, home] = [await startTelegramServer(), await startTelegramServer()];
    for (const server of [work, home]) server.addChat(GROUP);
    const account = ({ token: botToken, url: apiRoot }: TelegramServer) => ({ botToken, apiRoot });
    const telegram = {
      allowFrom: [42],
      groups: { "-100": { tools: { deny: ["exec"] } } },
      accounts: {
        work: { ...account(work), dmPolicy: "allowlist", groupPolicy: "all" },
        home: { ...account(home), dmPolicy: "off", groupPolicy: "off" },
      },
    };
    const host = await createTestHost({
      plugin: createTelegramPlugin(),
      config: { channels: { telegram } } as NonNullable<TestHostOptions["config"]>,
      model: [{ text: "to Alice" }, { text: "to the group" }],
    });
    onTestFinished(async () => {
      for (const server of [work, home]) server.dropPoll();
      await host.dispose();
      for (const server of [work, home]) await server.close();
    });
    const bob = { id: 7, first_name: "Bob" };
    home.write({ text: "off" });
    home.write({ chat: GROUP, text: "off" });
    work.write({ from: bob, text: "not on the list" });
    work.write({ text: "hi" });
    expect(await sentTo(work, 1)).toMatchObject({ chatId: 42, text: "to Alice" });
    // Without a mention, because the policy is all.
    work.write({ chat: GROUP, from: bob, text: "hi all" });
    expect(await sentTo(work, 2)).toMatchObject({ chatId: -100, text: "to the group" });
    await eventually(() => expect(home.unconfirmed).toBe(0));
    expect(home.sent).toEqual([]);
    const [direct, group] = host.modelRequests.map(({ tools = [] }) =>
      tools.map(({ name }) => name),
    );
    expect(direct).toContain("exec");
    expect(group).not.toContain("exec");
    expect(host.modelRequests).toHaveLength(2);
  });

  it("[EXT-016] receives updates by webhook, and answers each request once its message is stored", async () => {
    const webhookUrl = "https://bot.example/plugins/telegram/webhook";
    const { server, host } = await connected({ webhookUrl, webhookSecret: SECRET });
    await eventually(() => expect(server.webhook).toEqual({ url: webhookUrl, secret: SECRET }));
    const update = JSON.stringify(server.write({ text: "hi" }));
    const post = (secret: string, body: string) =>
      host.request("/plugins/telegram/webhook", {
        method: "POST",
        authenticated: false,
        body,
        headers: { "x-telegram-bot-api-secret-token": secret },
      });
    expect((await post("wrong", update)).status).toBe(401);
    expect((await post(SECRET, "{")).status).toBe(400);
    expect((await post(SECRET, update)).status).toBe(200);
    expect(await sentTo(server, 1)).toMatchObject({ text: "Hello." });
    expect((await post(SECRET, update)).status).toBe(200);
    expect(host.modelRequests).toHaveLength(1);
  });

  it("has a route only for a webhook, of the channel or of one account", async () => {
    const routes = async (section: Record<string, unknown>) => {
      const { host } = await connected(section);
      return host.registrations.httpRoutes.length;
    };
    const webhook = { webhookUrl: "https://bot.example/x", webhookSecret: SECRET };
    expect(await routes({})).toBe(0);
    expect(await routes(webhook)).toBe(1);
    expect(await routes({ accounts: { work: webhook, home: {} } })).toBe(1);
  });

  it("shows no token when the Bot API cannot be reached", async () => {
    const { server, host } = await connected();
    await eventually(() => expect(server.calls).toContain("getUpdates"));
    await server.close();
    const channels = async () => {
      const response = await host.request("/api/v1/channels/list", { method: "POST", body: "{}" });
      return await response.text();
    };
    const problem = await eventually(async () => {
      const text = await channels();
      expect(text).toContain("did not answer");
      return text;
    });
    expect(problem).toContain("/bot<token>/");
    expect(problem + JSON.stringify(host.logs)).not.toContain(server.token);
  });

  it("reports a wrong token, and stops asking for updates with it", async () => {
    const { host } = await connected({ botToken: `1:${"x".repeat(30)}` });
    await eventually(() =>
      expect(host.logs.map(({ message }) => message).join("\n")).toContain("token is not accepted"),
    );
  });
});

describe("TelegramChannel", () => {
  it("[EXT-016] sends, edits, deletes and reacts, with files as their kinds", async () => {
    const server = await startTelegramServer();
    onTestFinished(() => server.close());
    const channel = new TelegramChannel();
    const ending = new AbortController();
    const { token: botToken, url: apiRoot } = server;
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    const stream = channel.start({
      ...{ config: { botToken, apiRoot }, accountId: "default", signal: ending.signal, logger },
      connected() {},
      saveAttachment: () => Promise.reject(new Error("no files")),
    });
    const reading = stream.next();
    // The account exists once its library has been loaded.
    await eventually(() => expect(server.calls).toContain("getUpdates"));
    const folder = process.env.TMPDIR ?? "/tmp";
    const picture = join(folder, `telegram-${process.pid}.png`);
    writeFileSync(picture, "png");
    const attachments = [{ mimeType: "image/png", bytes: 3, path: picture, name: "a.png" }];
    const { messageId = "" } = await channel.broadcast("42", { content: "*See*", attachments });
    expect(server.sent[0]).toMatchObject({ text: "See", file: { kind: "photo", bytes: 3 } });
    const text = await channel.broadcast("42", { content: "one" });
    const reference = { conversationId: "42", messageId: text.messageId ?? "" };
    await channel.edit(reference, { content: "two" });
    await channel.edit(reference, { content: "two" });
    expect(server.sent[1]).toMatchObject({ text: "two", history: ["one"] });
    await channel.react(reference, "👍");
    await channel.remove(reference);
    expect(server.reactions).toEqual([{ messageId: Number(text.messageId), emoji: "👍" }]);
    expect(server.deleted).toEqual([Number(text.messageId)]);
    expect(Number(messageId)).toBeGreaterThan(0);
    await expect(channel.broadcast("999", { content: "hi" })).rejects.toMatchObject({
      code: "CHANNEL_SEND_FAILED",
      retryable: false,
    });
    server.refuse("sendMessage", [
      400,
      "Bad Request: group chat was upgraded",
      { migrate_to_chat_id: 42 },
    ]);
    await channel.broadcast("-5", { content: "moved" });
    expect(server.sent.at(-1)).toMatchObject({ chatId: 42, text: "moved" });
    ending.abort();
    server.dropPoll();
    await reading;
  });
});
