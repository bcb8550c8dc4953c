import type { MemorySearch } from "@openclaw/plugin-sdk/plugin-entry";
import { describe, expect, it } from "vitest";
import { searchableMemory } from "../../src/index.js";
import { createTestHost, plugin } from "../support/host.js";

const search: MemorySearch = { query: "tea", limit: 3, signal: new AbortController().signal };

async function memoryWith(runtime: Readonly<Record<string, unknown>>) {
  const { runtime: host } = createTestHost([plugin((api) => api.registerMemoryRuntime(runtime))]);
  const { memory, diagnostics } = await host.load();
  return { memory: searchableMemory(memory), diagnostics };
}

describe("host memory", () => {
  it("calls the plugin's search as a method without a diagnostic", async () => {
    const { memory, diagnostics } = await memoryWith({
      text: "Ada likes tea.",
      async search(this: { text: string }, { query }: MemorySearch) {
        return [{ id: query, text: this.text, score: 1 }];
      },
    });
    expect(await memory?.search(search)).toEqual([{ id: "tea", text: "Ada likes tea.", score: 1 }]);
    expect(diagnostics.filter(({ code }) => code === "accepted-not-used")).toEqual([]);
  });

  it("reports a runtime without a search", async () => {
    const { memory, diagnostics } = await memoryWith({ getMemorySearchManager: () => null });
    expect(memory).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toContain("accepted-not-used");
  });

  it.each([
    undefined,
    null,
    "tea",
    [{ id: "a", text: "b" }],
    [{ id: 1, text: "b", score: 1 }],
    [null],
    [{ id: "a", text: "b", score: Number.NaN }],
  ])("returns no results for the invalid result %j", async (answer) => {
    const { memory } = await memoryWith({ search: () => answer });
    expect(await memory?.search(search)).toBeUndefined();
  });

  it("does not catch errors of a search", async () => {
    const { memory } = await memoryWith({
      search: () => {
        throw new Error("no disk");
      },
    });
    await expect(memory?.search(search)).rejects.toThrow("no disk");
  });
});
