import {
  ERROR_KINDS,
  type ErrorKind,
  exitCodeOf,
  httpStatusOf,
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
  static override readonly surface = { exitCode: 7 };
}

const kinds = Object.keys(ERROR_KINDS) as ErrorKind[];

describe("OpenClawError", () => {
  it("carries the code and the kind of its class, and keeps the cause", () => {
    const cause = new Error("below");
    const error = new ThingError("thing not found", { cause });
    expect(error).toMatchObject({ name: "ThingError", code: "THING", kind: "not-found", cause });
    expect(new ThingError("x")).not.toHaveProperty("cause");
  });

  it("takes a code and a kind for one error", () => {
    const error = new ThingError("thing", { code: "THING_OLD", kind: "conflict" });
    expect(error).toMatchObject({ code: "THING_OLD", kind: "conflict" });
    expect(ThingError.isInstance(error)).toBe(true);
  });

  it("[SDK-017] is recognised by class and by every class it extends, but not by others", () => {
    const special = new SpecialThingError("x");
    expect(SpecialThingError.isInstance(special)).toBe(true);
    expect(ThingError.isInstance(special)).toBe(true);
    expect(OpenClawError.isInstance(special)).toBe(true);
    expect(SpecialThingError.isInstance(new ThingError("x"))).toBe(false);
    const same = Object.assign(new Error("x"), { code: "THING", kind: "not-found" });
    for (const value of [same, undefined, null, "THING", {}]) {
      expect(OpenClawError.isInstance(value)).toBe(false);
    }
  });
});

describe("the surfaces of an error", () => {
  it.each(kinds)("follow from the kind %s", (kind) => {
    const error = new ThingError("x", { kind });
    expect(httpStatusOf(error)).toBe(ERROR_KINDS[kind].httpStatus);
    expect(wireCodeOf(error)).toBe(ERROR_KINDS[kind].wireCode);
    expect(exitCodeOf(error)).toBe(ERROR_KINDS[kind].exitCode);
  });

  it("can be overridden by a class, one by one", () => {
    const error = new SpecialThingError("x");
    expect(exitCodeOf(error)).toBe(7);
    expect(httpStatusOf(error)).toBe(404);
  });

  it("are those of an internal error for anything else", () => {
    for (const value of [new Error("x"), "x", undefined, { kind: "invalid" }]) {
      expect([httpStatusOf(value), wireCodeOf(value), exitCodeOf(value)]).toEqual([
        500,
        "INTERNAL",
        1,
      ]);
    }
  });
});
