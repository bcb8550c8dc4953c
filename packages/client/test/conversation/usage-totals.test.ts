import { expect, it } from "vitest";
import { UsageTotals } from "../../src/conversation.js";

it("adds tokens and costs of turns, and says that a part is an estimate", () => {
  const totals = new UsageTotals();
  expect(totals.facts()).toEqual([]);
  totals.add({ input: 10, output: 2 });
  expect(totals.facts()).toEqual(["10 in, 2 out"]);
  totals.add({ input: 5, output: 1, cost: { usd: "0.25", estimated: true } });
  expect(totals.facts()).toEqual(["15 in, 3 out", "about $0.25"]);
});
