import { generatedCases, generatedTimeout } from "@openclaw/foundation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePolicy, type DecidedBy } from "../../src/index.js";
import { oracle } from "../support/oracle.js";
import { anyContext, anyGroups, anyLayers, anyTool, GROUPS } from "../support/vocabulary.js";

const TOOLS_PER_POLICY = 25;
/** Contexts of each tool: its later decisions use what the first has found out. */
const CONTEXTS_PER_TOOL = 8;
const QUESTIONS_PER_POLICY = TOOLS_PER_POLICY * CONTEXTS_PER_TOOL;
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

const exactly = (count: number) => ({ minLength: count, maxLength: count });
const anyQuestions = fc.array(
  fc.tuple(anyTool, fc.array(anyContext, exactly(CONTEXTS_PER_TOOL))),
  exactly(TOOLS_PER_POLICY),
);

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
          for (const [tool, contexts] of questions) {
            const answer = oracle({ layers, groups: plain, fallback }, tool);
            for (const context of contexts) {
              const { allowed, decidedBy } = policy.decide(tool, context);
              const expected = answer(context);
              const agrees =
                inWords(decidedBy) === expected && allowed === (decidedBy.verdict === "allow");
              // An assertion per case would cost more than the case.
              if (!agrees)
                expect({ allowed, decidedBy }, JSON.stringify([tool, context])).toBe(expected);
            }
          }
        },
      ),
      { numRuns: Math.ceil(cases / QUESTIONS_PER_POLICY), ...seed },
    );
  });
});
