import { describe, expect, it } from "vitest";
import { createSerialWork } from "../src/serial-work.js";
import { gate } from "./test-host.js";

describe("serial work", () => {
  it("is done one after another, in order, whatever became of the work before", async () => {
    const inTurn = createSerialWork();
    const first = gate();
    const order: string[] = [];
    const one = inTurn(async () => {
      await first.passed;
      order.push("one");
      throw new Error("no");
    });
    const two = inTurn(async () => {
      order.push("two");
      return 2;
    });
    await Promise.resolve();
    expect(order).toEqual([]);
    first.pass();
    await expect(one).rejects.toThrow("no");
    expect(await two).toBe(2);
    expect(order).toEqual(["one", "two"]);
    expect(await inTurn(async () => 3)).toBe(3);
  });
});
