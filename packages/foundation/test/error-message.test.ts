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
  [
    "a failed fetch, with the reason in its cause",
    new TypeError("fetch failed", { cause: new Error("getaddrinfo ENOTFOUND api.example") }),
    "fetch failed: getaddrinfo ENOTFOUND api.example",
  ],
  [
    "a failed fetch of a host with several addresses",
    new TypeError("fetch failed", {
      cause: Object.assign(new AggregateError([]), { code: "ECONNREFUSED" }),
    }),
    "fetch failed: ECONNREFUSED",
  ],
  ["a failed fetch without a cause", new TypeError("fetch failed"), "fetch failed"],
  ["another error with a cause", new Error("broken", { cause: new Error("why") }), "broken"],
])("reads the message of %s", (_what, thrown, message) => {
  expect(errorMessage(thrown)).toBe(message);
});

it("returns the text form of any value", () => {
  expect(textOf(1n)).toBe("1");
  expect(textOf({ toString: () => Object.create(null) })).toBe(nothingToSay);
});
