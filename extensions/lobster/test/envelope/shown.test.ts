import { expect, it } from "vitest";
import { shownItems, shownPreview } from "../../src/envelope/shown.js";

it("[LOB-010] shows at most 20 items and 8 KiB of a gate, with the full number", () => {
  const numbers = Array.from({ length: 21 }, (_, index) => index);
  expect(shownItems(numbers.slice(1))).toEqual({ items: numbers.slice(1) });
  expect(shownItems(numbers)).toEqual({
    items: numbers.slice(0, 20),
    itemCount: 21,
    itemsTruncated: true,
  });
  const large = ["é".repeat(2000), "é".repeat(2000), "x".repeat(200)];
  expect(shownItems(large)).toMatchObject({ items: large.slice(0, 2), itemCount: 3 });
  expect(shownItems(["x".repeat(9000)])).toEqual({ items: [], itemCount: 1, itemsTruncated: true });
  expect(shownPreview("x".repeat(5000))).toHaveLength(4097);
});
