import type { MemorySearch } from "@openclaw/plugin-sdk/plugin-entry";
import { describe, expect, it } from "vitest";
import { searchableMemory } from "../../../src/index.js";
import { createTestHost, plugin } from "../../support/host.js";

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
    const { memory, diagnostics } = await memoryWith({ closeAllMemorySearchManagers: () => null });
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

describe("search manager of an older memory", () => {
  it("[PLUG-056] [MEM-052] is asked for the agent, and searches with the query, the limit and the session", async () => {
    const asked: unknown[] = [];
    const { memory, diagnostics } = await memoryWith({
      prefix: "note",
      getMemorySearchManager(this: { prefix: string }, params: object) {
        const { prefix } = this;
        const manager = {
          found: [
            {
              ...{ path: `${prefix}s/tea.md`, startLine: 3, endLine: 5, score: 0.7 },
              ...{ snippet: "Ada likes tea.", source: "memory" },
            },
            { path: "no snippet", score: 1 },
          ],
          async search(this: { found: unknown }, query: string, options: object) {
            asked.push({ params, query, options });
            return this.found;
          },
        };
        return { manager };
      },
    });
    const request = { ...search, agentId: "main", sessionKey: "s" };
    // One result is not valid, so the answer is not used.
    expect(await memory?.search(request)).toBeUndefined();
    expect(asked).toEqual([
      {
        params: { cfg: expect.any(Object), agentId: "main", purpose: "default" },
        query: "tea",
        options: { maxResults: 3, sessionKey: "s", signal: search.signal },
      },
    ]);
    expect(diagnostics.filter(({ code }) => code === "accepted-not-used")).toEqual([]);
  });

  it.each<[string, unknown, unknown]>([
    [
      "results as those of the hooks",
      { search: () => [{ path: "a.md", startLine: 1, snippet: "text", score: 0.5, source: "m" }] },
      [{ id: "a.md#L1-L1", text: "text", score: 0.5, source: "a.md", metadata: { source: "m" } }],
    ],
    ["no results of a manager for the status alone", { status: () => ({}) }, []],
    ["no results without a manager", null, []],
    ["an invalid answer as invalid", { search: () => "tea" }, undefined],
  ])("[MEM-052] gives %s", async (_what, manager, expected) => {
    const { memory } = await memoryWith({ getMemorySearchManager: async () => ({ manager }) });
    expect(await memory?.search(search)).toEqual(expected);
  });

  it.each<[string, unknown, string]>([
    ["the reason why there is none", { manager: null, error: "no server" }, "no server"],
    ["what was expected instead of another value", null, "did not return an object"],
  ])("[MEM-052] fails with %s", async (_what, given, message) => {
    const { memory } = await memoryWith({ getMemorySearchManager: () => given });
    await expect(memory?.search(search)).rejects.toThrow(message);
  });
});
