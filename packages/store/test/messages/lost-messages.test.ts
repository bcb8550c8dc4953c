import { describe, expect, it } from "vitest";
import { openTestStore } from "../support/open-store.js";

const LOST = {
  id: "one",
  channel: "lines",
  accountId: "default",
  pluginId: "lines",
  part: '"queue" of "openclaw/plugin-sdk/queue"',
  message: { text: "hi\0there" },
};

describe("lost messages", () => {
  it("[CHAN-521] are kept once, replayed once, and deleted", async () => {
    const { lost } = (await openTestStore()).messages;
    expect(await lost.add(LOST)).toBe(true);
    expect(await lost.add({ ...LOST, message: { text: "another" } })).toBe(false);
    expect(await lost.waiting()).toEqual([
      { ...LOST, lostAt: expect.any(Number), replayedAt: undefined },
    ]);
    expect(await lost.replay("one")).toBe(true);
    expect(await lost.replay("one")).toBe(false);
    expect(await lost.waiting()).toEqual([]);
    expect(await lost.get("one")).toMatchObject({ replayedAt: expect.any(Number) });
    expect(await lost.delete("one")).toBe(true);
    expect(await lost.delete("one")).toBe(false);
    expect(await lost.get("one")).toBeUndefined();
  });
});
