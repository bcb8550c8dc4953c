import { Json5SyntaxError, parseJson5 } from "@openclaw/foundation/json-document";
import { memberKey, parseJson5Tree } from "@openclaw/foundation/json-tree";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

/** Value, and one of the ways to write it in JSON5. */
interface Written {
  readonly value: unknown;
  readonly text: string;
}

const gap = fc.constantFrom(
  "",
  " ",
  "\n",
  "\t",
  "/* a comment */",
  "// a comment\n",
  "\u00a0",
  "\ufeff",
);

const word = fc.constantFrom<Written>(
  { value: null, text: "null" },
  { value: true, text: "true" },
  { value: false, text: "false" },
  { value: Number.POSITIVE_INFINITY, text: "Infinity" },
  { value: Number.POSITIVE_INFINITY, text: "+Infinity" },
  { value: Number.NEGATIVE_INFINITY, text: "-Infinity" },
  { value: Number.NaN, text: "NaN" },
  { value: 0.5, text: ".5" },
  { value: 5, text: "5." },
  { value: -5, text: "-5." },
  { value: 7, text: "+7" },
  { value: 1200, text: "1.2e+3" },
);

const number = fc.oneof(
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((value) => !Number.isInteger(value) || Number.isSafeInteger(value))
    .map((value): Written => ({ value, text: Object.is(value, -0) ? "-0" : String(value) })),
  fc
    .nat()
    .chain((value) =>
      fc.constantFrom<Written>(
        { value, text: `0x${value.toString(16)}` },
        { value, text: `0X${value.toString(16).toUpperCase()}` },
        { value: -value, text: `-0x${value.toString(16)}` },
      ),
    ),
);

const ESCAPES: Readonly<Record<string, string>> = {
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
};

const string = fc
  .tuple(fc.string({ unit: "grapheme" }), fc.constantFrom('"', "'"), fc.boolean())
  .map(([value, quote, inUnicode]): Written => {
    const characters = value.split("").map((character) => {
      const escaped = ESCAPES[character] ?? (character === quote ? `\\${quote}` : undefined);
      if (escaped !== undefined) return escaped;
      const code = character.charCodeAt(0);
      const mustBeEscaped = inUnicode || code < 0x20;
      return mustBeEscaped ? `\\u${code.toString(16).padStart(4, "0")}` : character;
    });
    return { value, text: `${quote}${characters.join("")}${quote}` };
  });

const identifier = fc.constantFrom("gateway", "$schema", "_x", "größe", "__proto__", "constructor");
const key = fc.oneof(
  identifier.map((value) => ({ value, text: value })),
  fc.constant({ value: "abc", text: "\\u0061bc" }),
  string.map(({ value, text }) => ({ value: String(value), text })),
);

const { written } = fc.letrec<{ written: Written }>((tie) => {
  const inner = fc.tuple(gap, tie("written"), gap).map(([before, { value, text }, after]) => ({
    value,
    text: `${before}${text}${after}`,
  }));
  const trailing = fc.constantFrom("", ",");
  const array = fc.tuple(fc.array(inner, { maxLength: 4 }), trailing).map(
    ([items, comma]): Written => ({
      value: items.map(({ value }) => value),
      text: `[${items.map(({ text }) => text).join(",")}${items.length === 0 ? "" : comma}]`,
    }),
  );
  const member = fc.tuple(gap, key, gap, inner);
  const object = fc
    .tuple(fc.uniqueArray(member, { selector: ([, name]) => name.value, maxLength: 4 }), trailing)
    .map(
      ([members, comma]): Written => ({
        value: Object.fromEntries(members.map(([, name, , { value }]) => [name.value, value])),
        text: `{${members
          .map(([before, name, after, { text }]) => `${before}${name.text}${after}:${text}`)
          .join(",")}${members.length === 0 ? "" : comma}}`,
      }),
    );
  return { written: fc.oneof({ maxDepth: 4 }, word, number, string, array, object) };
});

