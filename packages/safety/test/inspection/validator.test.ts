import { describe, expect, it } from "vitest";
import { validateParameters, validateText } from "../../src/index.js";

function codes(text: string, options?: Parameters<typeof validateText>[1]): string[] {
  return validateText(text, options).errors.map(({ code }) => code);
}

function nested(levels: number): unknown {
  let value: unknown = "deep";
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

describe("text and parameter validation", () => {
  it("[SAFE-034] accepts 1 to 100 000 code points", () => {
    expect(codes("")).toEqual(["Empty"]);
    expect(codes("a")).toEqual([]);
    expect(codes("ab".repeat(50_000))).toEqual([]);
    expect(codes(`${"ab".repeat(50_000)}c`)).toEqual(["TooLong"]);
    expect(codes("😀x".repeat(50_000))).toEqual([]);
    expect(codes("😀".repeat(11), { maxLength: 10 })).toEqual(["TooLong"]);
    expect(validateText("too long", { maxLength: 3 }).errors[0]?.message).toBe(
      "the text has 8 characters; at most 3 are allowed",
    );
  });

  it("[SAFE-034] rejects NUL and forbidden wording, in any case and disguise", () => {
    expect(codes("a\0b")).toEqual(["InvalidEncoding"]);
    for (const text of ["so EVIL", "e\u200bv\u2060il", "\ufeffevil"]) {
      expect(validateText(text, { forbidden: ["Evil"] }).errors).toEqual([
        {
          code: "ForbiddenContent",
          field: "",
          message: 'the text contains the forbidden wording "evil"',
        },
      ]);
    }
    expect(codes("good", { forbidden: ["evil"] })).toEqual([]);
  });

  it("[SAFE-035] warns when more than nine tenths of over 100 characters are white space", () => {
    const warned = (text: string) => validateText(text).warnings.map(({ rule }) => rule);
    const spaces = (count: number) => " \n".repeat(count / 2);
    expect(warned(`${spaces(92)}${"abcdefghi"}`)).toEqual(["excessive_whitespace"]);
    expect(warned(`${spaces(90)}${"abcdefghijk"}`)).toEqual([]);
    expect(warned(`${spaces(90)}${"abcdefghij"}`)).toEqual([]);
    expect(warned(spaces(100))).toEqual([]);
    expect(warned(spaces(102))).toEqual(["excessive_whitespace"]);
  });

  it("[SAFE-035] warns of more than 20 equal characters in a text of 50 or more", () => {
    const warned = (text: string) => validateText(text).warnings.length > 0;
    const ordinary = "the quick brown fox jumps over the lazy dog";
    expect(warned(`${ordinary}${"a".repeat(21)}`)).toBe(true);
    expect(warned(`${ordinary}.${"a".repeat(20)}`)).toBe(false);
    expect(warned("a".repeat(49))).toBe(false);
    expect(warned("a".repeat(50))).toBe(true);
    for (const character of ["😀", "e\u0301", "👩‍👩‍👧‍👦", "नि"]) {
      expect(warned(`${ordinary}${character.repeat(21)}`), character).toBe(true);
      expect(warned(`${ordinary}${character.repeat(20)}.`), character).toBe(false);
    }
    expect(warned(`${ordinary}a${"\u0301".repeat(60)}`)).toBe(false);
    expect(warned(`${ordinary} é ${"ab".repeat(40)}`)).toBe(false);
    expect(warned(`é${ordinary}${"x".repeat(15)}y${"x".repeat(15)}`)).toBe(false);
  });

  it("[SAFE-036] reports field paths of parameters, and accepts empty strings", () => {
    const { errors, warnings } = validateParameters(
      {
        metadata: { tags: ["good", "evil"] },
        "odd key": { "x\0": 1 },
        note: "",
        count: 3,
        on: null,
        long: "z".repeat(60),
      },
      { forbidden: ["evil"] },
    );
    expect(errors.map(({ code, field }) => [code, field])).toEqual([
      ["ForbiddenContent", "metadata.tags[1]"],
      ["InvalidEncoding", '["odd key"]["x\\u0000"]'],
    ]);
    expect(warnings.map(({ field }) => field)).toEqual(["long"]);
    expect(warnings[0]?.message).toBe("long has excessive repetition of one character");
    expect(validateParameters({ evil: 1 }, { forbidden: ["evil"] }).valid).toBe(false);
    expect(validateParameters("plain").valid).toBe(true);
  });

  it("[SAFE-035] counts characters as a reader does, so that an accent adds nothing to the length", () => {
    const repetitions = (text: string) => validateText(text).warnings.map(({ rule }) => rule);
    expect(repetitions("e\u0301".repeat(49))).toEqual([]);
    expect(repetitions("e\u0301".repeat(50))).toEqual(["character_repetition"]);
    expect(repetitions("é".repeat(49))).toEqual([]);
    expect(repetitions("é".repeat(50))).toEqual(["character_repetition"]);
  });

  it("[SAFE-036] rejects parameters nested deeper than 32 levels", () => {
    expect(validateParameters(nested(32)).valid).toBe(true);
    expect(validateParameters(nested(33)).errors.map(({ code }) => code)).toEqual([
      "SuspiciousPattern",
    ]);
    expect(validateParameters(nested(100_000)).valid).toBe(false);
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    expect(validateParameters(circular).valid).toBe(false);
  });
});
