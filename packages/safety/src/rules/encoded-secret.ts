import type { Range } from "../text/range.js";
import { anchorLiterals } from "./anchor.js";
import { forEachRun } from "./long-run.js";
import type { LeakRule } from "./rule.js";

/** Base64 length of the shortest key, an AWS key ID of twenty characters. */
const LEAST_RUN = 26;
const LEAST_FRAGMENT = 3;
/** Maximum number of literals of an anchor; one that stands for more is not specific enough. */
const MOST_LITERALS = 8;
const GROUP = 4;
/**
 * Leading characters that also depend on the preceding bytes, by position within a group of three
 * bytes.
 */
const UNCERTAIN = [0, 2, 3] as const;

/**
 * Calls back for each base64 run that may contain the beginning of a secret, with every text that
 * it may decode to.
 */
export type EncodedSecrets = (text: string, visit: (run: Range, decoded: string) => void) => void;

/**
 * Finds base64 runs in which one of the rules may match, without decoding the others.
 * @param rules - leak rules; only those with specific and long anchors are searched for
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

/** Returns the base64 of a literal at each of the three positions in a group of bytes. */
function fragmentsOf(literal: string): string[] {
  return UNCERTAIN.map((uncertain, place) => {
    const bytes = Buffer.from("\0".repeat(place) + literal, "latin1");
    return bytes.toString("base64").slice(uncertain, Math.floor((bytes.length * 8) / 6));
  }).filter((fragment) => fragment.length >= LEAST_FRAGMENT);
}
