import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { delta, paused, type SocketHost, socketHost, TOKEN } from "../../support/socket-host.js";
import type { WireClient } from "../../support/wire-client.js";

const [A, B] = ["agent:main:a", "agent:main:b"];

/** Resolves when a client has received what was sent before. */
async function settle(client: WireClient): Promise<void> {
  await client.call("test.echo", { text: "settled" });
}

/** Returns the approval IDs of the durable events that a client has received, in order. */
function received(client: WireClient): unknown[] {
  return client.events
    .filter(({ event }) => event === "chat.paused")
    .map(({ payload }) => payload.approvalId);
}

function lastCursor(client: WireClient): string {
  return client.events.findLast(({ cursor }) => cursor !== undefined)?.cursor ?? "";
}

describe("events of a connection", () => {
  it("[GW-023] numbers the events of each connection from 1 by 1, and gives durable ones a cursor", async () => {
    const host = await socketHost();
    const [one, other] = [await host.connected([A]), await host.connected([A, B])];
    host.hub.publish("chat.delta", delta(A, "x"));
    host.hub.publish("chat.paused", paused(B, "b"));
    host.hub.publish("chat.paused", paused(A, "a"));
    await Promise.all([settle(one), settle(other)]);
    expect(one.events.map(({ event, seq }) => [event, seq])).toEqual([
      ["hello", 1],
      ["chat.delta", 2],
      ["chat.paused", 3],
    ]);
    expect(other.events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expect(one.events.map(({ cursor }) => typeof cursor)).toEqual([
      "undefined",
      "undefined",
      "string",
    ]);
    expect(one.events.at(-1)?.cursor).toBe(other.events.at(-1)?.cursor);
  });

  it("sends the events of subscribed sessions only, of every session with *, and none after the end of a subscription", async () => {
    const host = await socketHost();
    const [none, all, late] = [
      await host.connected(),
      await host.connected(["*"]),
      await host.connected(),
    ];
    await late.call("test.subscribe", { sessionKey: A });
    host.hub.publish("chat.paused", paused(A, "a"));
    host.hub.publish("chat.paused", paused(B, "b"));
    await Promise.all([none, all, late].map(settle));
    expect([none, all, late].map(received)).toEqual([[], ["a", "b"], ["a"]]);
  });

  it("[GW-023] sends the events that a client missed after its cursor, in order, once, and only of its sessions", async () => {
    const host = await socketHost();
    const first = await host.connected([A]);
    host.hub.publish("chat.paused", paused(A, "1"));
    await settle(first);
    const cursor = lastCursor(first);
    await first.close();
    host.hub.publish("chat.paused", paused(A, "2"));
    host.hub.publish("chat.delta", delta(A, "not kept"));
    host.hub.publish("chat.paused", paused(B, "other session"));
    host.hub.publish("chat.paused", paused(A, "3"));
    const again = host.client();
    const { snapshot } = await again.connect(TOKEN, { subscribe: [A], resume: { cursor } });
    expect(snapshot).toMatchObject({ resumed: true, cursor });
    host.hub.publish("chat.paused", paused(A, "4"));
    await settle(again);
    expect(received(again)).toEqual(["2", "3", "4"]);
    expect(again.events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  });

  it("[GW-023] loses and repeats no durable event, wherever a client disconnects", async () => {
    const host = await socketHost();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("publish", "preview", "other", "disconnect"), { maxLength: 40 }),
        async (steps) => {
          const session = `agent:main:${crypto.randomUUID()}`;
          let client = await host.connected([session]);
          let cursor = "";
          const seen: unknown[] = [];
          const published: string[] = [];
          const leave = async () => {
            cursor = lastCursor(client) || cursor;
            seen.push(...received(client));
            await client.close();
          };
          const start = host.hub.cursor;
          for (const step of steps) {
            if (step === "publish") {
              published.push(String(published.length));
              host.hub.publish("chat.paused", paused(session, String(published.length - 1)));
            } else if (step === "preview") host.hub.publish("chat.delta", delta(session, "x"));
            else if (step === "other") host.hub.publish("chat.paused", paused(B, "b"));
            else {
              // The events that are still under way are lost with the connection.
              await leave();
              client = await host.connected([session], cursor === "" ? start : cursor);
            }
          }
          await settle(client);
          await leave();
          expect(seen).toEqual(published);
        },
      ),
      { numRuns: 50 },
    );
  });

  it.each([
    ["a cursor that is none", "nothing", "unknown-cursor"],
    ["a cursor of an earlier process", "0123456789ab-7", "restarted"],
  ])("[GW-023] sends resync instead of events for %s", async (_, cursor, reason) => {
    const host = await socketHost();
    const client = host.client();
    const { snapshot } = await client.connect(TOKEN, { subscribe: [A], resume: { cursor } });
    expect(snapshot.resumed).toBe(false);
    expect((await client.event("resync")).payload).toEqual({ reason });
    host.hub.publish("chat.paused", paused(A, "new"));
    await settle(client);
    expect(received(client)).toEqual(["new"]);
  });

  it("[GW-023] [CHAN-036] sends resync for a cursor whose events are no longer kept", async () => {
    const host = await socketHost({ logLimits: { events: 2, size: 1_000_000, ageMs: 1000 } });
    const client = await host.connected([A]);
    const before = host.hub.cursor;
    for (const id of ["1", "2", "3"]) host.hub.publish("chat.paused", paused(A, id));
    await settle(client);
    const resumed = await host.connected([A], client.events.at(-3)?.cursor);
    await settle(resumed);
    expect(received(resumed)).toEqual(["2", "3"]);
    const tooLate = await host.connected([A], before);
    expect((await tooLate.event("resync")).payload).toEqual({ reason: "expired" });
    host.setTime(1_700_000_001_000);
    const tooOld = await host.connected([A], client.events.at(-2)?.cursor);
    expect((await tooOld.event("resync")).payload).toEqual({ reason: "expired" });
  });
});

