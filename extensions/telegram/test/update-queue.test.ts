import type { Update } from "grammy/types";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ALBUM_QUIET_MS } from "../src/album.js";
import { UpdateQueue, type WaitingUpdates } from "../src/update-queue.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function part(number: number, album?: string): Update {
  const more = album === undefined ? {} : { media_group_id: album };
  const message = { message_id: number, date: 1, chat: { id: 42 }, ...more };
  return JSON.parse(JSON.stringify({ update_id: number, message }));
}

it("[EXT-241] late parts of an album wait for each other, and messages do not wait for them", async () => {
  const queue = new UpdateQueue();
  const end = new AbortController();
  const taken: WaitingUpdates[] = [];
  const reading = (async () => {
    for await (const updates of queue.read(end.signal)) taken.push(updates);
  })();
  const numbers = () => taken.map(({ updates }) => updates.map(({ update_id: id }) => id));
  const answered: number[] = [];
  const send = (update: Update) => {
    queue.add(update).then(() => answered.push(update.update_id));
  };
  send(part(1, "a"));
  await vi.advanceTimersByTimeAsync(ALBUM_QUIET_MS - 1);
  send(part(2, "a"));
  send(part(3));
  send(part(4, "b"));
  await vi.advanceTimersByTimeAsync(ALBUM_QUIET_MS - 1);
  expect(numbers()).toEqual([[3]]);
  await vi.advanceTimersByTimeAsync(1);
  expect(numbers()).toEqual([[3], [1, 2], [4]]);
  expect(answered).toEqual([]);
  taken[1]?.accepted();
  await vi.advanceTimersByTimeAsync(0);
  expect(answered).toEqual([1, 2]);
  end.abort();
  await reading;
});
