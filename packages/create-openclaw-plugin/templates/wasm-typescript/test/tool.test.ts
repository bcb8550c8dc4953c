import assert from "node:assert/strict";
import { test } from "node:test";
import { tool } from "../src/tool.ts";

const call = (args: object) => tool.execute({ params: JSON.stringify(args) });

test("counts words", () => {
  assert.deepEqual(call({ text: "one two  three" }), { tag: "success", val: '{"words":3}' });
  assert.deepEqual(call({ text: "" }), { tag: "success", val: '{"words":0}' });
});

test("refuses a text that is too long", () => {
  assert.equal(call({ text: "a".repeat(100_001) }).tag, "failure");
});

test("has a schema of an object", () => {
  assert.equal(JSON.parse(tool.schema()).type, "object");
});
