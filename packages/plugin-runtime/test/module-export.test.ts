import type { PluginDefinition } from "@openclaw/plugin-sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPluginExport } from "../src/module-export.js";

const register = (): PluginDefinition["register"] => () => {};

describe("readPluginExport", () => {
  it("prefers the default export over named ones, and register over activate", () => {
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

  it("takes the named one where the default export is something else", () => {
    expect(readPluginExport({ default: { version: 1 }, register: register() })).toBeDefined();
  });

  it("unwraps a default that interop nested up to twice, and no deeper", () => {
    const plugin = { register: register() };
    expect(readPluginExport({ default: plugin })).toBeDefined();
    expect(readPluginExport({ default: { default: plugin } })).toBeDefined();
    expect(readPluginExport({ default: { default: { default: plugin } } })).toBeDefined();
    expect(
      readPluginExport({ default: { default: { default: { default: plugin } } } }),
    ).toBeUndefined();
  });

  it("takes methods of a class instance, and calls them on it", () => {
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
});
