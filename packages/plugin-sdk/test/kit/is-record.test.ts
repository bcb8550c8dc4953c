import { expect, it } from "vitest";
import { isRecord } from "../../src/kit.js";

it.each([
  [{}, true],
  [Object.create(null), true],
  [[], false],
  [null, false],
  ["text", false],
  [undefined, false],
])("tells that %j is a record: %s", (value, is) => {
  expect(isRecord(value)).toBe(is);
});
