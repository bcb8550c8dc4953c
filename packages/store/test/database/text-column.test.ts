import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeText, encodeOptionalText, encodeText } from "../../src/database/text-column.js";

/** Any sequence of UTF-16 units, often with lone surrogates, NUL and backslashes. */
const anyString = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xffff }),
      fc.constantFrom(0, 0x5c, 0x75, 0x30, 0xd800, 0xdc00),
    ),
    { maxLength: 12 },
  )
  .map((units) => String.fromCharCode(...units));

describe("text column", () => {
  it("returns every string unchanged", () => {
    fc.assert(fc.property(anyString, (text) => decodeText(encodeText(text)) === text));
  });

  it("stores only text that every database keeps: well formed and without NUL", () => {
    fc.assert(
      fc.property(anyString, (text) => {
        const stored = encodeText(text);
        return !/\p{Surrogate}|\0/u.test(stored);
      }),
    );
  });

  it("encodes different strings differently", () => {
    fc.assert(
      fc.property(anyString, anyString, (one, other) => {
        return (one === other) === (encodeText(one) === encodeText(other));
      }),
    );
  });

  it("stores ordinary text unchanged", () => {
    expect(encodeText("Grüße, 世界 👋\n")).toBe("Grüße, 世界 👋\n");
    expect(encodeText("C:\\temp\0")).toBe("C:\\\\temp\\u0000");
  });

  it("stores null for an absent value", () => {
    expect(encodeOptionalText(undefined)).toBeNull();
    expect(encodeOptionalText("\0")).toBe("\\u0000");
  });
});
