import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { checkParameters, compileProblem } from "../../src/tool-call/parameters.js";

const file = {
  type: "object",
  properties: { path: { type: "string" }, limit: { type: "integer", minimum: 1 } },
  required: ["path"],
  additionalProperties: false,
};

function issuesOf(schema: Record<string, unknown>, params: unknown): readonly string[] {
  const checked = checkParameters(schema, params);
  if (checked.valid) throw new Error("the arguments fit");
  return checked.issues;
}

describe("checkParameters", () => {
  it("returns valid arguments unchanged", () => {
    const params = { path: "a.txt", limit: 3 };
    expect(checkParameters(file, params)).toEqual({ valid: true, params });
    const typed = { ...Type.Object({ path: Type.String() }) };
    expect(checkParameters(typed, params).valid).toBe(true);
  });

  it("names missing fields, and the paths of invalid ones", () => {
    expect(issuesOf(file, {})).toEqual(["arguments must have required properties path"]);
    expect(issuesOf(file, { path: "a", limit: 0 })).toEqual(["/limit must be >= 1"]);
  });

  it("lists all unexpected arguments in one issue", () => {
    expect(issuesOf(file, { path: "a", mode: 1, force: true })).toEqual([
      "arguments must not have additional properties: mode, force",
    ]);
  });

  it("reports values that additionalProperties itself rejects", () => {
    const schema = { type: "object", properties: {}, additionalProperties: { type: "string" } };
    expect(issuesOf(schema, { a: 1 })).toContain("/a must be string");
  });

  it("reports an argument that its schema never allows", () => {
    const schema = { type: "object", properties: { secret: false } };
    expect(issuesOf(schema, { secret: 1 })).toEqual(["/secret schema is false"]);
  });

  it.each([[null], [undefined], ["text"], [7], [[]]])(
    "rejects %j, which is not an object",
    (params) => {
      expect(issuesOf(file, params)).toEqual(["arguments must be object"]);
    },
  );

  it("reports at most five issues, each once", () => {
    const names = ["a", "b", "c", "d", "e", "f", "g"];
    const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
    const params = Object.fromEntries(names.map((name) => [name, 1]));
    const issues = issuesOf({ type: "object", properties }, params);
    expect(issues).toHaveLength(5);
    expect(new Set(issues).size).toBe(5);
  });

  it("does not count inherited Object.prototype members as arguments", () => {
    const schema = { type: "object", properties: { constructor: {} }, required: ["constructor"] };
    expect(checkParameters(schema, {}).valid).toBe(false);
    const closed = { type: "object", properties: {}, additionalProperties: false };
    expect(checkParameters(closed, JSON.parse('{"constructor":1}')).valid).toBe(false);
  });
});

describe("compileProblem", () => {
  it("says what the compiler rejects", () => {
    expect(compileProblem(file)).toBeUndefined();
    const schema = { type: "object", properties: { a: { type: "string", pattern: "(" } } };
    expect(compileProblem(schema)).toMatch(/^parameters cannot be compiled: .*Unterminated group/);
  });
});
