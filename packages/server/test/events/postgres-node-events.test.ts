import { randomUUID } from "node:crypto";
import { systemClock } from "@openclaw/foundation";
import { METHOD_SCOPES } from "@openclaw/protocol";
import { openStore, type Store } from "@openclaw/store";
import { describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { EventHub } from "../../src/events/event-hub.js";
import type { SentEvent } from "../../src/events/event-log.js";
import { NodeEventLog } from "../../src/events/node-event-log.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const run = { sessionKey: "agent:main:main", runId: "run" };
const final = { ...run, messageId: "message", status: "replied", text: "all" } as const;
const STARTED = { ...run, messageId: "message", model: "model" };

const WAIT = { timeout: 30_000, interval: 5 };

/** Topics of a server that passes on no notifications. */
const deaf = { whisper: () => {}, subscribe: () => () => {}, publish: () => {} };

/** Opens the events of two nodes on one empty database. */
async function openNodes(topicsOf: (store: Store) => Store["topics"] = ({ topics }) => topics) {
  const url = `${inject("postgresUrl")}?schema=events_${randomUUID()}`;
  const open = async (nodeId: string) => {
    const store = await openStore({ url, nodeId });
    await store.nodes.report({ name: nodeId, version: "1.0.0", facts: {} }, 60_000);
    const { clientEvents, nodes } = store;
    const log = new NodeEventLog({
      store: { clientEvents, nodes, topics: topicsOf(store) },
      ...{ timers: systemClock, now: Date.now, logger: { warn() {}, info() {} } },
    });
    const hub = new EventHub(log);
    await log.open();
    onTestFinished(async () => {
      await log.close();
      await store.close();
    });
    const received: SentEvent[] = [];
    hub.subscribe({
      caller: { scopes: METHOD_SCOPES },
      wants: () => true,
      send: (event) => void received.push(event),
    });
    const names = () => received.map(({ name }) => name);
    const has = (...expected: string[]) =>
      vi.waitFor(() => expect(names()).toEqual(expected), WAIT);
    return { store, hub, received, names, has };
  };
  return [await open("one"), await open("two")] as const;
}

describe("the events of a node", () => {
  it("[SCALE-019] [SCALE-020] reach the clients of another one without notifications, the durable ones with the same cursors", async () => {
    const [one, two] = await openNodes(() => deaf);
    // Published in a transaction, as the end of a turn is.
    await one.store.transaction(async () => {
      one.hub.publish("chat.started", STARTED);
      one.hub.publish("chat.delta", { ...run, delta: "a" });
      one.hub.publish("chat.final", final);
      one.hub.publish("chat.delta", { ...run, delta: "b" });
    });
    await one.hub.settled();
    expect(one.names()).toEqual(["chat.started", "chat.delta", "chat.final", "chat.delta"]);
    await two.has("chat.started", "chat.final");
    expect(two.received).toEqual(one.received.filter(({ delivery }) => delivery === "durable"));
    expect(two.hub.cursor).toBe(one.hub.cursor);
    const subscriber = { caller: { scopes: METHOD_SCOPES }, wants: () => true, send: () => {} };
    const [first] = two.received;
    expect(two.hub.since(first?.cursor ?? "", subscriber)).toEqual({ events: [two.received[1]] });
  });

  it("[SCALE-020] are told in batches 50 ms apart when they are not durable, in at most 7 KiB, and never after the end of their turn", async () => {
    const told: { readonly at: number; readonly bytes: number }[] = [];
    const [one, two] = await openNodes(({ topics }) => ({
      publish: (...notice) => topics.publish(...notice),
      subscribe: (...given) => topics.subscribe(...given),
      whisper: (topic, text) => {
        if (topic === "client-previews") {
          told.push({ at: performance.now(), bytes: Buffer.byteLength(text) });
        }
        topics.whisper(topic, text);
      },
    }));
    one.hub.publish("chat.started", STARTED);
    await two.has("chat.started");
    // The other node is known to live.
    await one.hub.settled();
    const texts = Array.from({ length: 100 }, (_, number) => `${number} `.padEnd(200, "é"));
    for (const delta of texts) {
      one.hub.publish("chat.delta", { ...run, delta });
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    one.hub.publish("chat.delta", { ...run, delta: "x".repeat(8000) });
    await vi.waitFor(() => expect(two.received.at(-1)?.json).toContain("99 "), WAIT);
    expect(two.received.slice(1).map(({ json }) => JSON.parse(json).delta)).toEqual(texts);
    expect(Math.max(...told.map(({ bytes }) => bytes))).toBeLessThanOrEqual(7 * 1024);
    const batches = told
      .map(({ at }) => at)
      .filter((at, place, all) => at - (all[place - 1] ?? 0) > 10);
    for (const [place, at] of batches.slice(1).entries()) {
      // A timer may fire a little early, and a notification may take longer than the next one.
      expect(at - (batches[place] ?? 0)).toBeGreaterThan(40);
    }
    const count = two.received.length;
    one.hub.publish("chat.delta", { ...run, delta: "late" });
    one.hub.publish("chat.delta", { ...run, delta: "later" });
    one.hub.publish("chat.final", final);
    one.hub.publish("chat.started", { ...STARTED, runId: "next" });
    await vi.waitFor(() => expect(two.names().at(-1)).toBe("chat.started"), WAIT);
    one.hub.publish("chat.delta", { ...run, runId: "next", delta: "next" });
    await vi.waitFor(() => expect(two.received.at(-1)?.json).toContain('"next"}'), WAIT);
    const after = two
      .names()
      .slice(count)
      .filter((name) => name !== "chat.delta");
    expect(after).toEqual(["chat.final", "chat.started"]);
    const place = two.names().lastIndexOf("chat.final");
    expect(two.names().slice(place)).toEqual(["chat.final", "chat.started", "chat.delta"]);
  });

  it("[SCALE-020] begin again with another cursor when the database has gone back, and wait while it cannot store them", async () => {
    const [one, two] = await openNodes();
    one.hub.publish("chat.final", final);
    await two.has("chat.final");
    const { clientEvents } = one.store;
    const append = vi.spyOn(clientEvents, "append");
    append.mockRejectedValueOnce(new Error("cut off")).mockRejectedValueOnce(new Error("cut off"));
    one.hub.publish("chat.final", { ...final, text: "late" });
    two.hub.publish("chat.final", { ...final, text: "first" });
    await vi.waitFor(() => expect(one.received).toHaveLength(3), WAIT);
    await vi.waitFor(() => expect(two.received).toEqual(one.received), WAIT);
    expect(one.received.map(({ json }) => JSON.parse(json).text)).toEqual(["all", "first", "late"]);
    expect(append).toHaveBeenCalledTimes(3);

    // As after a change to a copy of the database that lacks the last events.
    const { cursor } = two.hub;
    const state = await two.store.clientEvents.after(0);
    vi.spyOn(two.store.clientEvents, "after").mockResolvedValueOnce({
      ...{ ...state, newest: 1, events: [] },
    });
    for (const { names } of [one, two]) {
      await vi.waitFor(() => expect(names()).toContain("resync"), WAIT);
    }
    const subscriber = { caller: { scopes: METHOD_SCOPES }, wants: () => true, send: () => {} };
    expect(one.hub.since(cursor, subscriber)).toEqual({ unavailable: "restarted" });
    two.hub.publish("chat.final", { ...final, text: "next" });
    await vi.waitFor(() => expect(one.received.at(-1)?.json).toContain("next"), WAIT);
    await vi.waitFor(() => expect(one.hub.cursor).toBe(two.hub.cursor), WAIT);
  });
});
