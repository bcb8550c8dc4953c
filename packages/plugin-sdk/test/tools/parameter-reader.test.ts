import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ParameterError,
  readBoolean,
  readNumber,
  readString,
  readStringArray,
} from "../../src/param-readers.js";

type Reader = (
  parameters: Record<string, unknown>,
  name: string,
  options?: { required?: boolean },
) => unknown;

const readers: Record<string, Reader> = { readString, readNumber, readBoolean, readStringArray };

describe.each(Object.entries(readers))("%s", (_name, read) => {
  it("[SDK-015] returns undefined for an absent or null value, unless it is required", () => {
    expect(read({}, "x")).toBeUndefined();
    expect(read({ x: null }, "x")).toBeUndefined();
    expect(() => read({}, "x", { required: true })).toThrow(ParameterError);
    expect(() => read({ x: null }, "x", { required: true })).toThrow(
      /^parameter "x": expected .+, got null; /,
    );
  });

  it("ignores inherited properties", () => {
    for (const name of ["constructor", "toString", "__proto__"]) {
      expect(read({}, name)).toBeUndefined();
      expect(() => read({}, name, { required: true })).toThrow(`"${name}"`);
    }
  });

  it("[SDK-015] names the parameter in every error and never shows the content of a string", () => {
    const secrets = [{ secret: 1 }, "s3cret", ["s3cret", 1], true, 7, Symbol("s3cret")];
    for (const value of secrets) {
      try {
        read({ token: value }, "token");
      } catch (error) {
        expect(ParameterError.isInstance(error)).toBe(true);
        expect(error).toMatchObject({ code: "PARAMETER_INVALID", parameter: "token" });
        expect(String(error)).toContain('parameter "token": expected');
        expect(String(error)).not.toContain("s3cret");
      }
    }
  });

  it("rejects values of other kinds", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        try {
          const found = read({ value }, "value");
          expect(found).toEqual(value ?? undefined);
        } catch (error) {
          expect(ParameterError.isInstance(error)).toBe(true);
        }
      }),
    );
  });
});

describe("bounds", () => {
  it("[SDK-015] apply to the length of a string", () => {
    const options = { minLength: 2, maxLength: 3 };
    expect(readString({ x: "ab" }, "x", options)).toBe("ab");
    expect(() => readString({ x: "a" }, "x", options)).toThrow(
      'parameter "x": expected at least 2 characters, got 1; correct the call',
    );
    expect(() => readString({ x: "abcd" }, "x", options)).toThrow("at most 3 characters, got 4");
  });

  it("[SDK-015] apply to the size of a number and to integers", () => {
    const options = { minimum: 1, maximum: 10, integer: true };
    expect(readNumber({ x: 10 }, "x", options)).toBe(10);
    expect(() => readNumber({ x: 0 }, "x", options)).toThrow("a whole number of at least 1, got 0");
    expect(() => readNumber({ x: 11 }, "x", options)).toThrow("at most 10, got 11");
    expect(() => readNumber({ x: 1.5 }, "x", options)).toThrow("a whole number, got 1.5");
    expect(readNumber({ x: 1.5 }, "x")).toBe(1.5);
    for (const x of [Number.NaN, Infinity, "3"]) {
      expect(() => readNumber({ x }, "x")).toThrow('parameter "x": expected a number, got');
    }
  });

  it("[SDK-015] apply to the length of a list", () => {
    const options = { minItems: 1, maxItems: 2 };
    expect(readStringArray({ x: ["a"] }, "x", options)).toEqual(["a"]);
    expect(() => readStringArray({ x: [] }, "x", options)).toThrow("at least 1 items, got 0");
    expect(() => readStringArray({ x: ["a", "b", "c"] }, "x", options)).toThrow("at most 2 items");
    expect(() => readStringArray({ x: ["a", 1] }, "x")).toThrow("a list of strings, got a list");
  });
});
