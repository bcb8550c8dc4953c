import type { Range } from "../text/range.js";

/**
 * Returns the range that matches at a position of a text. The range need not begin there, because
 * an anchor can be in the middle of a match.
 */
export type Matcher = (text: string, at: number) => Range | undefined;

/** Detector for rules with fixed beginnings, which one search finds for all rules. */
export interface AnchoredDetector {
  readonly by: "anchor";
  /** Beginnings of a match: literal characters and character classes (see `parseAnchor`). */
  readonly anchors: readonly string[];
  readonly ignoreCase: boolean;
  /**
   * True when every match contains a run of at least {@link LONG_WORD} letters, digits, `_` and
   * `-`, at most {@link WORD_REACH} units after the anchor. The anchors are then searched only near
   * such runs, which are rare, so that additional anchors cost almost no time.
   */
  readonly longWord?: true;
  /**
   * Sticky expression that every match satisfies at its anchor; detectors with equal anchors share
   * it, and it is tested once for all of them.
   */
  readonly opening?: RegExp;
  /** Returns the matcher for one pass over one text; it may keep state. */
  open(): Matcher;
}

/**
 * Minimum length of the run that contains or closely follows an anchor with `longWord`, in UTF-16
 * code units.
 */
export const LONG_WORD = 15;
/** Maximum distance from such an anchor to the beginning of its run. */
export const WORD_REACH = 32;

/** Characters of a long unbroken run. */
export type RunKind = "hex" | "base64" | "token" | "pairs" | "textBytes" | "visible";

/** Detector for rules about long unbroken runs of one kind of character. */
export interface RunDetector {
  readonly by: "run";
  readonly kind: RunKind;
  /** Minimum length of a run, in UTF-16 code units. */
  readonly least: number;
  /** Returns the match in a complete run. */
  match(text: string, run: Range): Range | undefined;
}

/** Detector that searches the complete text itself. */
export interface SearchDetector {
  readonly by: "search";
  search(text: string): Iterable<Range>;
}

export type Detector = AnchoredDetector | RunDetector | SearchDetector;

/**
 * Returns a matcher of a sticky regular expression that begins at the anchor.
 * @param pattern - regular expression with the flag y
 */
export function matchHere(pattern: RegExp): Matcher {
  return (text, at) => {
    pattern.lastIndex = at;
    return pattern.test(text) ? [at, pattern.lastIndex] : undefined;
  };
}

/**
 * Returns a matcher that finds a value by the label before it; its range is the value alone.
 * @param label - regular expression with the flag y
 * @param value - regular expression with the flag y
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
 * Returns a detector for a regular expression that begins with an anchor.
 * @param anchors - beginnings of a match
 * @param pattern - regular expression with the flag y, and i to ignore case
 */
export function anchored(anchors: readonly string[], pattern: RegExp): AnchoredDetector {
  return anchoredMatcher(anchors, pattern.ignoreCase, matchHere(pattern));
}

/**
 * Returns a detector for tokens that contain a long word, of which many can be searched at once.
 * @param anchors - beginnings of a match, in exact case
 * @param pattern - regular expression with the flag y
 */
export function anchoredWord(anchors: readonly string[], pattern: RegExp): AnchoredDetector {
  return { ...anchored(anchors, pattern), ignoreCase: false, longWord: true };
}

/**
 * Returns a detector for a matcher without state.
 * @param anchors - strings that indicate a match
 * @param ignoreCase - true to ignore the case of the anchors
 * @param matcher - checks the position of an anchor
 */
export function anchoredMatcher(
  anchors: readonly string[],
  ignoreCase: boolean,
  matcher: Matcher,
): AnchoredDetector {
  return { by: "anchor", anchors, ignoreCase, open: () => matcher };
}
