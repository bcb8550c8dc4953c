import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseWellFormed, stringifyWellFormed, wellFormed } from "../src/index.js";
import { anyText } from "../src/testing/index.js";

const HALF = "\ud83d";
const OTHER_HALF = "\ude00";

describe("well-formed strings", () => {
  it.each([
    [`a${HALF}b`, "a\ufffdb"],
    [`${OTHER_HALF}${HALF}`, "\ufffd\ufffd"],
    [`${HALF}${OTHER_HALF}`, "😀"],
    ["é\u0000文", "é\u0000文"],
  ])("replace each half of a character: %j", (text, expected) => {
    expect(wellFormed(text)).toBe(expected);
    expect(wellFormed([{ deep: [text] }])).toEqual([{ deep: [expected] }]);
    expect(parseWellFormed(JSON.stringify({ deep: text }))).toEqual({ deep: expected });
    expect(stringifyWellFormed({ deep: text })).toBe(JSON.stringify({ deep: expected }));
  });

  it("keep what has none, as the same object", () => {
    const value = { a: ["x", 1, null, true, { b: "😀" }], c: undefined };
    expect(wellFormed(value)).toBe(value);
    const date = new Date();
    expect(wellFormed({ date, bytes: new Uint8Array(1) }).date).toBe(date);
    expect(stringifyWellFormed(undefined)).toBeUndefined();
    expect(parseWellFormed('"\\ud83d\\ude00 \\\\ud83d"')).toBe("😀 \\ud83d");
  });

  it("keep every key, also two that become alike, and __proto__ as a key", () => {
    const repaired = wellFormed({ [HALF]: 1, [OTHER_HALF]: 2, "\ufffd": 3 });
    expect(Object.values(repaired)).toEqual([1, 2, 3]);
    expect(Object.keys(repaired).every((key) => key.isWellFormed())).toBe(true);
    expect(parseWellFormed(`{"__proto__": "${"\\ud83d"}"}`)).toEqual(
      JSON.parse('{"__proto__": "\ufffd"}'),
    );
  });

  it("give JSON that is well-formed, for any value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), anyText(), (value, text) => {
        const json = stringifyWellFormed({ value, text, [HALF + text]: [HALF] }) ?? "";
        expect(json.isWellFormed()).toBe(true);
        expect(json).not.toMatch(/[^\\](?:\\\\)*\\u[dD][89a-fA-F]/);
        expect(wellFormed(JSON.parse(json))).toEqual(JSON.parse(json));
      }),
    );
  });
});
