import { readPluginExport } from "@openclaw/plugin-loader";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTestHost } from "../support/host.js";

const register = (): PluginDefinition["register"] => () => {};

describe("readPluginExport", () => {
  it("[PLUG-019] prefers the default export over named ones, and register over activate", () => {
    const calls: string[] = [];
    const found = readPluginExport({
      default: {
        register: () => calls.push("default register"),
        activate: () => calls.push("default activate"),
      },
      register: () => calls.push("named register"),
    });
    found?.register({} as never);
    expect(calls).toEqual(["default register"]);
  });

  it("[PLUG-019] falls back to the named export when the default export is something else", () => {
    expect(readPluginExport({ default: { version: 1 }, register: register() })).toBeDefined();
  });

  it("[PLUG-019] unwraps a default export nested by interop up to twice", () => {
    const plugin = { register: register() };
    expect(readPluginExport({ default: plugin })).toBeDefined();
    expect(readPluginExport({ default: { default: plugin } })).toBeDefined();
    expect(readPluginExport({ default: { default: { default: plugin } } })).toBeDefined();
    expect(
      readPluginExport({ default: { default: { default: { default: plugin } } } }),
    ).toBeUndefined();
  });

  it("accepts methods of a class instance, and calls them on it", () => {
    class Plugin {
      registered = false;
      id = "instance";
      register() {
        this.registered = true;
      }
    }
    const plugin = new Plugin();
    const found = readPluginExport({ default: plugin });
    found?.register({} as never);
    expect(plugin.registered).toBe(true);
    expect(found?.id).toBe("instance");
  });

  it("finds no plugin in data of any shape", () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (value) => {
        return readPluginExport(value) === undefined;
      }),
    );
  });

  it("explains an invalid export of any shape, and lets other plugins load", async () => {
    const thrower = fc.constantFrom(
      () => {
        throw new Error("no");
      },
      () => Promise.reject(new Error("no")),
      () => {
        throw Object.create(null);
      },
    );
    const field = fc.oneof(fc.anything(), thrower);
    const shape = fc.dictionary(
      fc.constantFrom("default", "register", "activate", "configSchema", "name", "version", "kind"),
      field,
    );
    await fc.assert(
      fc.asyncProperty(shape, fc.boolean(), async (exported, hides) => {
        const definition = { id: "odd", ...exported };
        if (hides) {
          Object.defineProperty(definition, "register", {
            enumerable: true,
            get: () => {
              throw new Error("hidden");
            },
          });
        }
        const healthy = { id: "healthy", register: () => {} };
        const { runtime } = createTestHost([definition as never, healthy]);
        const { plugins, diagnostics } = await runtime.load();
        expect(plugins.find(({ id }) => id === "healthy")?.status).toBe("loaded");
        const odd = plugins.find(({ id }) => id === "odd");
        const told = diagnostics.filter(
          ({ level, pluginId }) => level === "error" && pluginId === "odd",
        );
        expect(told.length > 0).toBe(odd?.status !== "loaded");
        await runtime.dispose();
      }),
      { numRuns: 200 },
    );
  });
});
