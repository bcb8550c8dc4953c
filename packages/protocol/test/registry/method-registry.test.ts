import { OpenClawError } from "@openclaw/foundation";
import { Type } from "typebox";
import { afterEach, describe, expect, it, vi } from "vitest";
import { defineMethod } from "../../src/definition/method.js";
import { OPERATOR_CALL } from "../../src/definition/method-call.js";
import { methodTable } from "../../src/definition/method-table.js";
import { MethodRegistry } from "../../src/registry/method-registry.js";

class NoteMissingError extends OpenClawError {
  static override readonly code = "NOTE_MISSING";
  static override readonly kind = "not-found";
}

class DiskFullError extends OpenClawError {
  static override readonly code = "DISK_FULL";
  static override readonly kind = "internal";
}

const noteMethods = methodTable(
  defineMethod({
    name: "notes.get",
    summary: "Returns a note.",
    params: Type.Object({ id: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
    result: Type.Object({ text: Type.String(), author: Type.Optional(Type.String()) }),
    errors: ["NOTE_MISSING"],
    scope: "operator.read",
    effect: "read",
  }),
);

const tagMethods = methodTable(
  defineMethod({
    name: "tags.list",
    summary: "Lists the tags.",
    params: Type.Object({}, { additionalProperties: false }),
    result: Type.Object({ tags: Type.Array(Type.String()) }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
);

type Handler = (parameters: { readonly id: string }) => Promise<{ readonly text: string }>;

const notes = (get: Handler) => MethodRegistry.of(noteMethods, { "notes.get": get });

const fails = (error: unknown) => notes(() => Promise.reject(error)).call("notes.get", { id: "1" });

const returns = (result: { readonly text: string }) =>
  notes(async () => result).call("notes.get", { id: "1" });

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("MethodRegistry", () => {
  it("passes parameters on and returns the result", async () => {
    const registry = notes(async ({ id }) => ({ text: `note ${id}` }));
    expect(registry.definitions).toEqual(noteMethods);
    expect(await registry.call("notes.get", { id: "1" })).toEqual({ text: "note 1" });
    expect(await registry.dispatch("notes.get", { id: "2" }, OPERATOR_CALL)).toEqual({
      text: "note 2",
    });
  });

  it("rejects invalid parameters before the implementation runs, and names them", async () => {
    const get = vi.fn<Handler>();
    const registry = notes(get);
    for (const parameters of [{}, { id: "" }, { id: 1 }, { id: "1", of: "me" }, null, [], "x"]) {
      await expect(registry.dispatch("notes.get", parameters, OPERATOR_CALL)).rejects.toMatchObject(
        {
          code: "INVALID_REQUEST",
          kind: "invalid",
          method: "notes.get",
        },
      );
    }
    await expect(registry.dispatch("notes.get", { of: "me" }, OPERATOR_CALL)).rejects.toMatchObject(
      {
        message: "notes.get: /id is required; /of is not a parameter of this method",
        issues: [
          { path: "/id", message: "is required" },
          { path: "/of", message: "is not a parameter of this method" },
        ],
      },
    );
    expect(get).not.toHaveBeenCalled();
  });

  it("rejects an unknown method", async () => {
    const registry = notes(async () => ({ text: "" }));
    for (const name of ["notes.set", "__proto__", "constructor.name", ""]) {
      await expect(registry.dispatch(name, {}, OPERATOR_CALL)).rejects.toMatchObject({
        code: "NOT_FOUND",
        message:
          name === "notes.set"
            ? "method notes.set not found; did you mean notes.get?"
            : `method ${name} not found`,
      });
    }
  });

  it("joins the methods of two registries with different names", async () => {
    const tags = MethodRegistry.of(tagMethods, { "tags.list": async () => ({ tags: ["a"] }) });
    const joined = notes(async () => ({ text: "a" })).with(tags);
    expect(joined.definitions).toEqual({ ...noteMethods, ...tagMethods });
    expect(await joined.call("notes.get", { id: "1" })).toEqual({ text: "a" });
    expect(await joined.call("tags.list", {})).toEqual({ tags: ["a"] });
    expect(() => joined.with(tags)).toThrow("the method tags.list is implemented twice");
  });

  it("requires an implementation of every method", () => {
    const incomplete: { "notes.get": Handler } = JSON.parse("{}");
    expect(() => MethodRegistry.of(noteMethods, incomplete)).toThrow(
      "the method notes.get has no implementation",
    );
  });
});

describe("checks of results in tests", () => {
  it("fail for a result that does not match its schema", async () => {
    const wrong: { text: string } = JSON.parse('{ "text": 1 }');
    await expect(returns(wrong)).rejects.toThrow("result of notes.get: /text must be string");
    const none: { text: string } = JSON.parse("null");
    await expect(returns(none)).rejects.toThrow("result of notes.get");
  });

  it("fail for a key that the schema does not name", async () => {
    const more = { text: "a", secret: "b" };
    await expect(returns(more)).rejects.toThrow(/keys that its schema does not name.*secret/);
  });

  it("treat undefined members as absent, as JSON does", async () => {
    const result = { text: "a", author: undefined };
    expect(await returns(result)).toEqual({ text: "a" });
  });

  it("fail for a caller's error that the definition does not list", async () => {
    await expect(fails(new NoteMissingError("gone"))).rejects.toThrow("gone");
    const locked = new NoteMissingError("locked", { code: "NOTE_LOCKED" });
    await expect(fails(locked)).rejects.toThrow(
      "notes.get failed with NOTE_LOCKED, which its definition does not list",
    );
  });

  it("accept failures of the host", async () => {
    await expect(fails(new DiskFullError("full"))).rejects.toThrow("full");
    await expect(fails(new Error("odd"))).rejects.toThrow("odd");
  });

  it("run in tests only", async () => {
    vi.stubEnv("OPENCLAW_TEST_METHODS", undefined);
    const more = { text: "a", secret: "b" };
    expect(await returns(more)).toBe(more);
  });
});
