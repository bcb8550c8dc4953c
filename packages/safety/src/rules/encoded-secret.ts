import { elementAt } from "../text/checked-index.js";
import type { Range } from "../text/range.js";
import { unitsOf } from "../text/units.js";
import { anchorLiterals } from "./anchor.js";
import type { SearchedText } from "./anchor-search.js";
import { visitBrokenWords } from "./broken-word.js";
import { type VisitContent, visitDigitPairs } from "./digit-pairs.js";
import { LiteralSearch } from "./literal-search.js";
import { forEachRun } from "./long-run.js";
import type { LeakRule } from "./rule.js";
import { forEachEncodedRun } from "./wrapped-run.js";

/** Base64 length of the shortest key, an AWS key ID of twenty characters. */
const LEAST_RUN = 26;
const LEAST_FRAGMENT = 3;
/** Maximum number of literals of an anchor; one that stands for more is not specific enough. */
const MOST_LITERALS = 8;
/** Minimum length of a literal. */
const LEAST_LITERAL = 3;
const GROUP = 4;
/** Maximum number of times that base64 is decoded. */
const DEEPEST = 3;
/** Base64 length of the shortest key that was encoded twice. */
const LEAST_TWICE = 36;
/** Six bits of each digit of base64, and the bytes of a text that is base64 again. */
const BITS = new Uint8Array(0x80);
const AGAIN = new Uint8Array(0x1_00);
for (const [bits, digit] of [
  ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
].entries()) {
  BITS[digit.charCodeAt(0)] = bits;
  AGAIN[digit.charCodeAt(0)] = 1;
}
for (const lineBreak of "\r\n") AGAIN[lineBreak.charCodeAt(0)] = 1;
/** Hexadecimal digits of the shortest key. */
const LEAST_DIGITS = 40;
/** Digits of printable ASCII characters only, which those of checksums almost never are. */
const PRINTABLE = /^(?:[2-7][0-9A-Fa-f]|0[AaDd9])+[0-9A-Fa-f]?$/;
/**
 * Leading characters that also depend on the preceding bytes, by position within a group of three
 * bytes.
 */
const UNCERTAIN = [0, 2, 3] as const;

/**
 * Calls back for each run of base64 or hexadecimal digits, and each word split over lines, that may
 * contain the beginning of a secret, with every text that it may stand for.
 */
export type EncodedSecrets = (text: string, visit: VisitContent) => void;

type VisitRun = (run: Range, decoded: string) => void;

/**
 * Finds runs in which one of the rules may match, without decoding the others; base64 may have been
 * encoded repeatedly.
 * @param rules - leak rules; only those with specific and long anchors are searched for
 */
export function encodedSecrets(rules: readonly LeakRule[]): EncodedSecrets {
  const literals = rules.flatMap(({ detector }) =>
    detector.by === "anchor" && !detector.ignoreCase ? detector.anchors.flatMap(literalsOf) : [],
  );
  const fragments = [...new Set(literals.flatMap(fragmentsOf))];
  if (fragments.length === 0) return () => {};
  const hint = new LiteralSearch(fragments);
  const visitBase64 = (searched: SearchedText, visit: VisitRun, depth: number): void => {
    forEachEncodedRun(searched, ({ range: run, encoded }) => {
      if (depth === 1 && encoded.length === run[1] - run[0]) visitDigits(run, encoded, visit);
      const isHinted = hint.isIn(encoded);
      const isDeeper = depth < DEEPEST && isEncodedTwice(encoded);
      if (!isHinted && !isDeeper) return;
      for (let shift = 0; shift < GROUP; shift += 1) {
        const decoded = Buffer.from(encoded.slice(shift), "base64").toString("latin1");
        if (isHinted) visit(run, decoded);
        if (isDeeper)
          visitBase64(searchedText(decoded), (_, inner) => visit(run, inner), depth + 1);
      }
    });
  };
  const beginning = new LiteralSearch(literals);
  return (text, visit) => {
    const searched = searchedText(text);
    visitBase64(searched, (run, decoded) => visit(decoded, () => run), 1);
    visitDigitPairs(searched, visit);
    visitBrokenWords(searched, beginning, visit);
  };
}

function searchedText(text: string): SearchedText {
  return { text, units: unitsOf(text) };
}

/** Reads the runs of hexadecimal digits within a run of base64, of which they are part. */
function visitDigits([start, end]: Range, encoded: string, visit: VisitRun): void {
  if (end - start < LEAST_DIGITS) return;
  forEachRun(unitsOf(encoded), "hex", LEAST_DIGITS, (run) => {
    const digits = encoded.slice(...run);
    for (const pairs of [digits, digits.slice(1)]) {
      if (!PRINTABLE.test(pairs)) continue;
      visit([start + run[0], start + run[1]], Buffer.from(pairs, "hex").toString("latin1"));
    }
  });
}

/** Returns true when what base64 decodes to begins with further base64, or has it in its middle. */
function isEncodedTwice(encoded: string): boolean {
  if (encoded.length < LEAST_TWICE) return false;
  const middle = (encoded.length - LEAST_RUN) >> 1;
  return [0, middle, middle + 1, middle + 2, middle + 3].some((from) => isBase64(encoded, from));
}

/** Returns whether the digits from an offset decode to base64; the first byte nearly always decides. */
function isBase64(encoded: string, from: number): boolean {
  let bits = 0;
  for (let digit = 0; digit < LEAST_RUN; digit += 1) {
    bits = ((bits << 6) | (BITS[encoded.charCodeAt(from + digit)] ?? 0)) & 0x3f_ff;
    // Each digit but the first of four completes a byte.
    const unused = 6 - 2 * (digit % GROUP);
    if (unused < 6 && AGAIN[(bits >> unused) & 0xff] !== 1) return false;
  }
  return true;
}

/** Returns the literals of the longest beginning of an anchor that has only a few. */
function literalsOf(anchor: string): string[] {
  let literals = anchorLiterals(anchor);
  while (literals.length > MOST_LITERALS) {
    const length = elementAt(literals, 0).length - 1;
    literals = [...new Set(literals.map((literal) => literal.slice(0, length)))];
  }
  return literals.filter(({ length }) => length >= LEAST_LITERAL);
}

/** Returns the base64 of a literal at each of the three positions in a group of bytes. */
function fragmentsOf(literal: string): string[] {
  return UNCERTAIN.map((uncertain, place) => {
    const bytes = Buffer.from("\0".repeat(place) + literal, "latin1");
    return bytes.toString("base64").slice(uncertain, Math.floor((bytes.length * 8) / 6));
  }).filter((fragment) => fragment.length >= LEAST_FRAGMENT);
}
