import { defined, jsonCopy } from "@openclaw/foundation";
import { expect, expectTypeOf, it } from "vitest";

it("drops undefined properties and keeps every other value", () => {
  const value: { a?: number | undefined; b: null; c: string } = { a: undefined, b: null, c: "" };
  const kept = defined(value);
  expect(Object.keys(kept)).toEqual(["b", "c"]);
  expectTypeOf(kept).toEqualTypeOf<{ b: null; c: string } & { a?: number }>();
});

it("copies the part of a value that JSON can express", () => {
  const cyclic: { self?: unknown } = {};
  cyclic.self = cyclic;
  expect(jsonCopy({ a: 1, b: undefined, c: () => 1, d: [undefined] })).toEqual({ a: 1, d: [null] });
  expect(jsonCopy(cyclic)).toBeUndefined();
  expect(jsonCopy(undefined)).toBeUndefined();
  expect(jsonCopy(1n)).toBeUndefined();
});
