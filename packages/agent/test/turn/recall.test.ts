import { type SearchableMemory, searchableMemory } from "@openclaw/plugin-runtime";
import type { RecallResult } from "@openclaw/plugin-sdk/hooks";
import type { MemorySearch } from "@openclaw/plugin-sdk/plugin-entry";
import { describe, expect, it, vi } from "vitest";
import { runTurn } from "../../src/index.js";
import { plugin, textOf, turnHost } from "../support/turn-host.js";

const note = (text: string): RecallResult => ({ id: text, text, score: 1 });

/** Runs a turn in a host with a memory; returns the memory's queries and the model's prompt. */
async function ask(
  search: (asked: MemorySearch) => unknown,
  plugins: Parameters<typeof plugin>[1][] = [],
) {
  const host = await turnHost({
    script: [{ text: "done" }],
    plugins: plugins.map((register, index) => plugin(`guard-${index}`, register)),
  });
  const asked: MemorySearch[] = [];
  const memory: SearchableMemory = {
    pluginId: "notes",
    deadlineMs: 2000,
    async search(request) {
      asked.push(request);
      return (await search(request)) as readonly RecallResult[];
    },
  };
  const outcome = await runTurn(host.request({ text: "tea?" }), host.services, {
    ...host.pin,
    memory,
  });
  const sent = host.requests[0]?.prompt.findLast(({ role }) => role === "user");
  return { host, asked, outcome, prompt: textOf(sent as Parameters<typeof textOf>[0]) };
}

describe("memory recall", () => {
  it("[SDK-052] gives tools the group and a recall between the hooks, and hooks of turns the group", async () => {
    const groups: unknown[] = [];
    const searches: unknown[] = [];
    const found: unknown[] = [];
    const finder = plugin("finder", (api) => {
      for (const hook of ["before_prompt_build", "agent_end"] as const) {
        api.on(hook, (_event, { groupId }) => void groups.push([hook, groupId]));
      }
      api.on("before_recall", ({ query, source }) => {
        searches.push([query, source]);
        return { query: "coffee", limit: 2 };
      });
      api.on("after_recall", ({ query, results, source }) => {
        searches.push([query, results.length, source]);
        return { results: results.slice(1).map((each) => ({ ...each })) };
      });
      api.registerTool(
        ({ groupId, recall }) => {
          groups.push(["factory", groupId]);
          return {
            name: "find",
            description: "Find notes.",
            parameters: { type: "object" },
            execute: async () => {
              const kept = await recall?.({ query: "tea", limit: 5 }, async (wanted) => {
                searches.push(wanted);
                return [note("one"), note("two")];
              });
              found.push(...(kept ?? []).map(({ text }) => text));
              return { content: [{ type: "text", text: "found" }] };
            },
          };
        },
        { names: ["find"] },
      );
    });
    const script = [{ toolCalls: [{ toolName: "find", params: {} }] }, { text: "done" }];
    const host = await turnHost({ script, plugins: [finder] });
    const { origin } = host.request();
    const outcome = await host.run({ text: "hi", origin: { ...origin, groupId: "family" } });
    expect(outcome).toMatchObject({ status: "completed", text: "done" });
    expect(groups).toEqual(
      expect.arrayContaining([
        ["factory", "family"],
        ["before_prompt_build", "family"],
        ["agent_end", "family"],
      ]),
    );
    expect(groups.filter((each) => !JSON.stringify(each).includes("family"))).toEqual([]);
    expect(searches).toEqual([
      ["tea", "tool"],
      { query: "coffee", limit: 2 },
      ["coffee", 2, "tool"],
    ]);
    expect(found).toEqual(["two"]);
  });

  it("puts the memories before the user's text, marked as external", async () => {
    const { asked, prompt } = await ask(() => [note("Ada likes tea."), note("Bob does not.")]);
    expect(asked).toMatchObject([
      { query: "tea?", limit: 10, agentId: "main", sessionKey: "agent:main:main" },
    ]);
    expect(prompt).toMatch(
      /untrusted source \(memory\).*- Ada likes tea\.\n- Bob does not\..*\n\ntea\?$/s,
    );
  });

  it("uses the query of before_recall and the result of after_recall", async () => {
    const seen: unknown[] = [];
    const { asked, prompt } = await ask(
      () => [note("one"), note("two"), note("three")],
      [
        (api) => {
          api.on("before_recall", () => ({ query: "coffee?", limit: 2.5, corpus: ["notes"] }));
          api.on("after_recall", ({ query, results, source }) => {
            seen.push([query, results.map(({ text }) => text), source]);
            return { results: results.slice(1).map((each) => ({ ...each })) };
          });
        },
      ],
    );
    expect(asked).toMatchObject([{ query: "coffee?", limit: 2, corpus: ["notes"] }]);
    expect(seen).toEqual([["coffee?", ["one", "two"], "auto"]]);
    expect(prompt).toContain("- two\n");
    expect(prompt).not.toContain("- one");
  });

  it.each([
    ["is skipped", { skip: true }],
    ["requests no results", { limit: 0 }],
    ["requests a negative number of results", { limit: -3 }],
  ])("adds nothing when it %s", async (_what, change) => {
    const { asked, prompt } = await ask(
      () => [note("one")],
      [(api) => void api.on("before_recall", () => change)],
    );
    expect(asked).toEqual([]);
    expect(prompt).toBe("tea?");
  });

  it.each([
    ["nothing is found", () => [], undefined],
    ["the search throws", () => Promise.reject(new Error("no disk")), /notes.*no disk/],
    ["the memory does not return a list", () => undefined, /not a list of results/],
  ])("adds nothing when %s, and the turn continues", async (_what, search, logged) => {
    const { outcome, prompt, host } = await ask(search);
    expect(outcome).toMatchObject({ status: "completed", text: "done" });
    expect(prompt).toBe("tea?");
    const lines = host.lines.filter(({ fields }) => fields.code === "MEMORY_SEARCH_FAILED");
    expect(lines.map(({ message }) => message)).toEqual(
      logged === undefined ? [] : [expect.stringMatching(logged)],
    );
  });

  it("[MEM-039] abandons a memory after 2 seconds by default, and the trace of the run has the reason", async () => {
    const value = { search: () => new Promise(() => undefined) };
    const memory = searchableMemory([
      { pluginId: "notes", source: "notes.js", part: "runtime", value },
    ]);
    const host = await turnHost({ script: [{ text: "done" }] });
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort());
    try {
      const pin = { ...host.pin, memory };
      const outcome = await runTurn(host.request({ text: "tea?" }), host.services, pin);
      expect(outcome).toMatchObject({ status: "completed", text: "done" });
      expect(timeout).toHaveBeenCalledWith(2000);
    } finally {
      timeout.mockRestore();
    }
    const entries = await host.store.turns.journal.load("run-1");
    const prepared = entries.map(({ step }) => step).find(({ kind }) => kind === "turn-prepared");
    expect(prepared).toMatchObject({ asked: { recallProblem: "it took longer than 2000 ms" } });
  });

  it("abandons a memory that hangs after its deadline, and aborts its signal", async () => {
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort());
    try {
      const { outcome, prompt, host } = await ask(() => new Promise(() => undefined));
      expect(outcome.status).toBe("completed");
      expect(prompt).toBe("tea?");
      expect(host.lines.map(({ message }) => message)).toContainEqual(
        expect.stringContaining("longer than 2000 ms"),
      );
    } finally {
      timeout.mockRestore();
    }
  });
});
