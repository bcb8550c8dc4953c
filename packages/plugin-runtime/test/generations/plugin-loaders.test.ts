import type { PluginLoader } from "@openclaw/plugin-loader";
import { describe, expect, it } from "vitest";
import { createFileHost } from "../support/file-host.js";

describe("a further loader", () => {
  it("[PLUG-730] imports the plugins that it accepts, is told of their end, and fails alone", async () => {
    const calls: string[] = [];
    const further: PluginLoader = {
      accepts: ({ id }) => id !== "module",
      async import(plan, { again }) {
        const { id, source } = plan;
        calls.push(`import ${id} ${again}`);
        const exported = { register: () => void calls.push(`register ${id}`) };
        const loaded = { loader: "none", loadMs: 0, diagnostics: [], missingParts: [] } as const;
        return [{ id, imported: { id, source, plan, exported, config: {}, ...loaded } }];
      },
      async dispose() {
        calls.push("dispose");
      },
    };
    const register = () => void calls.push("register module");
    const plugins = [{ id: "foreign", register: () => expect.unreachable() }];
    const { runtime } = createFileHost(
      [...plugins, { id: "module", register }],
      {},
      {
        loaders: [further],
      },
    );
    const generation = await runtime.load();
    expect(generation.plugins).toMatchObject([
      { id: "foreign", status: "loaded", loader: "none" },
      { id: "module", status: "loaded", loader: "native" },
    ]);
    expect(calls).toEqual(["import foreign false", "register foreign", "register module"]);
    await runtime.reload("foreign");
    expect(calls.slice(3)).toEqual(["import foreign true", "register foreign"]);
    await runtime.dispose();
    expect(calls.at(-1)).toBe("dispose");
  });
});
