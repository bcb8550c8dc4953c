import type { Range } from "../text/range.js";

/**
 * Looks at one place of a text and gives the range that matches there.
 * The range need not begin at the place: an anchor may stand in the middle of what it betrays.
 */
export type Matcher = (text: string, at: number) => Range | undefined;

/** Finds a rule by fixed beginnings, which one search looks for on behalf of all rules. */
export interface AnchoredDetector {
  readonly by: "anchor";
  /** Beginnings of a match: literal characters and character classes (see `parseAnchor`). */
  readonly anchors: readonly string[];
  readonly ignoreCase: boolean;
  /**
   * True when every match holds a run of at least {@link LONG_WORD} letters, digits, `_` and `-`, at most
   * {@link WORD_REACH} units behind the anchor. The anchors are then searched near such runs alone,
   * which are rare, so that their number hardly costs time.
   */
  readonly longWord?: true;
  /** Gives the matcher of one pass over one text; it may remember what it has seen. */
  open(): Matcher;
}

/** Least length of the run that contains an anchor with `longWord` or closely follows it, in UTF-16 code units. */
export const LONG_WORD = 15;
/** Greatest distance from such an anchor to the beginning of its run. */
export const WORD_REACH = 20;

/** The characters that a long unbroken run may consist of. */
export type RunKind = "hex" | "base64" | "token" | "visible";

/** Finds a rule in long unbroken runs of one kind of character. */
export interface RunDetector {
  readonly by: "run";
  readonly kind: RunKind;
  /** Least length of a run that is looked at, in UTF-16 code units. */
  readonly least: number;
  /** Gives what matches in a whole run. */
  match(text: string, run: Range): Range | undefined;
}

/** Goes through the whole text by itself. */
export interface SearchDetector {
  readonly by: "search";
  search(text: string): Iterable<Range>;
}

export type Detector = AnchoredDetector | RunDetector | SearchDetector;

/**
 * A matcher of a sticky regular expression that begins at the anchor.
 * @param pattern - with the flag y
 */
export function matchHere(pattern: RegExp): Matcher {
  return (text, at) => {
    pattern.lastIndex = at;
    return pattern.test(text) ? [at, pattern.lastIndex] : undefined;
  };
}

/**
 * A matcher that finds a value by the label in front of it; its range is the value alone.
 * @param label - with the flag y
 * @param value - with the flag y
 */
export function matchBehind(label: RegExp, value: RegExp): Matcher {
  const labelHere = matchHere(label);
  const valueHere = matchHere(value);
  return (text, at) => {
    const found = labelHere(text, at);
    return found === undefined ? undefined : valueHere(text, found[1]);
  };
}

/**
 * A detector for a regular expression behind anchors.
 * @param anchors - beginnings of a match
 * @param pattern - with the flag y, and i if case does not matter
 */
export function anchored(anchors: readonly string[], pattern: RegExp): AnchoredDetector {
  return anchoredMatcher(anchors, pattern.ignoreCase, matchHere(pattern));
}

/**
 * A detector for tokens with a long word in them, of which many can be looked for at once.
 * @param anchors - beginnings of a match, in exact case
 * @param pattern - with the flag y
 */
export function anchoredWord(anchors: readonly string[], pattern: RegExp): AnchoredDetector {
  return { ...anchored(anchors, pattern), ignoreCase: false, longWord: true };
}

/**
 * A detector for a matcher that remembers nothing.
 * @param anchors - what betrays a match
 * @param ignoreCase - whether the case of the anchors matters
 * @param matcher - looks at the place of an anchor
 */
export function anchoredMatcher(
  anchors: readonly string[],
  ignoreCase: boolean,
  matcher: Matcher,
): AnchoredDetector {
  return { by: "anchor", anchors, ignoreCase, open: () => matcher };
}
