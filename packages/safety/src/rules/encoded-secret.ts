import type { Range } from "../text/range.js";
import { anchorLiterals } from "./anchor.js";
import { forEachRun } from "./long-run.js";
import type { LeakRule } from "./rule.js";

/** Base64 of the shortest key, an AWS key id of twenty characters. */
const LEAST_RUN = 26;
const LEAST_FRAGMENT = 3;
/** An anchor that stands for more literals says too little about what follows. */
const MOST_LITERALS = 8;
const GROUP = 4;
/** Characters at the front that also depend on what stands before, by place within a group of three bytes. */
const UNCERTAIN = [0, 2, 3] as const;

/** Base64 runs that hold the beginning of a secret, with every text they may decode to. */
export type EncodedSecrets = (text: string, visit: (run: Range, decoded: string) => void) => void;

/**
 * Finds base64 runs in which one of the rules may match, without decoding the others.
 * @param rules - those whose anchors are definite and long enough are looked for
 */
export function encodedSecrets(rules: readonly LeakRule[]): EncodedSecrets {
  const literals = rules.flatMap(({ detector }) =>
    detector.by === "anchor" && !detector.ignoreCase ? detector.anchors.flatMap(literalsOf) : [],
  );
  const fragments = [...new Set(literals.flatMap(fragmentsOf))];
  if (fragments.length === 0) return () => {};
  const hint = new RegExp(fragments.map((fragment) => fragment.replaceAll("+", "\\+")).join("|"));
  return (text, visit) => {
    forEachRun(text, "base64", LEAST_RUN, ([start, end]) => {
      const run = text.slice(start, end);
      if (!hint.test(run)) return;
      for (let shift = 0; shift < GROUP; shift += 1) {
        visit([start, end], Buffer.from(run.slice(shift), "base64").toString("latin1"));
      }
    });
  };
}

function literalsOf(anchor: string): string[] {
  const literals = anchorLiterals(anchor);
  return literals.length > MOST_LITERALS ? [] : literals;
}

/** What base64 makes of a literal at each of the three places it can have in a group of bytes. */
function fragmentsOf(literal: string): string[] {
  return UNCERTAIN.map((uncertain, place) => {
    const bytes = Buffer.from("\0".repeat(place) + literal, "latin1");
    return bytes.toString("base64").slice(uncertain, Math.floor((bytes.length * 8) / 6));
  }).filter((fragment) => fragment.length >= LEAST_FRAGMENT);
}
