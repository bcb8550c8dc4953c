import { expectTypeOf, it } from "vitest";
import { readBoolean, readNumber, readString, readStringArray } from "../../src/param-readers.js";

it("returns a value for a required parameter and possibly undefined for any other", () => {
  const parameters: Record<string, unknown> = {};
  expectTypeOf(readString(parameters, "x", { required: true })).toEqualTypeOf<string>();
  expectTypeOf(readString(parameters, "x")).toEqualTypeOf<string | undefined>();
  expectTypeOf(readString(parameters, "x", { maxLength: 3 })).toEqualTypeOf<string | undefined>();
  expectTypeOf(readNumber(parameters, "x", { required: true })).toEqualTypeOf<number>();
  expectTypeOf(readNumber(parameters, "x", { required: false })).toEqualTypeOf<
    number | undefined
  >();
  expectTypeOf(readBoolean(parameters, "x", { required: true })).toEqualTypeOf<boolean>();
  expectTypeOf(readStringArray(parameters, "x", { required: true })).toEqualTypeOf<string[]>();
  // @ts-expect-error a text has no minimum
  readString(parameters, "x", { minimum: 3 });
});
