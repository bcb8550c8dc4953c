import fc from "fast-check";
import { expect, it } from "vitest";
import { unitsOf } from "../../src/text/units.js";

it("[SAFE-895] has the code units of any text, also of half characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.boolean(), (text, isCut) => {
      const whole = isCut ? text.slice(1, -1) : text;
      expect([...unitsOf(whole)]).toEqual(
        Array.from(whole.split(""), (unit) => unit.charCodeAt(0)),
      );
    }),
  );
  expect([...unitsOf("é\ud83d\u0000")]).toEqual([0xe9, 0xd83d, 0]);
  expect([...unitsOf("\xff\x80a")]).toEqual([0xff, 0x80, 0x61]);
});
