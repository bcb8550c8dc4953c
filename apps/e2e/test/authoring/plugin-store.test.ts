import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { defineTool } from "@openclaw/plugin-sdk/tools";
import { createTestHost } from "@openclaw/plugin-testkit";
import { describe, expect, it } from "vitest";

/** Keeps what it is told in both kinds of store, and says how much that is by now. */
const keeper = definePluginEntry({
  id: "keeper",
  register(api) {
    const open = () =>
      api.store.database({
        name: "notes",
        migrations: [
          {
            id: "notes",
            sqlite: "create table notes (text text not null)",
            postgres: "create table notes (text text not null)",
          },
        ],
      });
    api.registerTool(
      defineTool({
        name: "keep",
        description: "Keeps a text.",
        parameters: {
          type: "object",
          properties: { text: { type: "string" } },
          required: ["text"],
        },
        async execute(_toolCallId, { text }) {
          const { kv } = api.store;
          const before = await kv.get("kept");
          await kv.compareAndSet("kept", before, Number(before ?? 0) + 1);
          const notes = await open();
          await notes.transaction((inside) =>
            inside.query("insert into notes values ($1)", [String(text)]),
          );
          const rows = await notes.query<{ text: string }>("select text from notes");
          return { kept: (await kv.get("kept")) ?? null, texts: rows.map((row) => row.text) };
        },
      }),
    );
  },
});

async function keep(host: Awaited<ReturnType<typeof createTestHost>>, text: string) {
  return JSON.parse((await host.callTool("keep", { text })).text);
}

describe("plugin store in tests", () => {
  it("[SDK-040] is in memory in the test kit, with the plugin's own migrations", async () => {
    await using host = await createTestHost({ plugin: keeper });
    expect(await keep(host, "one")).toEqual({ kept: 1, texts: ["one"] });
    expect(await keep(host, "two")).toEqual({ kept: 2, texts: ["one", "two"] });
  });

  it("is empty in every test host", async () => {
    for (const text of ["first", "second"]) {
      await using host = await createTestHost({ plugin: keeper });
      expect(await keep(host, text)).toEqual({ kept: 1, texts: [text] });
    }
  });
});
