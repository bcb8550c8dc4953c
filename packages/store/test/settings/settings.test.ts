import { describe, expect, it } from "vitest";
import { openTestStore, START } from "../support/open-store.js";

describe("Settings", () => {
  it("[HOST-007] are listed with source and time, in the order of their paths", async () => {
    const { settings } = await openTestStore({ now: () => START });
    await settings.set({ path: ["tools", "deny"], value: ["exec"], source: "config set" });
    await settings.set({ path: ["agents", "a.b", "model"], value: "p/m", source: "config set" });
    expect(await settings.list()).toEqual([
      { path: ["agents", "a.b", "model"], value: "p/m", source: "config set", updatedAt: START },
      { path: ["tools", "deny"], value: ["exec"], source: "config set", updatedAt: START },
    ]);
  });

  it("replace those at, above and below their path", async () => {
    const { settings } = await openTestStore();
    const set = (path: string[], value: string) => settings.set({ path, value, source: "t" });
    const values = async () =>
      (await settings.list()).map(({ path, value }) => [path.join("."), value]);
    await set(["a", "b"], "1");
    await set(["a", "bc"], "2");
    await set(["a", "b", "c"], "3");
    expect(await values()).toEqual([
      ["a.b.c", "3"],
      ["a.bc", "2"],
    ]);
    await set(["a", "b"], "4");
    expect(await values()).toEqual([
      ["a.b", "4"],
      ["a.bc", "2"],
    ]);
    expect(await settings.remove(["a"])).toBe(2);
    expect(await settings.remove(["a"])).toBe(0);
    expect(await values()).toEqual([]);
  });
});
