import {
  ChannelDisconnectedError,
  ChannelHttpError,
  ChannelRateLimitedError,
} from "@openclaw/plugin-sdk/channel-core";
import { openStore } from "@openclaw/store";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createFakeChannel, createTestHost, type TestHostOptions } from "../../src/index.js";

const eventually = <Result>(check: () => Result | Promise<Result>) => vi.waitFor(check, 40_000);

/** A host with a channel that has faults, and another one that has none. */
async function twoChannels(options: Partial<TestHostOptions> = {}) {
  const store = await openStore({ file: ":memory:" });
  const faulty = createFakeChannel({ name: "faulty" });
  const sound = createFakeChannel({ name: "sound" });
  const open = { dmPolicy: "open" } as const;
  const host = await createTestHost({
    plugin: faulty.asPlugin(),
    config: { channels: { faulty: { ...open, groups: { "*": {} } }, sound: open } },
    neighbours: [sound.asPlugin()],
    model: "demo/echo",
    store,
    ...options,
  });
  onTestFinished(async () => {
    await host.dispose();
    await store.close();
  });
  const statusOf = async () => {
    const { text } = await host.runCommand("/status");
    return text;
  };
  return { host, store, faulty, sound, statusOf };
}

describe("a fault of a channel", () => {
  it("[CHAN-050] an outage degrades the channel, which connects again, while another one answers", async () => {
    const { host, faulty, sound, statusOf } = await twoChannels();
    await faulty.say("before");
    await faulty.delivery(1);
    faulty.disconnect(new ChannelDisconnectedError("faulty", "the platform is down"));
    await eventually(async () => expect(await statusOf()).toMatch(/faulty.*degraded/));
    const written = faulty.say("written during the outage");
    await sound.say("meanwhile");
    expect((await sound.delivery(1)).content).toContain("meanwhile");
    await host.advance(1000);
    await written;
    expect((await faulty.delivery(2)).content).toContain("written during the outage");
    expect(await statusOf()).toMatch(/faulty.*connected/);
  });

  it("[CHAN-050] a storm of 429 is waited out as the platform asks, and recorded as failed in the end", async () => {
    const { host, store, faulty, sound } = await twoChannels();
    let refused = 0;
    const limited = () => {
      refused += 1;
      throw new ChannelRateLimitedError("faulty", "slow down", { retryAfterMs: 5000 });
    };
    faulty.onSend(limited, limited, limited, limited);
    await faulty.say("hi");
    await eventually(() => expect(refused).toBe(1));
    await host.advance(4999);
    expect(refused).toBe(1);
    await sound.say("meanwhile");
    await sound.delivery(1);
    await eventually(async () => {
      await host.advance(5000);
      const [failure] = await store.messages.outbox.failures();
      expect(failure).toMatchObject({ channel: "faulty", count: 1 });
    });
    expect(refused).toBe(4);
    await faulty.say("again");
    expect((await faulty.delivery(1)).content).toContain("again");
  });

  it("[CHAN-050] malformed and repeated updates, edits without a message and other bots cause no turn", async () => {
    const { host, faulty } = await twoChannels({ model: [{ text: "one" }, { text: "two" }] });
    for (const raw of [null, "text", {}, { id: "1", channel: "other" }, { content: 1 }]) {
      faulty.yieldRaw(raw);
    }
    await faulty.say("I am a bot, too", { isBot: true });
    await faulty.say("hi", { externalId: "m1" });
    await faulty.delivery(1);
    await faulty.say("hi", { externalId: "m1" });
    await faulty.say("next", { externalId: "m2" });
    await faulty.delivery(2);
    expect(host.modelRequests).toHaveLength(2);
    expect(faulty.deliveries).toHaveLength(2);
  });

  it("[CHAN-050] a message of 1 MB is stored and rejected with a reason, and no model gets it", async () => {
    const { host, faulty } = await twoChannels({ model: [{ text: "short" }] });
    await faulty.say("x".repeat(1024 * 1024), { externalId: "m1" });
    expect((await faulty.delivery(1)).content).toMatch(/1048576 characters; at most 100000/);
    await faulty.say("short", { externalId: "m2" });
    expect((await faulty.delivery(2)).content).toBe("short");
    expect(host.modelRequests).toHaveLength(1);
  });

  it("[CHAN-050] strangers get one code each, three at a time, and wrong codes lock the channel", async () => {
    const { host, faulty } = await twoChannels({
      config: { channels: { faulty: { dmPolicy: "pairing" } } },
      model: [],
    });
    for (const userId of ["s1", "s1", "s2", "s3", "s4"]) await faulty.say("let me in", { userId });
    await faulty.say("K7QX2MPA", { userId: "s1" });
    expect(faulty.deliveries.map(({ to }) => to)).toEqual(["s1", "s2", "s3"]);
    const guess = (code: string) =>
      host.request("/api/v1/pairing/approve", {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": code },
        body: JSON.stringify({ channel: "faulty", code }),
      });
    const codes = Array.from({ length: 11 }, (_, index) => `AAAAAAA${"ABCDEFGHJKL"[index]}`);
    const statuses: number[] = [];
    for (const code of codes) statuses.push((await guess(code)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 404), 429]);
    expect(host.modelRequests).toHaveLength(0);
  });

  it("[CHAN-050] an unknown thread fails without a repeat, is recorded, and holds up no other thread", async () => {
    const { store, faulty } = await twoChannels();
    faulty.onSend(() => {
      throw new ChannelHttpError("faulty", 404, "the thread was deleted");
    });
    const room = { kind: "channel", id: "c1" } as const;
    await faulty.say("in a deleted thread", { room, threadId: "gone", isMention: true });
    await eventually(async () =>
      expect(await store.messages.outbox.failures()).toEqual([
        expect.objectContaining({
          ...{ channel: "faulty", count: 1 },
          message: expect.stringContaining("the thread was deleted"),
        }),
      ]),
    );
    await faulty.say("in another thread", { room, threadId: "here", isMention: true });
    expect(await faulty.delivery(1)).toMatchObject({ to: "c1", threadId: "here" });
  });
});
