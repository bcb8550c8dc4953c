import {
  ChannelDisconnectedError,
  ChannelRateLimitedError,
  ChannelSendFailedError,
} from "@openclaw/plugin-sdk/channel-core";
import { definePluginEntry, type OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import { openStore } from "@openclaw/store";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  createFakeChannel,
  createTestHost,
  type FakeChannel,
  type FakeChannelOptions,
  type TestHostOptions,
} from "../../src/index.js";

/** Waits for a condition, also on a machine with much else to do. */
const eventually = <Result>(check: () => Result | Promise<Result>) => vi.waitFor(check, 40_000);

const OPEN = { channels: { fake: { dmPolicy: "open" } } };

async function runningChannel(
  { channel: about, ...options }: Partial<TestHostOptions> & { channel?: FakeChannelOptions } = {},
  register?: (api: OpenClawPluginApi) => void,
): Promise<{ channel: FakeChannel; host: Awaited<ReturnType<typeof createTestHost>> }> {
  const channel = createFakeChannel(about);
  const watcher = definePluginEntry({ id: "watcher", register: (api) => register?.(api) });
  const host = await createTestHost({
    plugin: channel.asPlugin(),
    config: OPEN,
    model: "demo/echo",
    neighbours: [watcher],
    ...options,
  });
  return { channel, host };
}

