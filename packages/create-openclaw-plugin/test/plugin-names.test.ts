import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { idFromFolder, isPluginId, pluginNames } from "../src/plugin-names.js";

const word = fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,40}$/);
const id = fc
  .tuple(fc.option(word), word)
  .map(([scope, name]) => (scope === null ? name : `@${scope}/${name}`));

describe("plugin names", () => {
  it("are derived from the plugin ID", () => {
    expect(pluginNames("word-count")).toEqual({
      id: "word-count",
      name: "Word count",
      packageName: "openclaw-word-count",
      shortId: "word-count",
      identifier: "word_count",
      variablePrefix: "WORD_COUNT",
    });
    expect(pluginNames("@acme/word.count")).toMatchObject({
      name: "Word count",
      packageName: "@acme/word.count",
      shortId: "word.count",
      identifier: "word_count",
    });
    expect(pluginNames("openclaw-news")).toMatchObject({ packageName: "openclaw-news" });
    expect(pluginNames("3d-print")).toMatchObject({ variablePrefix: "_3D_PRINT" });
  });

  it("are valid for hosts and registries, for every ID", () => {
    fc.assert(
      fc.property(id, (given) => {
        const names = pluginNames(given);
        expect(names.id).toMatch(/^[a-z0-9@][a-z0-9._/-]{0,99}$/);
        expect(names.identifier).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(names.packageName).toMatch(/^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/);
        expect(names.name).not.toBe("");
      }),
    );
  });

  it.each(["", "My Plugin", "-x", ".x", "a/b", "@acme/", "@/x", "a".repeat(101), "é", "a\n"])(
    "cannot be made of %j",
    (wrong) => {
      expect(isPluginId(wrong)).toBe(false);
      expect(() => pluginNames(wrong)).toThrow(
        expect.objectContaining({ code: "CREATE_PLUGIN_ID_INVALID", id: wrong }),
      );
    },
  );

  it("are suggested from the folder name", () => {
    expect(idFromFolder("My Plugin!")).toBe("my-plugin");
    expect(idFromFolder("word-count")).toBe("word-count");
    expect(idFromFolder("Wörter zählen")).toBe("worter-zahlen");
    expect(idFromFolder("日本")).toBeUndefined();
    fc.assert(
      fc.property(fc.string(), (folder) => {
        const suggested = idFromFolder(folder);
        expect(suggested === undefined || isPluginId(suggested)).toBe(true);
      }),
    );
  });
});
