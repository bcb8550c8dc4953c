import {
  ChannelDisconnectedError,
  ChannelRateLimitedError,
  ChannelSendFailedError,
} from "@openclaw/plugin-sdk/channel-core";
import { definePluginEntry, type OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import { describe, expect, it, vi } from "vitest";
import {
  createFakeChannel,
  createTestHost,
  type FakeChannel,
  type FakeChannelOptions,
  type TestHostOptions,
} from "../../src/index.js";

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
  it("[CHAN-001] carries a message through a turn and back to its conversation", async () => {
    const { channel, host } = await runningChannel({ model: [{ text: "Hello, Alice." }] });
    await using _host = host;
    await channel.say("hi", { userName: "Alice", externalId: "m1" });
    const reply = await channel.delivery(1);
    expect(reply).toMatchObject({ to: "alice", content: "Hello, Alice.", accountId: "default" });
    expect(reply.inReplyTo).toMatchObject({ content: "hi", externalId: "m1" });
  });

  it("[CHAN-013] runs a message once that the platform sends twice, and acknowledges both", async () => {
    const { channel, host } = await runningChannel({ model: [{ text: "one" }, { text: "two" }] });
    await using _host = host;
    await channel.say("hi", { externalId: "m1" });
    await channel.delivery(1);
    await channel.say("hi", { externalId: "m1" });
    await channel.say("next", { externalId: "m2" });
    expect(await channel.delivery(2)).toMatchObject({ content: "two" });
    expect(host.modelRequests).toHaveLength(2);
  });

  it("[TURN-048] repeats a send after 1, 4 and 16 seconds, reports the failure once, and keeps the error", async () => {
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
    await vi.waitFor(() => expect(attempts).toHaveLength(1));
    for (const wait of [1000, 4000, 16_000]) await host.advance(wait);
    await vi.waitFor(() => expect(told).toHaveLength(2));
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
    await vi.waitFor(() => expect(attempts).toHaveLength(5));
    await host.advance(1000);
    expect(await channel.delivery(1)).toMatchObject({ content: "late" });
    await vi.waitFor(() => expect(told).toHaveLength(3));
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
    await vi.waitFor(() => expect(keys).toHaveLength(1));
    await host.advance(29_999);
    expect(channel.deliveries).toHaveLength(0);
    await host.advance(1);
    await channel.delivery(1);
    expect(keys[0]).toBeDefined();
    expect(keys[1]).toBe(keys[0]);
    await channel.say("more");
    await vi.waitFor(() =>
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
    await vi.waitFor(() => expect(channel.deliveries.at(-1)?.content).toContain("Done."));
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
