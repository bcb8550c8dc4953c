import type { Update } from "grammy/types";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ALBUM_QUIET_MS } from "../src/album.js";
import { KeptParts } from "../src/kept-parts.js";
import { UpdateQueue, type WaitingUpdates } from "../src/update-queue.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function update(number: number, { album = "", from = 1 } = {}): Update {
  const more = album === "" ? {} : { media_group_id: album };
  const message = { message_id: number, date: 1, chat: { id: 42 }, from: { id: from }, ...more };
  return JSON.parse(JSON.stringify({ update_id: number, message }));
}

function kv() {
  const values = new Map<string, unknown>();
  const store = {
    get: async (key: string) => values.get(key),
    set: async (key: string, value: unknown) => void values.set(key, value),
  };
  return { values, open: () => store as unknown as ReturnType<NonNullable<Store>> };
}

type Store = ConstructorParameters<typeof KeptParts>[1];

function queueOn(store: Store) {
  const failures: unknown[] = [];
  const queue = new UpdateQueue({
    parts: new KeptParts("default", store),
    onFailure: (error) => failures.push(error),
  });
  const end = new AbortController();
  const taken: WaitingUpdates[] = [];
  const reading = (async () => {
    for await (const updates of queue.read(end.signal)) taken.push(updates);
  })();
  return {
    ...{ queue, taken, failures },
    numbers: () => taken.map(({ updates }) => updates.map(({ update_id: id }) => id)),
    async stop() {
      end.abort();
      await reading;
    },
  };
}

it("[EXT-241] answers each part of an album once it is stored, and collects late ones", async () => {
  const { values, open } = kv();
  const { queue, taken, numbers, stop } = queueOn(open);
  const answered: number[] = [];
  const send = (sent: Update) => void queue.add(sent).then(() => answered.push(sent.update_id));
  send(update(1, { album: "a" }));
  await vi.advanceTimersByTimeAsync(ALBUM_QUIET_MS - 1);
  expect(answered).toEqual([1]);
  send(update(2, { album: "a" }));
  send(update(3, { from: 2 }));
  send(update(4, { album: "b", from: 2 }));
  await vi.advanceTimersByTimeAsync(ALBUM_QUIET_MS - 1);
  expect(answered).toEqual([1, 2, 4]);
  expect(numbers()).toEqual([[3]]);
  await vi.advanceTimersByTimeAsync(1);
  expect(numbers()).toEqual([[3], [1, 2], [4]]);
  expect(values.get("album-parts:default")).toHaveLength(3);
  for (const { accepted } of taken) accepted();
  await vi.advanceTimersByTimeAsync(0);
  expect(answered).toEqual([1, 2, 4, 3]);
  expect(values.get("album-parts:default")).toEqual([]);
  await stop();
});

it("[EXT-241] puts what the sender writes next after the album, without waiting for further parts", async () => {
  const { queue, numbers, stop } = queueOn(kv().open);
  await queue.add(update(1, { album: "a" }));
  void queue.add(update(2));
  await vi.advanceTimersByTimeAsync(0);
  expect(numbers()).toEqual([[1], [2]]);
  await stop();
});

it("[EXT-241] collects the parts again that the process before did not hand over", async () => {
  const { open } = kv();
  const before = queueOn(open);
  await before.queue.add(update(1, { album: "a" }));
  await before.queue.add(update(2, { album: "a" }));
  await before.stop();
  vi.clearAllTimers();
  const { queue, numbers, stop } = queueOn(open);
  await queue.restore();
  await vi.advanceTimersByTimeAsync(ALBUM_QUIET_MS);
  expect(numbers()).toEqual([[1, 2]]);
  await stop();
});

it("reports parts that it cannot remove, and continues", async () => {
  const { open } = kv();
  const { queue, taken, failures, stop } = queueOn(open);
  await queue.add(update(1, { album: "a" }));
  await vi.advanceTimersByTimeAsync(ALBUM_QUIET_MS);
  open().set = () => Promise.reject(new Error("the store is closed"));
  taken[0]?.accepted();
  await vi.advanceTimersByTimeAsync(0);
  expect(String(failures)).toContain("the store is closed");
  await stop();
});
