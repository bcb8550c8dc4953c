import { describe, expect, it } from "vitest";
import { BatchSize } from "../../src/upkeep/batch-size.js";

describe("BatchSize", () => {
  it("[SCALE-029] is halved after a slow transaction, and doubled again after fast ones", () => {
    const batch = new BatchSize(500, 25);
    const limits = [30, 60, 26, 25, 0, 1, 0].map((milliseconds) => {
      batch.took(milliseconds);
      return batch.limit;
    });
    expect(limits).toEqual([250, 125, 62, 124, 248, 496, 500]);
  });

  it("never falls below one row", () => {
    const batch = new BatchSize(2, 25);
    for (let round = 0; round < 5; round += 1) batch.took(1000);
    expect(batch.limit).toBe(1);
  });
});
