import { generatedCases, generatedTimeout } from "@openclaw/foundation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePolicy, type DecidedBy } from "../../src/index.js";
import { oracle } from "../support/oracle.js";
import { anyContext, anyGroups, anyLayers, anyTool, GROUPS } from "../support/vocabulary.js";

const QUESTIONS_PER_POLICY = 200;
const { numRuns: cases, ...seed } = generatedCases(100_000);

function inWords(decidedBy: DecidedBy): string {
  switch (decidedBy.kind) {
    case "layer":
      return [decidedBy.verdict, decidedBy.layer, decidedBy.rule ?? []].flat().join(" ");
    case "cap":
      return `deny ${decidedBy.cap}`;
    default:
      return `${decidedBy.verdict} ${decidedBy.kind}`;
  }
}

const anyQuestions = fc.array(fc.tuple(anyTool, anyContext), {
  minLength: QUESTIONS_PER_POLICY,
  maxLength: QUESTIONS_PER_POLICY,
});

describe("compiled policy", () => {
  it(`[POL-041] agrees with the oracle in ${cases} cases`, {
    timeout: generatedTimeout(120_000),
  }, () => {
    fc.assert(
      fc.property(
        anyLayers,
        anyGroups,
        fc.constantFrom("allow" as const, "deny" as const),
        anyQuestions,
        (layers, own, fallback, questions) => {
          const groups = Object.entries(own).map(([name, members]) => ({ name, members }));
          const plain = new Map([
            ...GROUPS,
            ...groups.map(({ name, members }) => [`group:${name}`, members] as const),
          ]);
          const policy = compilePolicy(layers, { groups, default: fallback });
          for (const [tool, context] of questions) {
            const { allowed, decidedBy } = policy.decide(tool, context);
            const expected = oracle({ layers, groups: plain, fallback }, tool, context);
            const agrees =
              inWords(decidedBy) === expected && allowed === (decidedBy.verdict === "allow");
            // An assertion per case would cost more than the case.
            if (!agrees)
              expect({ allowed, decidedBy }, JSON.stringify([tool, context])).toBe(expected);
          }
        },
      ),
      { numRuns: Math.ceil(cases / QUESTIONS_PER_POLICY), ...seed },
    );
  });
});
