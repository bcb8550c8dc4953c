import { errorMessage, textOf } from "@openclaw/foundation";
import { expect, it } from "vitest";

const nothingToSay = "a value of type object without a text form";

it.each<[string, unknown, string]>([
  ["an error", new TypeError("no such thing"), "no such thing"],
  ["a text", "broken", "broken"],
  ["nothing", undefined, "undefined"],
  ["a symbol", Symbol("odd"), "Symbol(odd)"],
  ["an object without a text", Object.create(null), nothingToSay],
  [
    "an error whose message has no text",
    Object.assign(new Error(), { message: Object.create(null) }),
    nothingToSay,
  ],
])("reads the message of %s", (_what, thrown, message) => {
  expect(errorMessage(thrown)).toBe(message);
});

it("returns the text form of any value", () => {
  expect(textOf(1n)).toBe("1");
  expect(textOf({ toString: () => Object.create(null) })).toBe(nothingToSay);
});
