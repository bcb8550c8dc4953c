import { describe, expect, it } from "vitest";
import { elementAt, valueAt } from "../../src/text/checked-index.js";

describe("elementAt and valueAt", () => {
  it("returns the element or value", () => {
    expect(elementAt(["a", "b"], 1)).toBe("b");
    expect(valueAt(new Map([["a", 1]]), "a")).toBe(1);
  });

  it("throws an error that names the missing index or key", () => {
    expect(() => elementAt(["a"], 1)).toThrow(new RangeError("no element at 1; the list has 1"));
    expect(() => valueAt(new Map(), "a")).toThrow(new RangeError("no value for a"));
  });
});
