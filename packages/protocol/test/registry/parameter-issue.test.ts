import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { gatewayMethods } from "../../src/methods/table.js";
import { idIssues, parameterIssues } from "../../src/registry/parameter-issue.js";

const issues = (schema: Parameters<typeof parameterIssues>[0], parameters: unknown) =>
  parameterIssues(schema, parameters).map(({ path, message }) => `${path} ${message}`.trim());

const digest = "0".repeat(64);
const { params: resolve } = gatewayMethods["approvals.resolve"];

describe("parameterIssues", () => {
  it("names the parameter by a JSON Pointer, also within another", () => {
    const { params } = gatewayMethods["policy.test"];
    expect(
      issues(params, {
        files: [
          { file: "a", document: 1 },
          { document: 2, x: 1 },
        ],
      }),
    ).toEqual(["/files/1/file is required", "/files/1/x is not a parameter of this method"]);
    const odd = Type.Object({ "a/b~c": Type.String() });
    expect(issues(odd, {})).toEqual(["/a~1b~0c is required"]);
  });

  it("lists the allowed values of all options of a choice", () => {
    expect(issues(resolve, { id: "1", digest, decision: "maybe" })).toEqual([
      '/decision must be "allow-once", "deny" or "allow-always"',
    ]);
    expect(issues(resolve, { id: "1", digest })).toEqual(["/decision is required"]);
  });

  it("returns the issues of the nearest option of a choice", () => {
    expect(issues(resolve, { id: "1", digest, decision: "allow-always", scope: "world" })).toEqual([
      '/scope must be "session", "agent" or "global"',
    ]);
    const { params } = gatewayMethods["policy.explain"];
    expect(issues(params, { tool: "exec", model: 5, senderIsOwner: "yes" })).toEqual([
      "/model must be string",
      "/senderIsOwner must be boolean",
    ]);
  });

  it("returns at most five", () => {
    const extra = Object.fromEntries("abcdefghijkl".split("").map((key) => [key, 1]));
    expect(issues(gatewayMethods["plugins.install"].params, extra)).toEqual([
      "/specifier is required",
      "/cwd is required",
      ...["/a", "/b", "/c"].map((path) => `${path} is not a parameter of this method`),
    ]);
  });

  it("reports parameters that are not an object", () => {
    expect(issues(gatewayMethods["plugins.list"].params, null)).toEqual(["must be object"]);
  });
});

/** Parameters that hold text, lists of words, paths, or a value with a separate form. */
const TEXTS =
  /^(?:args|content|cwd|data|description|file|label|mimeType|name|note|onMessage|passphrase|path|prefixes|prompt|query|redirectUri|source|specifier|target|text|title|url|value)$/;
const UNUSABLE = [
  "a\0",
  "a\nb",
  "a\r\nb",
  "\u0085",
  "a\u2028b",
  "a\u202Eb",
  "\u2066a",
  "a\u200F",
  "\uD800",
];

type Path = readonly (string | 0)[];

/** Returns the place of each parameter that is a string without a list of its values. */
function stringsIn(schema: unknown, path: Path = []): Path[] {
  if (typeof schema !== "object" || schema === null) return [];
  if ("anyOf" in schema && Array.isArray(schema.anyOf)) {
    return schema.anyOf.flatMap((option) => stringsIn(option, path));
  }
  if ("type" in schema && schema.type === "string") {
    return "const" in schema || "enum" in schema ? [] : [path];
  }
  if ("items" in schema) return stringsIn(schema.items, [...path, 0]);
  if (!("properties" in schema) || typeof schema.properties !== "object") return [];
  return Object.entries(schema.properties ?? {}).flatMap(([key, inner]) =>
    stringsIn(inner, [...path, key]),
  );
}

function placed(path: Path, text: string): unknown {
  return path.reduceRight<unknown>((value, key) => (key === 0 ? [value] : { [key]: value }), text);
}

describe("idIssues", () => {
  const places = Object.values(gatewayMethods).flatMap(({ name, params }) =>
    stringsIn(params).map((path) => ({ method: name, params, path })),
  );
  const ids = places.filter(({ path }) => !TEXTS.test(String(path.findLast((key) => key !== 0))));

  it("[CHAN-895] rejects a control character in every parameter of every method that is not text", () => {
    expect(ids.length).toBeGreaterThan(50);
    for (const { method, params, path } of ids) {
      for (const text of UNUSABLE) {
        const found = idIssues(params, placed(path, text)).map((issue) => issue.path);
        expect({ method, path, text, found }).toEqual({
          method,
          path,
          text,
          found: [`/${path.join("/")}`],
        });
      }
      expect(idIssues(params, placed(path, "李雷 a:b/c"))).toEqual([]);
    }
  });

  it("[CHAN-895] allows line breaks in strings that name nothing", () => {
    for (const { params, path } of places.filter((place) => !ids.includes(place))) {
      expect(idIssues(params, placed(path, "a\nb"))).toEqual([]);
    }
  });
});
