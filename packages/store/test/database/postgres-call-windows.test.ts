import { afterEach, describe, expect, it, vi } from "vitest";
import { openStore, type Store } from "../../src/index.js";
import { newServerDatabase } from "../support/open-store.js";

// The server takes longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const opened: Store[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

describe("calls that several nodes count together", () => {
  it("[SCALE-018] are as many as one limit allows, also at the same time", async () => {
    const { url } = newServerDatabase();
    for (const nodeId of ["one", "two", "three"]) opened.push(await openStore({ url, nodeId }));
    const take = (count: number, limit: number) =>
      Promise.all(
        Array.from({ length: count }, (_, call) =>
          opened[call % opened.length]?.callWindows.take("exec", limit, 60_000),
        ),
      );
    const waits = await take(60, 20);
    expect(waits.filter((wait) => wait === 0)).toHaveLength(20);
    for (const wait of waits) expect(wait).toBeLessThanOrEqual(60_000);
    // Another limit of the same count, and another count.
    expect((await take(3, 22)).filter((wait) => wait === 0)).toHaveLength(2);
    const [store] = opened;
    expect(await store?.callWindows.take("write", 1, 60_000)).toBe(0);
    expect(await store?.callWindows.take("write", 1, 60_000)).toBeGreaterThan(0);
    // A time that is over counts no more.
    expect(await store?.callWindows.take("write", 1, 0)).toBe(0);
    await store?.nodes.tidy();
    expect(await store?.callWindows.take("exec", 22, 60_000)).toBeGreaterThan(0);
  });
});
