import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createJsonTool } from "../../src/data/json.js";
import { callTool, refusalOf, textOf } from "../support/call-tool.js";

const json = (operation: string, data: unknown, others: Record<string, unknown> = {}) =>
  callTool([createJsonTool()], "json", { operation, data, ...others });

const DOCUMENT = { items: [{ name: "a" }, { name: "b", "x/y": { "m~n": 1 } }], "": 0, on: false };

describe("json parse and stringify", () => {
  it("[TURN-065] parses text and describes the value", async () => {
    const result = await json("parse", '{"a": [1, 2]}');
    expect(result.details).toEqual({ a: [1, 2] });
    expect(textOf(result)).toContain("[Valid JSON: an object with 1 members.]");
    expect(textOf(await json("parse", "[1,2]"))).toContain("an array of 2");
    expect(textOf(await json("parse", "null"))).toContain("null");
    expect(textOf(await json("parse", '"x"'))).toContain("a string");
  });

  it("reports the place of invalid JSON", async () => {
    const refusal = refusalOf(await json("parse", '{"a": 1,}'), "invalid-value");
    expect(refusal).toMatch(/not JSON: .*position 8/);
  });

  it("formats a value, including a string", async () => {
    expect(textOf(await json("stringify", { a: 1 }))).toBe('{\n  "a": 1\n}');
    expect(textOf(await json("stringify", '{"a":1}'))).toBe(JSON.stringify('{"a":1}'));
  });

  it("parses every value that it wrote", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (value) => {
        const text = JSON.stringify(value);
        expect((await json("parse", text)).details).toEqual(JSON.parse(text));
      }),
      { numRuns: 100 },
    );
  });

  it("[TURN-065] accepts at most 1 MiB and 64 levels", async () => {
    const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
    expect((await json("parse", nested(65))).isError).toBeUndefined();
    refusalOf(await json("parse", nested(66)), "too-large");
    expect(refusalOf(await json("parse", nested(100_000)), "too-large")).toContain("64 levels");
    expect(refusalOf(await json("parse", `"${"x".repeat(1024 * 1024)}"`), "too-large")).toContain(
      "1048578 bytes",
    );
  });
});

describe("json query", () => {
  it.each([
    ["", DOCUMENT],
    ["$", DOCUMENT],
    ["/", 0],
    ["/items/1/name", "b"],
    ["/items/1/x~1y/m~0n", 1],
    ["items[1].name", "b"],
    ["$.items[0].name", "a"],
    ["items.0.name", "a"],
    ['items[1]["x/y"].m~n', 1],
    ["on", false],
  ])("[TURN-065] finds %j", async (path, value) => {
    expect((await json("query", DOCUMENT, { path })).details).toEqual(value);
    expect((await json("query", JSON.stringify(DOCUMENT), { path })).details).toEqual(value);
  });

  it.each([
    ["/itms", 'has no member "itms". It has: items.'],
    ["items[7]", "indexes go from 0 to 1"],
    ["items.01", "indexes go from 0 to 1"],
    ["on.x", "is a boolean"],
    ["constructor", 'has no member "constructor"'],
    ["__proto__.x", 'has no member "__proto__"'],
    ["items.length", "array without an element"],
  ])("reports that %j does not exist", async (path, problem) => {
    expect(refusalOf(await json("query", DOCUMENT, { path }), "not-found")).toContain(problem);
  });

  it.each(["/a~2", "a..b", "a[", '["\\q"]'])("reports that %j cannot be read", async (path) => {
    expect(refusalOf(await json("query", DOCUMENT, { path }), "invalid-value")).toContain(path);
  });

  it("finds every member by its pointer", async () => {
    const documents = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), { minKeys: 1 });
    await fc.assert(
      fc.asyncProperty(documents, async (document) => {
        const copy = JSON.parse(JSON.stringify(document));
        for (const [name, value] of Object.entries(copy)) {
          const path = `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
          expect((await json("query", copy, { path })).details).toEqual(value);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe("json validate", () => {
  const schema = {
    type: "object",
    properties: { age: { type: "integer", minimum: 0 } },
    required: ["age"],
  };

  it("[TURN-065] reports valid and invalid parts", async () => {
    const valid = await json("validate", { age: 1 }, { schema });
    expect([textOf(valid), valid.details]).toEqual(["Valid.", { valid: true, issues: [] }]);
    const invalid = await json("validate", '{"age": -1}', { schema });
    expect(textOf(invalid)).toMatch(/^Not valid:\n\/age must be >= 0/);
    expect(invalid.details).toMatchObject({ valid: false });
    expect(textOf(await json("validate", "3", { schema }))).toContain("/ must be object");
  });

  it("does not hang on a pattern with catastrophic backtracking", async () => {
    const data = JSON.stringify("a".repeat(40));
    const result = await json("validate", data, { schema: { pattern: "^(a+)+$b" } });
    expect(refusalOf(result, "invalid-value")).toContain("timed out");
  });

  it("rejects an unusable schema", async () => {
    refusalOf(await json("validate", '"x"', { schema: { pattern: "(" } }), "invalid-value");
  });

  it.each([
    ["query", "path"],
    ["validate", "schema"],
  ])("%s needs %s", async (operation, name) => {
    expect(refusalOf(await json(operation, "1"), "invalid-value")).toContain(`needs ${name}`);
  });
});