describe("a dead connection", () => {
  it("[GW-023] is noticed by the client with a tick every 15000, which has the newest cursor", async () => {
    const host = await socketHost();
    const clients = [await host.connected(), await host.connected()];
    host.hub.publish("sessions.changed", { sessionKey: A, change: "created" });
    host.hub.publish("chat.paused", paused(A, "of another session"));
    host.clock.advance(15_000);
    for (const client of clients) {
      const { payload, cursor } = await client.event("tick");
      expect(payload).toEqual({ at: 1_700_000_000_000 });
      expect(cursor).toBe(host.hub.cursor);
    }
    expect(host.clock.activeTimers).toBe(1);
  });

  it("ticks at the same rate when the time of day jumps, and once after the host was asleep", async () => {
    const host = await socketHost();
    const client = await host.connected();
    for (const now of [1_600_000_000_000, 1_900_000_000_000]) {
      host.setTime(now);
      host.clock.advance(15_000);
      await client.event("tick", ({ payload }) => payload.at === now);
      await settle(client);
    }
    host.clock.stall(24 * 60 * 60 * 1000);
    await client.until(() => client.events.filter(({ event }) => event === "tick")[2]);
    await settle(client);
    expect(client.events.filter(({ event }) => event === "tick")).toHaveLength(3);
  });

  it("[GW-023] [CHAN-038] is closed after two missed pongs", async () => {
    const host = await socketHost();
    const [alive, dead] = [await host.connected(), host.client({ autoPong: false })];
    await dead.connect(TOKEN);
    for (let round = 1; round <= 2; round += 1) {
      host.clock.advance(15_000);
      await alive.until(() => alive.events.filter(({ event }) => event === "tick")[round - 1]);
      // The answer to the ping was sent before this call.
      await settle(alive);
      await settle(dead);
    }
    host.clock.advance(15_000);
    expect(await dead.closed()).toMatchObject({
      code: 1013,
      reason: expect.stringContaining("2 pings"),
    });
    await settle(alive);
    expect(host.sockets.size).toBe(1);
  });
});

