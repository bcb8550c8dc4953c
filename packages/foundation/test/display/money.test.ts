import { describe, expect, it } from "vitest";
import { displayUsd, parseUsd, usdOfNumber, usdText } from "../../src/display/money.js";

describe("money", () => {
  it("reads and writes decimal amounts exactly", () => {
    for (const text of ["0", "1", "0.000000000001", "12.5", "999999999999999.999999999999"]) {
      expect(usdText(parseUsd(text) ?? -1n)).toBe(text);
    }
    expect(usdText(usdOfNumber(0.1))).toBe("0.1");
    expect(usdText(usdOfNumber(2))).toBe("2");
  });

  it("rejects what is not a decimal amount", () => {
    for (const text of ["", "-1", "1e3", ".5", "5.", "1,5", "0.0000000000001", "1".repeat(16)]) {
      expect(parseUsd(text)).toBeUndefined();
    }
  });

  it.each([
    ["0", "$0.00"],
    ["1.005", "$1.01"],
    ["0.1", "$0.10"],
    ["0.0123", "$0.01"],
    ["0.0023375", "$0.0023"],
    ["0.000012", "$0.000012"],
    ["0.0000000001", "less than $0.000001"],
  ])("shows %s US dollars as %s", (amount, shown) => {
    expect(displayUsd(parseUsd(amount) ?? -1n)).toBe(shown);
  });
});
