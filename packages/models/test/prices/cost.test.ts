import { usdText } from "@openclaw/foundation";
import { describe, expect, it } from "vitest";
import { costOf } from "../../src/prices/cost.js";

const PRICE = { input: "2.5", output: "10", cacheRead: "0.25", cacheWrite: "3.125" };

describe("costOf", () => {
  it("[LLM-004] prices cached tokens as such, not as input", () => {
    const usage = { input: 1000, output: 100, cacheRead: 600, cacheWrite: 300 };
    // 100 × 2.5 + 600 × 0.25 + 300 × 3.125 + 100 × 10 dollars per million tokens
    expect(usdText(costOf(usage, PRICE))).toBe("0.0023375");
  });

  it("prices cached tokens as input where the cache has no price", () => {
    const usage = { input: 10, output: 0, cacheRead: 4, cacheWrite: 6 };
    expect(costOf(usage, { input: "1", output: "2" })).toBe(10_000_000n);
  });

  it("never prices more cached tokens than there was input", () => {
    const usage = { input: 10, output: 0, cacheRead: 20, cacheWrite: 30 };
    expect(costOf(usage, PRICE)).toBe(2_500_000n);
  });

  it("prices the whole request higher above a number of input tokens", () => {
    const price = { ...PRICE, above: { inputTokens: 1000, input: "5", output: "20" } };
    expect(usdText(costOf({ input: 1000, output: 1 }, price))).toBe("0.00251");
    expect(usdText(costOf({ input: 1001, output: 1, cacheRead: 1 }, price))).toBe("0.005025");
  });

  it("[LLM-029] adds up 10,000 calls without drift", () => {
    const price = { input: "0.1", output: "0.2" };
    let sum = 0n;
    for (let call = 0; call < 10_000; call += 1) sum += costOf({ input: 1, output: 1 }, price);
    expect(usdText(sum)).toBe("0.003");
  });

  it("costs nothing without usage", () => {
    expect(costOf({}, PRICE)).toBe(0n);
  });
});
