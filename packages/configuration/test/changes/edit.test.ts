import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { editConfiguration } from "../../src/changes/edit.js";
import { parseConfigurationDocument } from "../../src/document.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const parsed = (text: string) => parseConfigurationDocument(text, "openclaw.json").value;

describe("editConfiguration", () => {
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
    expect(parsed(allowed)).toEqual({
      gateway: { port: 18789 },
      plugins: {
        entries: { "my-plugin": { enabled: true, hooks: { allowConversationAccess: true } } },
      },
    });
  });

  it("creates missing objects, also in an empty file", () => {
    expect(parsed(editConfiguration("", ["a", "b", "c"], [1]))).toEqual({ a: { b: { c: [1] } } });
    expect(parsed(editConfiguration("{}", ["a"], "x"))).toEqual({ a: "x" });
  });

  it("removes a key and nothing else", () => {
    expect(parsed(editConfiguration(file, ["gateway"], undefined))).toEqual({
      plugins: { entries: { "my-plugin": { enabled: true } } },
    });
    const removed = editConfiguration(file, ["plugins", "entries", "my-plugin"], undefined);
    expect(parsed(removed)).toEqual({ gateway: { port: 18789 }, plugins: { entries: {} } });
    expect(editConfiguration(file, ["nothing", "here"], undefined)).toBe(file);
  });

  it("keeps a comment next to the member that it describes", () => {
    const text =
      "{\n  // about a\n  a: 1, // a's\n  // about b\n  b: 2, /* b's */\n  // the end\n}\n";
    expect(editConfiguration(text, ["c"], 3)).toBe(
      text.replace("/* b's */\n", '/* b\'s */\n  "c": 3,\n'),
    );
    expect(editConfiguration(text, ["a"], undefined)).toBe(
      text.replace("  a: 1, // a's", "  // a's"),
    );
    expect(editConfiguration(text, ["b"], undefined)).toBe(
      text.replace("  b: 2, /* b's */", "  /* b's */"),
    );
    const last = "{\n  a: 1 // a's\n}";
    expect(editConfiguration(last, ["b"], 2)).toBe('{\n  a: 1, // a\'s\n  "b": 2\n}');
    expect(editConfiguration("{\n  // only words\n}", ["a"], 1)).toBe(
      '{\n  // only words\n  "a": 1\n}',
    );
  });

  it.each([
    ["{ a: 1, b: 2 }", "a", "{ b: 2 }"],
    ["{ a: 1, b: 2 }", "b", "{ a: 1 }"],
    ["{a:1,b:2}", "a", "{b:2}"],
    ["{ a: 1, }", "a", "{ }"],
    ["{\r\n  a: 1,\r\n  b: 2\r\n}", "b", "{\r\n  a: 1\r\n}"],
    ["{ a: 1 /* , */, b: 2 // ,\n}", "b", "{ a: 1 /* , */ // ,\n}"],
    ["{ a: 1, b: 2, a: 3 }", "a", "{ b: 2 }"],
    ["\uFEFF{ a: 1 }", "a", "\uFEFF{ }"],
    ["", "a", ""],
  ])("removes from %j the key %s: %j", (text, key, expected) => {
    expect(editConfiguration(text, [key], undefined)).toBe(expected);
  });

  it("replaces a value on the path that is not an object", () => {
    expect(parsed(editConfiguration("{ a: 1 }", ["a", "b"], 2))).toEqual({ a: { b: 2 } });
    expect(editConfiguration("{ a: 1 }", ["a", "b"], undefined)).toBe("{ a: 1 }");
    expect(() => editConfiguration("[]", ["a"], 1)).toThrow(TypeError);
  });

  it("keeps every comment, wherever it is", () => {
    const key = fc.constantFrom("a", "b", "c", "d");
    const comment = fc.constantFrom(" ", "\n", " /* x, y */ ", " // z\n", "\n// }\n", "");
    const value = fc.constantFrom("1", "'x'", "{ /* in */ }");
    const member = fc.tuple(comment, key, value, comment);
    const file = fc
      .tuple(fc.array(member, { maxLength: 4 }), comment, fc.boolean())
      .map(([members, end, trailing]) => {
        const body = members.map(([first, name, text, last]) => `${first}${name}: ${text}${last}`);
        return `{${body.join(",")}${trailing && body.length > 0 ? "," : ""}${end}}`;
      });
    const comments = (text: string) => text.match(/\/\* x, y \*\/|\/\/ [z}]/g) ?? [];
    fc.assert(
      fc.property(file, key, (text, name) => {
        const before = parsed(text) as Record<string, unknown>;
        const set = editConfiguration(text, [name], 5);
        expect(parsed(set)).toEqual({ ...before, [name]: 5 });
        expect(comments(set)).toEqual(comments(text));
        const removed = editConfiguration(text, [name], undefined);
        const { [name]: _, ...rest } = before;
        expect(parsed(removed)).toEqual(rest);
        expect(comments(removed)).toHaveLength(comments(text).length);
      }),
    );
  });

  it("sets and removes any value at any path", () => {
    const key = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => text !== "__proto__");
    const leaf = fc.oneof(fc.integer(), fc.string(), fc.dictionary(key, fc.integer()));
    const paths = fc.array(key, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.dictionary(key, leaf), paths, fc.jsonValue(), (start, keys, value) => {
        const path = keys as [string, ...string[]];
        const set = editConfiguration(JSON.stringify(start, null, 2), path, value);
        const found = path.reduce<unknown>(at, parsed(set));
        expect(JSON.stringify(found)).toBe(JSON.stringify(value));
        const removed = parsed(editConfiguration(set, path, undefined));
        const parent = path.slice(0, -1).reduce<unknown>(at, removed);
        expect(Object.hasOwn(parent as object, path.at(-1) ?? "")).toBe(false);
      }),
    );
  });
});

function at(parent: unknown, key: string): unknown {
  return (parent as Record<string, unknown>)[key];
}
