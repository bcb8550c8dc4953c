import { describe, expect, it } from "vitest";
import { NAMED_FORMS, TOKEN_FORMS } from "../../../../src/generated/secret-forms.js";
import {
  compileForm,
  valueSample,
  valueSource,
} from "../../../../src/rules/built-in/tokens/notation.js";

describe("notation of the forms of secrets", () => {
  it("compiles a prefix and a number of characters, which end their word", () => {
    const form = compileForm("pul-{h8}");
    const pattern = new RegExp(form.source);
    expect(form.anchors).toEqual(["pul\\-"]);
    expect(form.sample).toBe("pul-01234567");
    expect(pattern.test("key pul-0123abcd.")).toBe(true);
    expect(pattern.test("pul-0123abcde")).toBe(false);
    expect(pattern.test("xpul-0123abcd")).toBe(false);
  });

  it("searches every alternative of a prefix", () => {
    expect(compileForm("gl(pat|dt|)-{w20+}").anchors).toEqual([
      "glpat\\-",
      "gldt\\-",
      "gl\\-[0-9A-Za-z_-]",
    ]);
  });

  it("adds classes to a prefix that is too short to search for", () => {
    expect(compileForm("SK{h32}").anchors).toEqual(["SK[0-9a-f][0-9a-f]"]);
  });

  it("reads the part before the mark backwards", () => {
    const { before, source, anchors } = compileForm("{A14}^.atlasv1.{w60+}");
    expect(anchors).toEqual(["\\.atlasv1\\."]);
    expect(before).toContain("[0-9A-Za-z]{14}");
    expect(source).toContain("atlasv1");
  });

  it("has a sample for every form of the table that the form matches", () => {
    for (const [id, , , forms] of TOKEN_FORMS) {
      for (const form of forms) {
        const { before, source, sample } = compileForm(form);
        expect(new RegExp(`${before}${source}`).test(sample), `${id}: ${form}`).toBe(true);
      }
    }
    for (const [, forms] of NAMED_FORMS) {
      for (const form of forms) {
        expect(new RegExp(`^${valueSource(form)}$`).test(valueSample(form)), form).toBe(true);
      }
    }
  });
});
