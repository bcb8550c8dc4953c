import { didYouMean, quotedChoice, withSuggestion } from "@openclaw/foundation";
import { expect, it } from "vitest";

it("lists names as a choice", () => {
  expect(quotedChoice([])).toBe("");
  expect(quotedChoice(["a"])).toBe('"a"');
  expect(quotedChoice(["a", "b", "c"])).toBe('"a", "b" or "c"');
});

it("asks whether a similar name was meant", () => {
  expect(didYouMean("exec")).toBe('did you mean "exec"?');
  expect(didYouMean(["a", "b"])).toBe('did you mean "a" or "b"?');
  expect(didYouMean(undefined)).toBeUndefined();
  expect(didYouMean([])).toBeUndefined();
});

it("appends a suggestion, or the advice without one", () => {
  expect(withSuggestion("no tool", "exec", "see the list")).toBe('no tool; did you mean "exec"?');
  expect(withSuggestion("no tool", undefined, "see the list")).toBe("no tool; see the list");
  expect(withSuggestion("no tool", [])).toBe("no tool");
});
