import {
  ERROR_KINDS,
  type ErrorKind,
  exitCodeOf,
  httpStatusOf,
  isErrorOfClass,
  kindOfHttpStatus,
  OpenClawError,
  wireCodeOf,
} from "@openclaw/foundation";
import { describe, expect, it } from "vitest";

class ThingError extends OpenClawError {
  static override readonly code: string = "THING";
  static override readonly kind: ErrorKind = "not-found";
}

class SpecialThingError extends ThingError {
  static override readonly code = "SPECIAL_THING";
  static override readonly surface = { exitCode: 69 } as const;
}

const kinds = Object.keys(ERROR_KINDS) as ErrorKind[];

describe("OpenClawError", () => {
  it("carries the code and the kind of its class, and keeps the cause", () => {
    const cause = new Error("below");
    const error = new ThingError("thing not found", { cause });
    expect(error).toMatchObject({ name: "ThingError", code: "THING", kind: "not-found", cause });
    expect(new ThingError("x")).not.toHaveProperty("cause");
  });

  it("accepts a code and a kind for a single error", () => {
    const error = new ThingError("thing", { code: "THING_OLD", kind: "conflict" });
    expect(error).toMatchObject({ code: "THING_OLD", kind: "conflict" });
    expect(ThingError.isInstance(error)).toBe(true);
  });

  it("[SDK-017] is recognised by its class and its superclasses, but not by others", () => {
    const special = new SpecialThingError("x");
    expect(SpecialThingError.isInstance(special)).toBe(true);
    expect(ThingError.isInstance(special)).toBe(true);
    expect(OpenClawError.isInstance(special)).toBe(true);
    expect(SpecialThingError.isInstance(new ThingError("x"))).toBe(false);
    const same = Object.assign(new Error("x"), { code: "THING", kind: "not-found" });
    const branded = { [Symbol.for("openclaw.error")]: true };
    for (const value of [same, branded, undefined, null, "THING", {}]) {
      expect(OpenClawError.isInstance(value)).toBe(false);
    }
  });

  it("[SDK-017] is recognised by the code of a class that is not imported", () => {
    expect(isErrorOfClass(new SpecialThingError("x"), "THING")).toBe(true);
    expect(isErrorOfClass(new ThingError("x", { code: "OTHER" }), "OTHER")).toBe(false);
    expect(isErrorOfClass(new Error("x"), "THING")).toBe(false);
  });

  it("has only its data as properties", () => {
    expect(Reflect.ownKeys(new ThingError("x")).toSorted()).toEqual(
      ["code", "kind", "message", "name", "stack"].toSorted(),
    );
  });
});

describe("error codes of the surfaces", () => {
  it.each(kinds)("follow from the kind %s", (kind) => {
    const error = new ThingError("x", { kind });
    expect(httpStatusOf(error)).toBe(ERROR_KINDS[kind].httpStatus);
    expect(wireCodeOf(error)).toBe(ERROR_KINDS[kind].wireCode);
    expect(exitCodeOf(error)).toBe(ERROR_KINDS[kind].exitCode);
  });

  it("can be overridden by a class, one by one", () => {
    const error = new SpecialThingError("x");
    expect(exitCodeOf(error)).toBe(69);
    expect(httpStatusOf(error)).toBe(404);
  });

  it("map back to a kind by the HTTP status", () => {
    expect([400, 404, 409, 503].map(kindOfHttpStatus)).toEqual([
      "invalid",
      "not-found",
      "conflict",
      "unavailable",
    ]);
    expect(kindOfHttpStatus(418)).toBeUndefined();
  });

  it("are those of an internal error for other values", () => {
    for (const value of [new Error("x"), "x", undefined, { kind: "invalid" }]) {
      expect([httpStatusOf(value), wireCodeOf(value), exitCodeOf(value)]).toEqual([
        500,
        "INTERNAL",
        1,
      ]);
    }
  });
});
