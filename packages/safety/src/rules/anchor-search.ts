import { valueAt } from "../text/checked-index.js";
import type { Units } from "../text/units.js";
import { type Anchor, alternation, anchorKey } from "./anchor.js";
import { groupBy } from "./groups.js";

/** Anchor with the object that a search returns where it may begin. */
export interface SearchedAnchor<Entry> {
  readonly anchor: Anchor;
  readonly ignoreCase: boolean;
  readonly entry: Entry;
}

/** Text with its code units. */
export interface SearchedText {
  readonly text: string;
  readonly units: Units;
}

/**
 * Calls back for each position of a part of a text where an anchor may begin, from left to right,
 * with the entries of which one may begin there.
 */
export type AnchorSearch<Entry> = (
  searched: SearchedText,
  from: number,
  end: number,
  visit: (at: number, entries: readonly Entry[]) => void,
) => void;

/** Number of characters of an anchor by which it is searched. */
const WINDOW = 4;
const BY_PAIRS = "by pairs";
const PUNCTUATION = /[^A-Za-z0-9]/;
const BITS = 7;
const LOW = 2 ** BITS - 1;
const PAIRS = 2 ** (2 * BITS);
/** Number of sets of anchors; each is a bit of a number. */
const SETS = 31;

/**
 * Builds the searches that find all anchors together.
 * @param anchors - anchors of any length; those of one entry are together
 * @param leastByPairs - minimum length of an anchor that is searched by pairs of characters; the
 * shortest one decides how fast that is, and an expression finds a few short ones faster
 */
export function searchAnchors<Entry>(
  anchors: readonly SearchedAnchor<Entry>[],
  leastByPairs = WINDOW,
): AnchorSearch<Entry>[] {
  const groups = groupBy(anchors, ({ anchor, ignoreCase }) =>
    anchor.length < leastByPairs ? `${kindOf(anchor)}, ${ignoreCase}` : BY_PAIRS,
  );
  return [...groups].map(([kind, group]) =>
    kind === BY_PAIRS ? searchPairs(group) : searchExpression(group),
  );
}

/** An expression is searched faster when its alternatives begin with the same punctuation, or have equal lengths. */
function kindOf({ first, length }: Anchor): string {
  const beginning = first.join("");
  return PUNCTUATION.test(beginning) ? beginning : String(length);
}

/** Searches with an expression, whose hits are looked up by their first character. */
function searchExpression<Entry>(anchors: readonly SearchedAnchor<Entry>[]): AnchorSearch<Entry> {
  const ignoreCase = anchors.some((searched) => searched.ignoreCase);
  const entries = new Map<string, Entry[]>();
  for (const { anchor, entry } of anchors) {
    for (const key of anchor.first) {
      const known = entries.get(key) ?? [];
      if (!known.includes(entry)) known.push(entry);
      entries.set(key, known);
    }
  }
  const search = new RegExp(
    alternation(anchors.map(({ anchor }) => anchor)),
    ignoreCase ? "gi" : "g",
  );
  return ({ text }, from, end, visit) => {
    const part = text.slice(from, end);
    search.lastIndex = 0;
    for (let hit = search.exec(part); hit !== null; hit = search.exec(part)) {
      search.lastIndex = hit.index + 1;
      visit(from + hit.index, valueAt(entries, anchorKey(part.charAt(hit.index), ignoreCase)));
    }
  };
}

/**
 * Builds one search for many anchors, after Wu and Manber: it reads a pair of characters, and steps
 * over as many characters as no anchor can have behind that pair. It compares only the low bits of
 * characters, and anchors share sets, so what it finds has to be verified.
 */
function searchPairs<Entry>(anchors: readonly SearchedAnchor<Entry>[]): AnchorSearch<Entry> {
  const window = Math.min(WINDOW, ...anchors.map(({ anchor }) => anchor.length));
  const back = window - 1;
  const steps = new Uint8Array(PAIRS).fill(back);
  const firstPairs = new Int32Array(PAIRS);
  const lastPairs = new Int32Array(PAIRS);
  const sets: Entry[][] = [];
  const setOfEntry = new Map<Entry, number>();
  for (const { anchor, ignoreCase, entry } of anchors) {
    const set = setOfEntry.get(entry) ?? setOfEntry.size % SETS;
    if (!setOfEntry.has(entry)) sets[set] = [...(sets[set] ?? []), entry];
    setOfEntry.set(entry, set);
    const places = anchor.characters.slice(0, window).map((place) => lowBits(place, ignoreCase));
    for (let last = 1; last < window; last += 1) {
      for (const pair of pairsOf(places, last)) {
        steps[pair] = Math.min(steps[pair] ?? 0, back - last);
        if (last === 1) firstPairs[pair] = (firstPairs[pair] ?? 0) | (1 << set);
        if (last === back) lastPairs[pair] = (lastPairs[pair] ?? 0) | (1 << set);
      }
    }
  }
  return ({ units }, from, end, visit) => {
    let at = from + back;
    while (at < end) {
      const pair = (((units[at - 1] ?? 0) & LOW) << BITS) | ((units[at] ?? 0) & LOW);
      const step = steps[pair] ?? 0;
      if (step !== 0) {
        at += step;
        continue;
      }
      const start = at - back;
      at += 1;
      const first = (((units[start] ?? 0) & LOW) << BITS) | ((units[start + 1] ?? 0) & LOW);
      let found = (firstPairs[first] ?? 0) & (lastPairs[pair] ?? 0);
      while (found !== 0) {
        visit(start, sets[31 - Math.clz32(found & -found)] ?? []);
        found &= found - 1;
      }
    }
  };
}

/** Returns the low bits of the characters that can be at a position of an anchor. */
function lowBits(characters: readonly string[], ignoreCase: boolean): number[] {
  const spelled = ignoreCase ? characters.flatMap(spellings) : characters;
  return [...new Set(spelled.map((character) => character.charCodeAt(0) & LOW))];
}

/** The spellings of other letters than those of ASCII are not looked up; any low bits may be theirs. */
function spellings(character: string): string[] {
  if (character.charCodeAt(0) > LOW)
    return Array.from({ length: LOW + 1 }, (_, low) => String.fromCharCode(low));
  return [character.toLowerCase(), character.toUpperCase()];
}

function pairsOf(places: readonly (readonly number[])[], last: number): number[] {
  const [before = [], behind = []] = places.slice(last - 1, last + 1);
  return before.flatMap((first) => behind.map((second) => (first << BITS) | second));
}
