import { orderedId, orderedIds } from "@openclaw/foundation";
import { expect, it } from "vitest";

it("returns a UUID of version 7 that sorts by its creation time", () => {
  const times = [0, 1, 1_700_000_000_000, 1_700_000_000_001, 2 ** 48 - 1];
  const ids = times.map(orderedId);
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  expect([...ids].sort()).toEqual(ids);
  expect(ids[2]).toMatch(/^018bcfe5-6800-/);
});

it("returns a new ID each time", () => {
  expect(new Set(Array.from({ length: 1000 }, () => orderedId(1))).size).toBe(1000);
});

it("returns IDs that sort after every earlier one of the generator, whatever the clock does", () => {
  const nextId = orderedIds();
  const times = [5, 5, 5, 9, 9, 3, 3, 10];
  const ids = [...times, ...Array.from({ length: 1000 }, () => 10)].map(nextId);
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});
