import { createManualClock } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import {
  type Channel,
  ChannelDisconnectedError,
  type IncomingMessage,
} from "@openclaw/plugin-sdk/channel-core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { ChannelReceiver } from "../../src/channels/account.js";
import { ChannelManager } from "../../src/channels/manager.js";
import { incoming, streamChannel, untilAborted } from "../support/stream-channel.js";

/** Waits for a condition, also on a machine with much else to do. */
const eventually = <Result>(check: () => Result | Promise<Result>) => vi.waitFor(check, 40_000);

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

function openManager({ clock = createManualClock(1_000_000), logger = silent } = {}) {
  const received: string[] = [];
  const receiver: ChannelReceiver = {
    observe: () => undefined,
    async receive(message) {
      received.push(`${message.channel}:${message.id}`);
      return "accepted";
    },
  };
  const manager = new ChannelManager({
    redact: (text) => text,
    files: { save: () => Promise.reject(new Error("no files")) },
    callPlugin: (_pluginId, call) => call(),
    store: { messages: {} } as never,
    logger,
    timers: clock,
    now: () => clock.now(),
  });
  onTestFinished(async () => {
    const closed = manager.close();
    await clock.advanceAndSettle(2000);
    await closed;
  });
  const run = (channel: Channel, config: Record<string, unknown> = {}, accountId = "default") => ({
    ...{ channel, config, accountId },
    pluginId: "plugin",
  });
  return { manager, receiver, received, clock, run };
}

function quiet(name: string, more: Partial<Channel> = {}) {
  return streamChannel({
    ...more,
    name,
    stream: async function* ({ signal, connected }) {
      connected();
      await untilAborted(signal);
      yield* [];
    },
  });
}