describe("parseJson5", () => {
  it("returns the value of a JSON5 text", () => {
    fc.assert(
      fc.property(written, gap, gap, ({ value, text }, before, after) => {
        expect(parseJson5(`${before}${text}${after}`).value).toEqual(value);
      }),
      { numRuns: 300 },
    );
  });

  it("returns the location of every key and every element", () => {
    const document = parseJson5(
      '{\n  gateway: { port: 1 },\n  "tools": { deny: ["a",\n    "b"] },\n}',
    );
    expect(document.place(["gateway"])).toMatchObject({ line: 2, column: 3 });
    expect(document.place(["gateway", "port"])).toMatchObject({ line: 2, column: 14 });
    expect(document.place(["tools"])).toMatchObject({ line: 3, column: 3 });
    expect(document.place(["tools", "deny", 0])).toMatchObject({ line: 3, column: 21 });
    expect(document.place(["tools", "deny", 1])).toMatchObject({ line: 4, column: 5 });
  });

  it("returns the location of the enclosing value for a missing one", () => {
    const document = parseJson5("{ gateway: { port: 1 } }");
    expect(document.place(["gateway", "auth", "token"])).toMatchObject({ line: 1, column: 3 });
    expect(document.has(["gateway", "port"])).toBe(true);
    expect(document.has(["gateway", "auth"])).toBe(false);
    expect(document.has(["toString"])).toBe(false);
  });

  it("uses the last of a duplicate key, and no location of the first", () => {
    const document = parseJson5("{ gateway: { port: 1 }, logging: {}, gateway: {} }");
    expect(document.value).toEqual({ gateway: {}, logging: {} });
    expect(document.place(["gateway"])).toMatchObject({ line: 1, column: 38 });
    expect(document.has(["gateway", "port"])).toBe(false);
  });

  it("reads __proto__ as a normal key", () => {
    const { value } = parseJson5('{ "__proto__": { polluted: true } }');
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect({}).not.toHaveProperty("polluted");
  });

  it("does not count a byte order mark", () => {
    const document = parseJson5("\ufeff{ gateway: {} }");
    expect(document.value).toEqual({ gateway: {} });
    expect(document.place(["gateway"])).toMatchObject({ line: 1, column: 3 });
  });

  it.each([
    ["9007199254740995", "9007199254740995"],
    ["-9007199254740993", "-9007199254740993"],
    ["+9007199254740992", "9007199254740992"],
    ["0x20000000000003", "9007199254740995"],
    ["9.007199254740995e15", "9007199254740995"],
    ["900719925474099.5e1", "9007199254740995"],
    ["90071992547409950.0", "90071992547409950"],
    ["9007199254740993.5", "9007199254740993.5"],
    ["1e400", "1e400"],
  ])(
    "[GW-220] rejects a number that would be rounded, and shows it in quotes: %s",
    (text, quoted) => {
      const document = () => parseJson5(`\ufeff{\n  id: [1, ${text}] }`);
      expect(document).toThrow(Json5SyntaxError);
      expect(document).toThrow(expect.objectContaining({ line: 2, column: 11 }));
      expect(document).toThrow(`write it in quotes: "${quoted}"`);
      const { inexact } = parseJson5(`{ id: [1, ${text}] }`, { allowInexact: true });
      expect(inexact).toEqual([{ path: ["id", 1], written: text }]);
    },
  );

  it("[GW-220] keeps every other number", () => {
    const text = "[9007199254740991, -9007199254740991, 0.1, 1.5e-9, 0xFF, Infinity, NaN, 1e3]";
    const { value, inexact } = parseJson5(text);
    expect(inexact).toEqual([]);
    expect(value).toContain(9007199254740991);
  });

  it.each([
    ["an open bracket", "{\n  gateway: { port: 1\n", 2, 21],
    ["a missing comma", "{ a: 1 b: 2 }", 1, 8],
    ["nothing but a comment", "// later", 1, 9],
    ["an object that ends within a list", "{\n  a: [", 2, 7],
    ["nothing at all", "", 1, 1],
    // The parser of the library did not end at these.
    ["a text that is cut off in an escape", '{ a: "b\\', 1, 10],
    ["the same in single quotes", "'b\\", 1, 5],
  ])("reports the location of %s", (_what, text, line, column) => {
    expect(() => parseJson5(text)).toThrow(expect.objectContaining({ line, column }));
    expect(() => parseJson5Tree(text)).toThrow(Json5SyntaxError);
  });
});

it("ends at every text that is cut off", () => {
  const text = `{ "a\\u0041": 'b\\x41\\n\\\\', /* c */ d: [1.5e3, 0xFF, -Infinity, true, null], // e\\\n f: "\\\n" }`;
  for (let end = 0; end < text.length; end += 1) {
    expect(() => parseJson5Tree(text.slice(0, end)), text.slice(0, end)).toThrow(Json5SyntaxError);
  }
  expect(() => parseJson5Tree(text)).not.toThrow();
});

it("reads the keys of members with and without quotes", () => {
  const { body } = parseJson5Tree("{ a: 1, 'b c': 2 }");
  expect(body.type === "Object" && body.members.map(memberKey)).toEqual(["a", "b c"]);
});