describe("a client that does not read", () => {
  const queueLimits = { bytes: 256 * 1024, events: 100, drainMs: 10_000 };
  const text = "x".repeat(64 * 1024);

  /**
   * Publishes 400 previews, more than the network buffers for a paused client. After each few,
   * fewer than the bounds, it waits until `reader` has them, so that a client that reads loses none.
   */
  async function flood(host: SocketHost, reader: WireClient): Promise<void> {
    for (let part = 0; part < 200; part += 1) {
      for (let each = 0; each < 2; each += 1) host.hub.publish("chat.delta", delta(A, text));
      await settle(reader);
    }
  }

  it("[GW-018] loses previews first, receives every durable event, and reads how many were left out", async () => {
    const host = await socketHost({ queueLimits });
    const [slow, quick] = [await host.connected([A]), await host.connected([A])];
    slow.socket.pause();
    await flood(host, quick);
    for (let id = 0; id < 50; id += 1) host.hub.publish("chat.paused", paused(A, String(id)));
    slow.socket.resume();
    const ids = Array.from({ length: 50 }, (_, id) => String(id));
    await Promise.all([slow, quick].map((client) => client.until(() => received(client)[49])));
    expect(received(slow)).toEqual(ids);
    expect(received(quick)).toEqual(ids);
    const left = slow.events.reduce((sum, { dropped = 0 }) => sum + dropped, 0);
    expect(left).toBeGreaterThan(0);
    expect(slow.events.map(({ seq }) => seq)).toEqual(slow.events.map((_, index) => index + 1));
    expect(quick.events.filter(({ dropped }) => dropped !== undefined)).toEqual([]);
    const lengthOf = (client: WireClient) =>
      client.events.reduce((sum, { payload }) => sum + (payload.delta?.length ?? 0), 0);
    expect(lengthOf(quick)).toBe(400 * text.length);
    expect(lengthOf(slow)).toBeLessThan(400 * text.length);
    host.clock.advance(10_000);
    await settle(slow);
  });

  it("[GW-018] [CHAN-029] receives an error and is closed with 1013 after 10000 without drain, and reads the durable events after its cursor", async () => {
    const host = await socketHost({ queueLimits });
    const [slow, quick] = [await host.connected([A]), await host.connected([A])];
    host.hub.publish("chat.paused", paused(A, "0"));
    await settle(slow);
    slow.socket.pause();
    await flood(host, quick);
    for (let id = 1; id <= 20; id += 1) host.hub.publish("chat.paused", paused(A, String(id)));
    host.clock.advance(9999);
    await settle(quick);
    expect(host.sockets.size).toBe(2);
    host.clock.advance(1);
    slow.socket.resume();
    expect(await slow.closed()).toMatchObject({
      code: 1013,
      reason: expect.stringContaining("too slow"),
    });
    expect(slow.frames.at(-1)).toMatchObject({
      type: "error",
      error: { code: "UNAVAILABLE", reason: "CLIENT_TOO_SLOW", retryable: true },
    });
    const again = await host.connected([A], lastCursor(slow));
    await settle(again);
    expect([...received(slow), ...received(again)]).toEqual(
      Array.from({ length: 21 }, (_, id) => String(id)),
    );
    expect(received(quick)).toHaveLength(21);
  });

  it("[GW-018] is closed at once when durable events alone exceed twice the bounds", async () => {
    const host = await socketHost({ queueLimits });
    const [slow, quick] = [await host.connected([A]), await host.connected([A])];
    slow.socket.pause();
    await flood(host, quick);
    for (let id = 0; id <= 200; id += 1) host.hub.publish("chat.paused", paused(A, String(id)));
    slow.socket.resume();
    expect(await slow.closed()).toMatchObject({ code: 1013 });
  });
});
