import { describe, expect, it } from "vitest";
import { createHookRunner, HookDefinitionError } from "../../src/index.js";

const create = (definition: object): unknown => createHookRunner({ odd: definition } as never);

const rewrite = { kind: "rewrite", deadlineMs: 10, failure: "open", merge: { text: "last" } };
const decide = { ...rewrite, kind: "decide", terminal: { field: "text", value: "stop" } };
const observe = { kind: "observe", deadlineMs: 10, failure: "open" };
const claim = { kind: "claim", deadlineMs: 10, failure: "open" };
const sync = { kind: "sync", failure: "open", merge: { text: "last" } };

describe("hook definitions", () => {
  it.each([rewrite, decide, observe, claim, sync])(
    "accepts a valid definition: $kind",
    (definition) => {
      expect(() => create(definition)).not.toThrow();
      expect(() => create({ ...definition, rewrites: undefined })).not.toThrow();
    },
  );

  it.each([
    ["a kind that does not exist", { kind: "watch" }, "kind must be one of observe, rewrite"],
    ["no kind", {}, "got undefined"],
    ["terminal on observe", { ...observe, terminal: {} }, "a hook of kind observe has no terminal"],
    ["deny on observe", { ...observe, deny: () => ({}) }, "a hook of kind observe has no deny"],
    ["merge on observe", { ...observe, merge: {} }, "a hook of kind observe has no merge"],
    ["merge on claim", { ...claim, merge: { reply: "last" } }, "a hook of kind claim has no merge"],
    ["terminal on rewrite", { ...rewrite, terminal: {} }, "a hook of kind rewrite has no terminal"],
    ["a deadline on sync", { ...sync, deadlineMs: 10 }, "a hook of kind sync has no deadlineMs"],
    ["a misspelt key", { ...rewrite, rewrite: {} }, 'did you mean "rewrites"?'],
    ["an unknown failure default", { ...observe, failure: "never" }, 'failure must be "open"'],
    ["no deadline", { ...observe, deadlineMs: undefined }, "deadlineMs must be an integer"],
    ["a deadline out of range", { ...observe, deadlineMs: 600_001 }, "got 600001"],
    [
      "a validate that is no function",
      { ...rewrite, validate: true },
      "validate must be a function",
    ],
    ["a deny that is no function", { ...rewrite, deny: {} }, "deny must be a function"],
    ["an unknown emptyResult", { ...rewrite, emptyResult: "deny" }, "emptyResult must be"],
    ["emptyResult without validate", { ...rewrite, emptyResult: "validate" }, "needs a validate"],
    ["an unknown isolation", { ...observe, isolate: { a: "clone" } }, "isolate.a must be"],
    ["no merge rules", { ...rewrite, merge: undefined }, "merge must name every result field"],
    [
      "an unknown strategy",
      { ...rewrite, merge: { text: "join" } },
      "merge.text must be a function",
    ],
    ["a field that reaches a prototype", { ...sync, merge: { constructor: "last" } }, "cannot be"],
    ["a rewrite without a rule", { ...rewrite, rewrites: { other: "x" } }, "rewrites.other has no"],
    ["a rewrite to nowhere", { ...rewrite, rewrites: { text: 5 } }, "rewrites.text must be"],
    ["a terminal of no field", { ...decide, terminal: { value: 1 } }, "terminal.field must be"],
    ["a terminal of an unknown field", { ...decide, terminal: { field: "x", value: 1 } }, '"x"'],
    ["a terminal without value", { ...decide, terminal: { field: "text" } }, "terminal.value must"],
    ["a terminal that is no object", { ...decide, terminal: "text" }, "terminal.field must be"],
  ])("[HOOK-002] rejects %s at creation", (_what, definition, message) => {
    expect(() => create(definition)).toThrow(HookDefinitionError);
    expect(() => create(definition)).toThrow(message);
  });

  it("[HOOK-002] names the hook and every problem at once", () => {
    try {
      create({ ...observe, failure: "no", deadlineMs: 0, terminal: {} });
      expect.unreachable();
    } catch (error) {
      expect(HookDefinitionError.isInstance(error)).toBe(true);
      expect(error).toMatchObject({ code: "HOOK_DEFINITION", hook: "odd" });
      expect((error as HookDefinitionError).problems).toHaveLength(3);
    }
  });
});
