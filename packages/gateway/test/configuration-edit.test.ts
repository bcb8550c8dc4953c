import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseConfigurationDocument } from "../src/configuration-document.js";
import { editConfiguration } from "../src/configuration-edit.js";

const valueOf = (text: string) => parseConfigurationDocument(text, "openclaw.json").value;

describe("editing a configuration file", () => {
  const file = `{
  // where it listens
  gateway: { port: 18789 }, /* loopback */
  plugins: {
    entries: {
      'my-plugin': { enabled: true, },
    },
  },
}
`;

  it("changes one value and keeps comments, quotes and order", () => {
    expect(editConfiguration(file, ["gateway", "port"], 9000)).toBe(file.replace("18789", "9000"));
    const path = ["plugins", "entries", "my-plugin", "hooks"] as const;
    const allowed = editConfiguration(file, path, { allowConversationAccess: true });
    expect(allowed).toContain("// where it listens");
    expect(allowed).toContain("/* loopback */");
    expect(valueOf(allowed)).toEqual({
      gateway: { port: 18789 },
      plugins: {
        entries: { "my-plugin": { enabled: true, hooks: { allowConversationAccess: true } } },
      },
    });
  });

  it("makes what is missing, also in an empty file", () => {
    expect(valueOf(editConfiguration("", ["a", "b", "c"], [1]))).toEqual({ a: { b: { c: [1] } } });
    expect(valueOf(editConfiguration("{}", ["a"], "x"))).toEqual({ a: "x" });
  });

  it("removes a key and nothing else", () => {
    expect(valueOf(editConfiguration(file, ["gateway"], undefined))).toEqual({
      plugins: { entries: { "my-plugin": { enabled: true } } },
    });
    const removed = editConfiguration(file, ["plugins", "entries", "my-plugin"], undefined);
    expect(valueOf(removed)).toEqual({ gateway: { port: 18789 }, plugins: { entries: {} } });
    expect(editConfiguration(file, ["nothing", "here"], undefined)).toBe(file);
  });

  it("sets and removes any value at any path", () => {
    const key = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => text !== "__proto__");
    const leaf = fc.oneof(fc.integer(), fc.string(), fc.dictionary(key, fc.integer()));
    const paths = fc.array(key, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.dictionary(key, leaf), paths, fc.jsonValue(), (start, keys, value) => {
        const path = keys as [string, ...string[]];
        const set = editConfiguration(JSON.stringify(start, null, 2), path, value);
        const found = path.reduce<unknown>(at, valueOf(set));
        expect(JSON.stringify(found)).toBe(JSON.stringify(value));
        const removed = valueOf(editConfiguration(set, path, undefined));
        const parent = path.slice(0, -1).reduce<unknown>(at, removed);
        expect(Object.hasOwn(parent as object, path.at(-1) ?? "")).toBe(false);
      }),
    );
  });
});

function at(parent: unknown, key: string): unknown {
  return (parent as Record<string, unknown>)[key];
}
