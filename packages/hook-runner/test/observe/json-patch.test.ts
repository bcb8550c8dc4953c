import { generatedCases } from "@openclaw/foundation/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonPatchOperation } from "../../src/index.js";
import { jsonPatch } from "../../src/observe/json-patch.js";

/** Other runs than a release check generate the same cases every time. */
const SEED = 20_261_122;

/** A plain reading of RFC 6902 for the three operations that are used. */
function apply(document: unknown, patch: readonly JsonPatchOperation[]): unknown {
  let root = structuredClone(document);
  for (const operation of patch) {
    const path = operation.path
      .split("/")
      .slice(1)
      .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    const key = path.pop();
    if (key === undefined) {
      root = operation.op === "remove" ? undefined : structuredClone(operation.value);
      continue;
    }
    let target = root as Record<string, unknown> | unknown[];
    for (const part of path) target = (target as Record<string, unknown>)[part] as typeof target;
    if (Array.isArray(target)) {
      if (operation.op === "remove") target.splice(Number(key), 1);
      else if (key === "-") target.push(structuredClone(operation.value));
      else target[Number(key)] = structuredClone(operation.value);
    } else if (operation.op === "remove") delete target[key];
    else target[key] = structuredClone(operation.value);
  }
  return root;
}

/** JSON as it comes over a wire: no undefined, no -0. */
const json = fc.json().map((text): unknown => JSON.parse(text.replaceAll("__proto__", "proto")));

describe("jsonPatch", () => {
  it("[HOOK-048] transforms the event before into the event after", () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        expect(apply(before, jsonPatch(before, after))).toEqual(after);
      }),
      {
        ...generatedCases(500, SEED),
        examples: [
          [
            { "a/b": 1, "~": [1, 2, 3] },
            { "a/b": 2, "~": [1] },
          ],
        ],
      },
    );
  });

  it("is empty for equal values, and treats undefined as absent", () => {
    const value = { a: [1, { b: null }] };
    expect(jsonPatch(value, structuredClone(value))).toEqual([]);
    expect(jsonPatch({ a: 1, b: undefined }, { a: undefined, b: 2 })).toEqual([
      { op: "remove", path: "/a" },
      { op: "add", path: "/b", value: 2 },
    ]);
    expect(jsonPatch([1, undefined], [1, null])).toEqual([]);
  });

  it("compares own properties only", () => {
    const hostile = JSON.parse('{"__proto__":{"a":1},"constructor":2}');
    expect(jsonPatch({}, hostile)).toEqual([
      { op: "add", path: "/__proto__", value: { a: 1 } },
      { op: "add", path: "/constructor", value: 2 },
    ]);
    expect(jsonPatch(hostile, {})).toEqual([
      { op: "remove", path: "/__proto__" },
      { op: "remove", path: "/constructor" },
    ]);
  });

  it("terminates for cyclic data", () => {
    const before: Record<string, unknown> = { n: 1 };
    before.self = before;
    const after: Record<string, unknown> = { n: 2 };
    after.self = after;
    expect(jsonPatch(before, after).length).toBeLessThan(100);
    const list: unknown[] = [1];
    list.push(list);
    expect(jsonPatch(list, [2, [2, [2]]]).length).toBeLessThan(100);
  });
});