describe("ChannelManager", () => {
  it("[CHAN-002] ends the stream within 2 s of the abort, and takes no later message", async () => {
    const { manager, receiver, received, clock, run } = openManager();
    let ended = 0;
    const polite = streamChannel({
      name: "polite",
      stream: async function* ({ signal }) {
        try {
          yield incoming("1", { channel: "polite" });
          await untilAborted(signal);
          yield incoming("late", { channel: "polite" });
        } finally {
          ended += 1;
        }
      },
    });
    const deaf = streamChannel({
      name: "deaf",
      stream: async function* () {
        await new Promise(() => undefined);
        yield* [];
      },
    });
    await manager.apply([run(polite), run(deaf)]);
    manager.start(receiver);
    await eventually(() => expect(received).toEqual(["polite:1"]));
    const stopped = manager.stopReceiving();
    await eventually(() => expect(ended).toBe(1));
    await clock.advanceAndSettle(2000);
    await stopped;
    expect(received).toEqual(["polite:1"]);
    expect(manager.status.map(({ state }) => state)).toEqual(["stopped", "stopped"]);
  });

  it("[CHAN-522] waits for a message that is being sent when its channel stops, and sends none twice", async () => {
    const { manager, receiver, clock, run } = openManager();
    const sends: (() => void)[] = [];
    const respond = () => new Promise<void>((resolve) => sends.push(resolve));
    const target = { channel: "slow", to: "alice" };
    const send = async () => {
      await manager.apply([run(quiet("slow", { broadcast: respond }))]);
      manager.start(receiver);
      const sent = manager.surface(target)?.send({ text: "hello" }, { idempotencyKey: "one" });
      await eventually(() => expect(sends).toHaveLength(1));
      return { sent, stopped: manager.apply([]) };
    };
    const slow = await send();
    await clock.advanceAndSettle(1000);
    sends.shift()?.();
    await expect(slow.sent).resolves.toBeDefined();
    await slow.stopped;

    const hanging = await send();
    const failure = expect(hanging.sent).rejects.toMatchObject({
      message: expect.stringContaining("may have been sent"),
      retryable: false,
    });
    await clock.advanceAndSettle(2000);
    await hanging.stopped;
    await failure;
  });

  it("[CHAN-008] takes one message of each ready channel after the other, however much one floods", async () => {
    const { manager, run } = openManager();
    const order: string[] = [];
    const waiting: (() => void)[] = [];
    const receiver: ChannelReceiver = {
      observe: () => undefined,
      receive(message) {
        order.push(message.channel);
        return new Promise((resolve) => waiting.push(() => resolve("accepted")));
      },
    };
    const flooding = streamChannel({
      name: "flood",
      stream: async function* () {
        for (let id = 0; ; id += 1) yield incoming(String(id), { channel: "flood" });
      },
    });
    const calm = (name: string) =>
      streamChannel({
        name,
        stream: async function* () {
          for (let id = 0; id < 10; id += 1) yield incoming(String(id), { channel: name });
        },
      });
    await manager.apply([run(flooding), run(calm("one")), run(calm("two"))]);
    manager.start(receiver);
    // The store accepts one message at a time.
    while (order.length < 30) {
      await eventually(() => expect(waiting).toHaveLength(3));
      waiting.shift()?.();
      await eventually(() => expect(waiting).toHaveLength(3));
    }
    for (let at = 0; at + 3 <= 27; at += 3) {
      expect(new Set(order.slice(at, at + 3))).toEqual(new Set(["flood", "one", "two"]));
    }
  });

  it("[CHAN-009] starts the other channels when one cannot start, and reports the failure", async () => {
    const { manager, receiver, run } = openManager();
    const failing = streamChannel({
      name: "failing",
      stream: () => {
        throw new ChannelDisconnectedError("failing", "no route");
      },
    });
    await manager.apply([run(failing), run(quiet("works"))]);
    manager.start(receiver);
    await eventually(() =>
      expect(manager.status).toMatchObject([
        { channel: "failing", state: "degraded", problem: { code: "CHANNEL_DISCONNECTED" } },
        { channel: "works", state: "connected" },
      ]),
    );
  });

  it("[CHAN-014] restarts a stream after 1 s, doubling to 60 s, and is degraded meanwhile", async () => {
    const { manager, receiver, clock, run } = openManager();
    const channel = streamChannel({
      stream: async function* (_context, start) {
        if (start % 2 === 0) throw new Error("broken");
        yield* [];
      },
    });
    await manager.apply([run(channel)]);
    manager.start(receiver);
    for (const [index, wait] of [1, 2, 4, 8, 16, 32, 60, 60].entries()) {
      await eventually(() => {
        expect(channel.starts).toBe(index + 1);
        expect(manager.status[0]).toMatchObject({
          state: "degraded",
          restarts: index + 1,
          retryAt: clock.now() + wait * 1000,
        });
      });
      await clock.advanceAndSettle(wait * 1000 - 1);
      expect(channel.starts).toBe(index + 1);
      await clock.advanceAndSettle(1);
    }
  });

  it("waits 1 s again after a connection of a minute", async () => {
    const { manager, receiver, clock, run } = openManager();
    let drop: () => void = () => undefined;
    const channel = streamChannel({
      stream: async function* ({ signal }) {
        const dropped = new Promise<void>((resolve) => {
          drop = resolve;
        });
        await Promise.race([dropped, untilAborted(signal)]);
        yield* [];
      },
    });
    await manager.apply([run(channel)]);
    manager.start(receiver);
    const retryIn = async (afterMs: number) => {
      await clock.advanceAndSettle(afterMs);
      drop();
      await eventually(() => expect(manager.status[0]).toMatchObject({ state: "degraded" }));
      const wait = (manager.status[0]?.retryAt ?? 0) - clock.now();
      await clock.advanceAndSettle(wait);
      manager.account("test")?.connected();
      return wait;
    };
    expect(await retryIn(10)).toBe(1000);
    expect(await retryIn(10)).toBe(2000);
    expect(await retryIn(60_000)).toBe(1000);
  });

  it("[CHAN-010] replaces a channel of the same name after shutting the old one down, while running", async () => {
    const { manager, receiver, run } = openManager();
    const order: string[] = [];
    const named = (label: string) =>
      streamChannel({
        name: "test",
        shutdown: async () => void order.push(`${label} shut down`),
        stream: async function* ({ signal }) {
          order.push(`${label} started`);
          await untilAborted(signal);
          order.push(`${label} ended`);
          yield* [];
        },
      });
    await manager.apply([run(named("old"))]);
    manager.start(receiver);
    await eventually(() => expect(order).toEqual(["old started"]));
    const next = named("new");
    await manager.apply([run(next)]);
    await eventually(() => expect(order).toHaveLength(4));
    expect(order).toEqual(["old started", "old ended", "old shut down", "new started"]);
    await manager.apply([run(next)]);
    expect(order).toHaveLength(4);
    const other = quiet("other");
    await manager.apply([run(next), run(other)]);
    expect(manager.names).toEqual(["test", "other"]);
    await manager.apply([run(other)]);
    expect(manager.names).toEqual(["other"]);
    expect(order.slice(4)).toEqual(["new ended", "new shut down"]);
  });

  it("[CHAN-044] restarts only the account whose connection settings changed", async () => {
    const { manager, receiver, run } = openManager();
    const channel = quiet("test");
    await manager.apply([run(channel, { a: 1 }, "work"), run(channel, {}, "home")]);
    manager.start(receiver);
    await manager.apply([run(channel, { a: 2 }, "work"), run(channel, {}, "home")]);
    await eventually(() => expect(channel.starts).toBe(3));
    await manager.apply([
      run(channel, { a: 2, dmPolicy: "off" }, "work"),
      run(channel, {}, "home"),
    ]);
    expect(channel.starts).toBe(3);
    expect(manager.account("test", "work")?.config).toMatchObject({ dmPolicy: "off" });
    expect(manager.status.map(({ accountId }) => accountId).sort()).toEqual(["home", "work"]);
  });

  it("[CHAN-011] responds through the channel of the message, and fails for an unknown one", async () => {
    const { manager, receiver, run } = openManager();
    const [one, two] = [quiet("one"), quiet("two")];
    await manager.apply([run(one), run(two)]);
    manager.start(receiver);
    await manager.respond(incoming("1", { channel: "two" }), { content: "hello" });
    expect([one.replies.length, two.replies.length]).toEqual([0, 1]);
    const unknown = incoming("1", { channel: "three" });
    await expect(manager.respond(unknown, { content: "hello" })).rejects.toMatchObject({
      code: "CHANNEL_SEND_FAILED",
      retryable: false,
    });
    const status = { kind: "status", text: "working" } as const;
    await expect(manager.sendStatus(status, null, unknown)).resolves.toBeUndefined();
    await expect(
      manager.sendStatus(status, null, incoming("1", { channel: "one" })),
    ).resolves.toBeUndefined();
  });

  it("[CHAN-012] reports the outcome of a broadcast for each channel", async () => {
    const { manager, receiver, run } = openManager();
    const sent: string[] = [];
    const works = quiet("works", {
      broadcast: async (userId, { content }) => void sent.push(`${userId}: ${content}`),
    });
    const fails = quiet("fails", { broadcast: () => Promise.reject(new Error("no route")) });
    await manager.apply([run(fails), run(quiet("replies only")), run(works)]);
    manager.start(receiver);
    expect(await manager.broadcastAll("alice", { content: "hello" })).toEqual([
      { channel: "fails", accountId: "default", sent: false, error: "no route" },
      { channel: "works", accountId: "default", sent: true },
    ]);
    expect(sent).toEqual(["alice: hello"]);
  });

  it("drops messages of an invalid form, names the field, and continues", async () => {
    const warnings: string[] = [];
    const logger = { ...silent, warn: (message: string) => void warnings.push(message) };
    const { manager, receiver, received, run } = openManager({ logger });
    const malformed: readonly unknown[] = [
      "text",
      { ...incoming("1"), id: "" },
      { ...incoming("1"), channel: "other" },
      { ...incoming("1"), content: 5 },
      { ...incoming("1"), receivedAt: "today" },
      { ...incoming("1"), room: { kind: "cave", id: "x" } },
      { ...incoming("1"), attachments: [{ mimeType: "audio/ogg" }] },
      { ...incoming("1"), userId: "x".repeat(513) },
    ];
    const channel = streamChannel({
      stream: async function* ({ signal }) {
        for (const value of malformed) yield value as IncomingMessage;
        yield incoming("good");
        await untilAborted(signal);
      },
    });
    await manager.apply([run(channel)]);
    manager.start(receiver);
    await eventually(() => expect(received).toEqual(["test:good"]));
    expect(warnings.map((text) => /invalid (\w+)/.exec(text)?.[1])).toEqual([
      ...["form", "id", "channel", "content", "receivedAt", "room", "attachments", "userId"],
    ]);
    await eventually(() => expect(manager.status[0]).toMatchObject({ invalid: 8, received: 1 }));
  });

  it("[CHAN-001] runs a channel with a name, start and respond, on which every other call succeeds without effect", async () => {
    const { manager, receiver, run } = openManager();
    const plain = quiet("plain");
    await manager.apply([run(plain)]);
    manager.start(receiver);
    const message = incoming("1", { channel: "plain" });
    expect(await manager.respond(message, { content: "hello" })).toEqual({ messageId: "1" });
    await expect(
      manager.sendStatus({ kind: "thinking", text: "Thinking" }, null, message),
    ).resolves.toBeUndefined();
    expect(await manager.check("plain")).toBeUndefined();
    expect(await manager.broadcastAll("alice", { content: "hello" })).toEqual([]);
    await expect(manager.close()).resolves.toBeUndefined();
    expect(plain.replies).toMatchObject([{ content: "hello" }]);
  });

  it("reports the problem that a health check finds", async () => {
    const { manager, receiver, run } = openManager();
    const sick = quiet("sick", { healthCheck: () => Promise.reject(new Error("wrong token")) });
    await manager.apply([run(sick), run(quiet("plain"))]);
    manager.start(receiver);
    expect(await manager.check("sick")).toEqual({
      code: "CHANNEL_HEALTH_CHECK_FAILED",
      message: "wrong token",
    });
    expect(await manager.check("plain")).toBeUndefined();
    await expect(manager.check("plian")).rejects.toThrow(/did you mean.*plain/i);
  });
});