describe("a channel of a plugin", () => {
  it("carries a message through a turn and back to its conversation", async () => {
    const { channel, host } = await runningChannel({ model: [{ text: "Hello, Alice." }] });
    await using _host = host;
    await channel.say("hi", { userName: "Alice", externalId: "m1" });
    const reply = await channel.delivery(1);
    expect(reply).toMatchObject({ to: "alice", content: "Hello, Alice.", accountId: "default" });
    expect(reply.inReplyTo).toMatchObject({ content: "hi", externalId: "m1" });
  });

  it("[CHAN-013] stores a message before it is acknowledged, and runs it once when it is sent twice", async () => {
    const store = await openStore({ file: ":memory:" });
    onTestFinished(() => store.close());
    const { channel, host } = await runningChannel({
      store,
      model: [{ text: "one" }, { text: "two" }],
    });
    await using _host = host;
    await channel.say("hi", { externalId: "m1" });
    expect(await store.messages.inbox.latest("agent:main:fake:direct:alice")).toMatchObject({
      externalMessageId: "m1",
      content: "hi",
    });
    await channel.delivery(1);
    await channel.say("hi", { externalId: "m1" });
    await channel.say("next", { externalId: "m2" });
    expect(await channel.delivery(2)).toMatchObject({ content: "two" });
    expect(host.modelRequests).toHaveLength(2);
  });

  it("repeats a send after 1, 4 and 16 seconds, reports the failure once, and keeps the error", async () => {
    const told: { hook: string; event: object }[] = [];
    const { channel, host } = await runningChannel(
      { model: [{ text: "lost" }, { text: "late" }] },
      (api) => {
        api.on("message_sent", (event) => void told.push({ hook: "message_sent", event }));
        api.on("response_error", (event) => void told.push({ hook: "response_error", event }));
      },
    );
    await using _host = host;
    const attempts: number[] = [];
    const fail = (): never => {
      attempts.push(host.clock.now());
      throw new ChannelDisconnectedError("fake", "the line is dead");
    };
    channel.onSend(fail, fail, fail, fail, fail);
    await channel.say("hi");
    await eventually(() => expect(attempts).toHaveLength(1));
    for (const wait of [1000, 4000, 16_000]) await host.advance(wait);
    await eventually(() => expect(told).toHaveLength(2));
    const [first = 0] = attempts;
    expect(attempts.map((at) => at - first)).toEqual([0, 1000, 5000, 21_000]);
    expect(told).toMatchObject([
      {
        hook: "response_error",
        event: {
          to: "alice",
          channel: "fake",
          content: "lost",
          attempts: 4,
          error: { code: "CHANNEL_DISCONNECTED" },
        },
      },
      { hook: "message_sent", event: { success: false, attempts: 4, content: "lost" } },
    ]);
    // The fifth behaviour fails once more, and the next attempt succeeds.
    await channel.say("again");
    await eventually(() => expect(attempts).toHaveLength(5));
    await host.advance(1000);
    expect(await channel.delivery(1)).toMatchObject({ content: "late" });
    await eventually(() => expect(told).toHaveLength(3));
    expect(told[2]).toMatchObject({ hook: "message_sent", event: { success: true, attempts: 2 } });
  });

  it("waits as long as the platform asks, with the same key, and does not repeat a final failure", async () => {
    const { channel, host } = await runningChannel({ model: [{ text: "one" }, { text: "two" }] });
    await using _host = host;
    const keys: (string | undefined)[] = [];
    channel.onSend(
      ({ idempotencyKey }) => {
        keys.push(idempotencyKey);
        throw new ChannelRateLimitedError("fake", "too fast", { retryAfterMs: 30_000 });
      },
      ({ idempotencyKey }) => void keys.push(idempotencyKey),
      () => {
        throw new ChannelSendFailedError("fake", "the bot was blocked");
      },
    );
    await channel.say("hi");
    await eventually(() => expect(keys).toHaveLength(1));
    await host.advance(29_999);
    expect(channel.deliveries).toHaveLength(0);
    await host.advance(1);
    await channel.delivery(1);
    expect(keys[0]).toBeDefined();
    expect(keys[1]).toBe(keys[0]);
    await channel.say("more");
    await eventually(() =>
      expect(host.logs.some(({ message }) => message.includes("the bot was blocked"))).toBe(true),
    );
    expect(channel.deliveries).toHaveLength(1);
  });

  it("[CHAN-016] sends a long reply in chunks that fit the channel, in order, with closed code fences", async () => {
    const code = Array.from({ length: 12 }, (_, line) => `  const value${line} = ${line};`);
    const text = `Here it is:\n\n\`\`\`ts\n${code.join("\n")}\n\`\`\`\n\nDone.`;
    const { channel, host } = await runningChannel({
      channel: { capabilities: { textLimit: 120 } },
      model: [{ text }],
    });
    await using _host = host;
    await channel.say("show me");
    await eventually(() => expect(channel.deliveries.at(-1)?.content).toContain("Done."));
    const contents = channel.deliveries.map(({ content }) => content);
    for (const content of contents) {
      expect(content.length).toBeLessThanOrEqual(120);
      expect(content.match(/^```/gm)?.length ?? 0).toBe(content.includes("const") ? 2 : 0);
    }
    const lines = contents
      .join("\n")
      .split("\n")
      .filter((line) => line.startsWith("  const"));
    expect(lines).toEqual(code);
  });

  it("tells the sender when a turn failed", async () => {
    const { channel, host } = await runningChannel({
      model: [{ error: { status: 529, message: "the model is overloaded" } }],
    });
    await using _host = host;
    await channel.say("hi");
    expect((await channel.delivery(1)).content).toMatch(/^The request failed: /);
  });

  it("sends one message when a reply is complete before its preview", async () => {
    const { channel, host } = await runningChannel({
      channel: { capabilities: { streaming: true } },
      config: { channels: { fake: { dmPolicy: "open", streaming: true } } },
      model: [{ text: "one two three" }],
    });
    await using _host = host;
    await channel.say("hi");
    expect(await channel.delivery(1)).toMatchObject({ content: "one two three", edits: [] });
    expect(channel.deliveries).toHaveLength(1);
  });

  it("[HOST-021] [HOST-022] gives an unknown sender a code once, and answers after the operator admits them", async () => {
    const { channel, host } = await runningChannel({
      config: { channels: { fake: {} } },
      model: [{ text: "Welcome." }],
    });
    await using _host = host;
    await channel.say("hi");
    const { content } = await channel.delivery(1);
    const [, code = ""] = /pairing code is (\w{8})\./.exec(content) ?? [];
    await channel.say("hello?");
    await channel.say("what is in the workspace?", { userId: "mallory", isBot: true });
    const approve = async (given: string) => {
      const body = JSON.stringify({ channel: "fake", code: given });
      const headers = { "idempotency-key": given, "content-type": "application/json" };
      return host.request("/api/v1/pairing/approve", { method: "POST", body, headers });
    };
    expect((await approve("WRONGONE")).status).toBe(404);
    expect((await approve(code.toLowerCase())).status).toBe(200);
    await channel.say("hi again");
    expect(await channel.delivery(2)).toMatchObject({ content: "Welcome." });
    expect(host.modelRequests).toHaveLength(1);
  });

  it("[CHAN-041] [TURN-003] puts the transcript of audio into the message before the other hooks, or a note", async () => {
    const heard: string[] = [];
    const asked: number[] = [];
    const { channel, host } = await runningChannel(
      { model: [{ text: "one" }, { text: "two" }] },
      (api) => {
        api.on("transcribe_audio", ({ attachmentIndex }) => {
          asked.push(attachmentIndex);
          if (attachmentIndex === 0) throw new Error("no service");
          return undefined;
        });
        api.on("transcribe_audio", async ({ audio, attachmentIndex }) => {
          if (attachmentIndex === 1) return { handled: true };
          const bytes = await audio.read();
          return { handled: true, text: `said ${bytes.length} bytes` };
        });
        api.on("transcribe_audio", () => ({ handled: true, text: "too late" }));
        api.on("message_receiving", ({ content }) => void heard.push(content));
      },
    );
    await using _host = host;
    const [{ saveAttachment }] = channel.starts as [(typeof channel.starts)[number]];
    const content = new Uint8Array(5);
    const audio = await saveAttachment({ name: "a.ogg", mimeType: "audio/ogg", content });
    await channel.say("listen", { attachments: [audio, { ...audio, name: "b.ogg" }] });
    await channel.delivery(1);
    expect(heard[0]).toContain("[Transcript of a.ogg] said 5 bytes");
    expect(heard[0]).toContain("[The audio b.ogg was not transcribed.]");
    expect(heard[0]).toContain(audio.path);
    expect(asked).toEqual([0, 1]);
  });

  it("[HCR-019] gives hooks the message with the notes of the host, and its clean text in a separate field", async () => {
    const seen: object[] = [];
    const { channel, host } = await runningChannel(
      { model: [{ text: "one" }, { text: "two" }] },
      (api) => {
        api.on("transcribe_audio", () => ({ handled: true, text: "buy milk" }));
        api.on("message_receiving", ({ content }) =>
          content.startsWith("secret") ? { content: "hidden" } : undefined,
        );
        api.on("message_received", ({ content, BodyForAgent }) => {
          seen.push({ content, BodyForAgent });
        });
        api.on("inbound_claim", ({ content, body, bodyForAgent, transcript }) => {
          seen.push({ content, body, bodyForAgent, transcript });
          return undefined;
        });
      },
    );
    await using _host = host;
    const attachments = [{ name: "a.ogg", mimeType: "audio/ogg", bytes: 5 }];
    await channel.say("listen", { attachments });
    await channel.delivery(1);
    const content =
      "listen\n[Attached: a.ogg (audio/ogg, 5 bytes)]\n[Transcript of a.ogg] buy milk";
    const clean = "listen\nbuy milk";
    expect(seen).toEqual([
      { content, BodyForAgent: clean },
      { content, body: content, bodyForAgent: clean, transcript: "buy milk" },
    ]);
    expect(host.diagnostics).toEqual([]);
    // What a hook rewrote is not seen by the later ones in any form.
    await channel.say("secret", { attachments });
    await channel.delivery(2);
    expect(seen.slice(2)).toEqual([
      { content: "hidden", BodyForAgent: "hidden" },
      { content: "hidden", body: "hidden", bodyForAgent: "hidden" },
    ]);
  });

  it("[CHAN-015] asks for approval in the conversation, as text where the channel has no buttons", async () => {
    const { channel, host } = await runningChannel({
      config: { channels: { fake: { dmPolicy: "open", owners: ["alice"] } } },
      model: [
        { toolCalls: [{ toolName: "exec", params: { command: "touch made.txt" } }] },
        { text: "Made." },
      ],
    });
    await using _host = host;
    await channel.say("make a file");
    const card = await channel.delivery(1);
    expect(card.buttons).toBeUndefined();
    expect(card.content).toMatch(/Reply \/approve \w+ to allow it once/);
    await channel.say("y");
    await eventually(() =>
      expect(channel.deliveries.map(({ content }) => content)).toContain("Made."),
    );
    await eventually(() =>
      expect(card.edits.at(-1)?.content).toContain("Allowed once by fake:alice"),
    );
  });

  it("connects the channel of a reloaded plugin, and keeps what was written meanwhile", async () => {
    const { channel, host } = await runningChannel({ model: [{ text: "one" }, { text: "two" }] });
    await using _host = host;
    await channel.say("hi");
    await channel.delivery(1);
    expect(channel.starts).toHaveLength(1);
    channel.disconnect(new Error("the line broke"));
    await eventually(() =>
      expect(host.logs.some(({ message }) => message.includes("started again"))).toBe(true),
    );
    const written = channel.say("during the break");
    await host.advance(1000);
    await written;
    expect(await channel.delivery(2)).toMatchObject({ content: "two" });
    expect(channel.starts).toHaveLength(2);
  });

  it("answers other conversations while sends of a channel hang, with few turns at a time", async () => {
    const slow = createFakeChannel({ name: "slow" });
    const { channel, host } = await runningChannel({
      config: {
        agents: { maxConcurrentTurns: 2 },
        channels: { fake: { dmPolicy: "open" }, slow: { dmPolicy: "open" } },
      },
      neighbours: [slow.asPlugin()],
    });
    await using _host = host;
    const hanging = () => new Promise<void>(() => undefined);
    slow.onSend(...Array.from({ length: 5 }, () => hanging));
    for (const userId of ["a", "b", "c", "d", "e"]) await slow.say("hi", { userId });
    await channel.say("hi");
    expect(await channel.delivery(1)).toMatchObject({ to: "alice" });
    expect(slow.deliveries).toEqual([]);
  });

  it("[CHAN-013] answers after a restart what was stored before it, in the conversation of the message", async () => {
    const store = await openStore({ file: ":memory:" });
    onTestFinished(() => store.close());
    const config = { channels: { fake: { owners: ["alice"] } } };
    const toolCalls = [{ toolName: "exec", params: { command: "touch made.txt" } }];
    const first = await runningChannel({ store, config, model: [{ toolCalls }] });
    const group = { room: { kind: "group", id: "team" }, threadId: "7", isMention: true } as const;
    await first.channel.say("make a file", { ...group, externalId: "m1", userName: "Alice" });
    await first.channel.delivery(1);
    await first.host.dispose();
    const second = await runningChannel({ store, config, model: [{ text: "Made." }] });
    await using _host = second.host;
    await second.channel.say("make a file", { ...group, externalId: "m1" });
    await second.channel.say("y", { ...group, externalId: "m2" });
    await eventually(() =>
      expect(second.channel.deliveries.map(({ content }) => content)).toContain("Made."),
    );
    const reply = second.channel.deliveries.find(({ content }) => content === "Made.");
    expect(reply).toMatchObject({ to: "team", threadId: "7" });
    expect(reply?.inReplyTo).toMatchObject({ content: "make a file", externalId: "m1" });
    expect(second.host.modelRequests).toHaveLength(1);
  });

  it("shows the states of channels to owners in /status", async () => {
    const { channel, host } = await runningChannel({
      config: { channels: { fake: { dmPolicy: "open", owners: ["alice"] } } },
    });
    await using _host = host;
    await channel.say("/status");
    expect((await channel.delivery(1)).content).toContain("Channels: fake connected");
    await channel.say("/status", { userId: "bob" });
    expect((await channel.delivery(2)).content).not.toContain("Channels:");
  });

  it("[TURN-063] sends, replies, reacts, edits and deletes with the tool message, here without approval", async () => {
    const sending: string[] = [];
    const call = (params: Record<string, string | string[]>) => ({
      toolCalls: [{ toolName: "message", params }],
    });
    const { channel, host } = await runningChannel(
      {
        config: { channels: { fake: { dmPolicy: "open", owners: ["alice"] } } },
        files: { "report.pdf": "%PDF-1.7" },
        model: [
          call({ action: "send", text: "working on it" }),
          call({ action: "edit", text: "still working", messageId: "fake-1" }),
          call({ action: "reply", text: "here", messageId: "m1", media: ["report.pdf"] }),
          call({ action: "react", text: "👍", messageId: "m1" }),
          call({ action: "delete", messageId: "fake-1" }),
          call({ action: "send", media: ["../outside.txt"] }),
          { text: "Sent." },
        ],
      },
      (api) => {
        api.on("message_sending", ({ content, to }) => {
          sending.push(`${to}: ${content}`);
          return { content: content.replace("working", "busy") };
        });
      },
    );
    await using _host = host;
    await channel.say("report", { externalId: "m1" });
    await eventually(() => expect(channel.deliveries.at(-1)?.content).toBe("Sent."));
    const [first, reply] = channel.deliveries;
    // An edit passes the outbound hooks like a message.
    expect(first).toMatchObject({
      to: "alice",
      content: "busy on it",
      edits: [{ content: "still busy" }],
    });
    expect(reply).toMatchObject({
      content: "here",
      replyToId: "m1",
      attachments: [{ name: "report.pdf", mimeType: "application/pdf", bytes: 8 }],
    });
    expect(sending).toEqual([
      "alice: working on it",
      "alice: still working",
      "alice: here",
      "alice: Sent.",
    ]);
    expect(channel.reactions).toEqual([{ messageId: "m1", emoji: "👍" }]);
    expect(channel.removed).toEqual(["fake-1"]);
    expect(JSON.stringify(host.modelRequests.at(-1))).toContain("is outside the workspace");
  });

  it("[TURN-063] asks for approval of a message to another conversation or channel", async () => {
    const other = createFakeChannel({ name: "other" });
    const call = (params: Record<string, string>) => ({
      toolCalls: [{ toolName: "message", params: { action: "send", ...params } }],
    });
    const { channel, host } = await runningChannel({
      config: {
        channels: { fake: { dmPolicy: "open", owners: ["alice"] }, other: { dmPolicy: "off" } },
      },
      neighbours: [other.asPlugin()],
      model: [
        call({ text: "hello Bob", to: "bob" }),
        call({ text: "hello Carol", to: "carol", channel: "other" }),
        { text: "Sent." },
      ],
    });
    await using _host = host;
    await channel.say("tell Bob and Carol hello");
    const toBob = await channel.delivery(1);
    expect(toBob).toMatchObject({ to: "alice" });
    expect(toBob.content).toContain('"to":"bob"');
    await channel.say("y");
    await eventually(() =>
      expect(channel.deliveries.map(({ to }) => to)).toEqual(expect.arrayContaining(["bob"])),
    );
    const asked = () => channel.deliveries.filter(({ content }) => content.includes("carol"));
    await eventually(() => expect(asked()).toHaveLength(1));
    expect(other.deliveries).toEqual([]);
    await channel.say("y");
    expect(await other.delivery(1)).toMatchObject({ to: "carol", content: "hello Carol" });
    await eventually(() => expect(channel.deliveries.at(-1)?.content).toBe("Sent."));
  });

  it("[EXT-004] builds the descriptions of tools for the session, the same for every turn", async () => {
    const { channel, host } = await runningChannel(
      {
        channel: { capabilities: { textLimit: 160 } },
        model: [{ text: "one" }, { text: "two" }],
      },
      (api) => {
        const base = { parameters: { type: "object", properties: {} }, execute: () => "ok" };
        api.registerTool({
          ...base,
          name: "brief",
          description: ({ messageChannel, channelCapabilities }) =>
            `Writes to ${messageChannel} in ${channelCapabilities?.textLimit} characters.`,
        });
        api.registerTool({
          ...base,
          name: "broken",
          description: () => {
            throw new Error("no text");
          },
        });
        api.registerToolMetadata({
          toolName: "message",
          modelDescription: ({ agentId }) => `Sign as ${agentId}.`,
        });
      },
    );
    await using _host = host;
    await channel.say("hi");
    await channel.delivery(1);
    await channel.say("again");
    await channel.delivery(2);
    const [first, second] = host.modelRequests.map(({ tools = [] }) => tools);
    expect(first).toEqual(second);
    const described = (name: string) =>
      first?.flatMap((tool) =>
        tool.type === "function" && tool.name === name ? [tool.description] : [],
      );
    expect(described("brief")).toEqual(["Writes to fake in 160 characters."]);
    expect(described("message")?.[0]).toMatch(/ needs no tool\.\n\nSign as main\.$/);
    expect(described("broken")).toEqual([]);
    expect(host.logs.map(({ message }) => message).join("\n")).toContain(
      'tool "broken" of plugin "watcher" is dropped: its description could not be built (no text)',
    );
  });

  it("shows the progress of a turn in order", async () => {
    const { channel, host } = await runningChannel({
      model: [
        { toolCalls: [{ toolName: "echo", params: { message: "a\n\nb" } }] },
        { text: "done" },
      ],
    });
    await using _host = host;
    await channel.say("hi");
    await channel.delivery(1);
    const kinds = channel.statuses.map(({ kind }) => kind);
    expect(kinds[0]).toBe("thinking");
    expect(kinds).toContain("tool_started");
    expect(kinds.indexOf("tool_started")).toBeLessThan(kinds.indexOf("tool_completed"));
  });
});
