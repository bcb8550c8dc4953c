import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openStore, type Store } from "../../src/index.js";
import { runBeside } from "../support/database-beside.js";
import { newServerDatabase } from "../support/open-store.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const REPORT = { name: "machine", version: "1.0.0", facts: {} };
const DAY_MS = 86_400_000;

const opened: Store[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

/** Opens two nodes on one empty database. */
async function openNodes() {
  const { url } = newServerDatabase();
  const open = async (nodeId: string) => {
    const store = await openStore({ url, nodeId });
    opened.push(store);
    await store.nodes.report(REPORT, 60_000);
    await store.clientEvents.begin();
    return store;
  };
  return { url, one: await open("one"), two: await open("two") };
}

const event = (key: string, sessionKey?: string) => ({
  ...{ key, name: "chat.final", scope: "operator.read", sessionKey },
  json: JSON.stringify({ text: `${key} \\ "quoted" \u{0} é` }),
});

describe("events of clients", () => {
  it("[SCALE-020] have one order without gaps, whichever nodes store them, and are stored once", async () => {
    const { one, two } = await openNodes();
    const stores = [one, two];
    const batches = Array.from({ length: 30 }, (_, batch) => batch);
    const stored = batches.map(async (batch) => {
      const events = [0, 1, 2].map((place) => event(`${batch % 2} ${batch}-${place}`));
      await stores[batch % 2]?.clientEvents.append(events);
    });
    await Promise.all(stored);
    // A repeat after a lost answer, which has one new event too.
    await one.clientEvents.append([event("0 0-0"), event("new", "agent:main:main")]);
    const read = await two.clientEvents.after(0);
    expect(read.newest).toBe(91);
    expect(read.events.map(({ position }) => position)).toEqual(
      Array.from({ length: 91 }, (_, place) => place + 1),
    );
    expect(new Set(read.events.map(({ key }) => key)).size).toBe(91);
    for (const batch of batches) {
      const own = read.events.filter(({ key }) => key.split("-")[0] === `${batch % 2} ${batch}`);
      expect(own.map(({ key }) => key.split("-")[1])).toEqual(["0", "1", "2"]);
    }
    expect(read.events.at(-1)).toMatchObject(event("new", "agent:main:main"));
    expect((await one.clientEvents.after(90)).events.map(({ key }) => key)).toEqual(["new"]);

    await two.clientEvents.trim(10, DAY_MS);
    const kept = await one.clientEvents.after(0);
    expect([kept.newest, kept.events.length, kept.events[0]?.position]).toEqual([91, 10, 82]);
  });

  it("[SCALE-020] begin again when no other node lives, and when the database has gone back", async () => {
    const { url, one, two } = await openNodes();
    await one.clientEvents.append([event("one")]);
    const before = await two.clientEvents.after(0);
    expect(before).toMatchObject({ newest: 1, hasOthers: true, gone: [] });
    await one.clientEvents.begin();
    expect(await two.clientEvents.after(0)).toEqual(before);

    const renewed = await one.clientEvents.renew(before.epoch);
    expect(renewed).not.toBe(before.epoch);
    expect(await two.clientEvents.renew(before.epoch)).toBe(renewed);

    await runBeside({ url }, "update nodes set expires_at = 0 where node_id = 'two'");
    expect(await one.clientEvents.after(0)).toMatchObject({ hasOthers: false, gone: [] });
    await two.nodes.report(REPORT, -1);
    expect(await one.clientEvents.after(0)).toMatchObject({ hasOthers: false, gone: ["two"] });
    await one.clientEvents.begin();
    const after = await one.clientEvents.after(0);
    expect(after).toMatchObject({ newest: 0, events: [] });
    expect(after.epoch).not.toBe(renewed);
  });

  it("[SCALE-020] go with their session", async () => {
    const { one, two } = await openNodes();
    const sessionKey = "agent:main:main";
    await one.sessions.open(sessionKey, { agentId: "main" });
    await one.clientEvents.append([event("one", sessionKey), event("two", "agent:main:other")]);
    await one.sessions.remove(sessionKey);
    expect((await two.clientEvents.after(0)).events.map(({ key }) => key)).toEqual(["two"]);
  });
});

describe("a whisper", () => {
  it("[SCALE-020] reaches the other nodes at once, is not stored, and has at most 7 KiB", async () => {
    const { url, one, two } = await openNodes();
    const heard: [string, string, boolean][] = [];
    for (const [name, { topics }] of Object.entries({ one, two })) {
      topics.subscribe("news", (text, { isOwn }) => void heard.push([name, text, isOwn]));
    }
    const text = `it's "\\ ${"é".repeat(3400)}`;
    one.topics.whisper("news", text);
    one.topics.whisper("news", "short");
    while (heard.length < 2) await pause(5);
    expect(heard).toEqual([
      ["two", text, false],
      ["two", "short", false],
    ]);
    expect(await runBeside({ url }, "select topic from node_notices")).toEqual([]);
    expect(() => one.topics.whisper("news", "a".repeat(7000))).toThrow("at most 6976 bytes");
    await expect(one.transaction(async ({ topics }) => topics.whisper("news", ""))).rejects.toThrow(
      "on the store of a transaction",
    );
  });
});
