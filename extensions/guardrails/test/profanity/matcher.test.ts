import { describe, expect, it } from "vitest";
import { masked } from "../../src/profanity/guard.js";
import { ProfanityMatcher } from "../../src/profanity/matcher.js";
import { labelledCases, qualityOf } from "../support/labelled-cases.js";

interface ProfanityCase {
  readonly id: string;
  readonly profane: boolean;
  readonly text: string;
  readonly words?: readonly string[];
}

const cases = labelledCases<ProfanityCase>("profanity");
const matcher = new ProfanityMatcher();

describe("profanity", () => {
  it("prints", () => {
    const q = qualityOf(
      cases,
      ({ profane }) => profane,
      ({ text }) => matcher.find(text).length > 0,
    );
    console.log(q);
    for (const c of cases) {
      const f = matcher.find(c.text);
      const m = masked(c.text, f);
      if (c.profane !== f.length > 0 || (c.words ?? []).some((w) => m.includes(w)))
        console.log(c.id, JSON.stringify(c.text), JSON.stringify(m));
    }
    expect(q.precision).toBeGreaterThan(0);
  });
});
