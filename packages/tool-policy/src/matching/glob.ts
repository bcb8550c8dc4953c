/** A compiled pattern: `*` stands for any run of characters, `?` for exactly one. */
export interface Glob {
  /** The literal text ahead of the first wildcard. */
  readonly prefix: string;
  /** The literal text after the last wildcard. */
  readonly suffix: string;
  /** True when the pattern contains anything but wildcards. */
  readonly hasLiteral: boolean;
  /** @param characters - the value split by `charactersOf` */
  matches(characters: readonly string[]): boolean;
}

/** Splits a string so that `?` counts a character outside the basic plane as one. */
export function charactersOf(text: string): readonly string[] {
  return [...text];
}

function segmentMatches(
  segment: readonly string[],
  characters: readonly string[],
  at: number,
): boolean {
  return segment.every(
    (expected, offset) => expected === "?" || expected === characters[at + offset],
  );
}

/**
 * Compiles a pattern. Each run between two stars is taken at its leftmost place and never moved
 * again, so a match needs no backtracking (POL-016).
 * @param pattern - compared as it is; fold its case before
 */
export function compileGlob(pattern: string): Glob {
  const prefix = pattern.replace(/[*?].*$/s, "");
  const suffix = pattern.replace(/^.*[*?]/s, "");
  const hasLiteral = /[^*?]/.test(pattern);
  const star = pattern.indexOf("*");
  if (star < 0) {
    const whole = charactersOf(pattern);
    const matches = (characters: readonly string[]) =>
      characters.length === whole.length && segmentMatches(whole, characters, 0);
    return { prefix, suffix, hasLiteral, matches };
  }
  const lastStar = pattern.lastIndexOf("*");
  const head = charactersOf(pattern.slice(0, star));
  const tail = charactersOf(pattern.slice(lastStar + 1));
  const inner = pattern
    .slice(star, lastStar)
    .split("*")
    .filter((segment) => segment !== "")
    .map(charactersOf);
  const matches = (characters: readonly string[]) => {
    const end = characters.length - tail.length;
    if (head.length > end) return false;
    if (!segmentMatches(head, characters, 0)) return false;
    if (!segmentMatches(tail, characters, end)) return false;
    let at = head.length;
    for (const segment of inner) {
      while (at + segment.length <= end && !segmentMatches(segment, characters, at)) at += 1;
      if (at + segment.length > end) return false;
      at += segment.length;
    }
    return true;
  };
  return { prefix, suffix, hasLiteral, matches };
}

/**
 * Folds case for comparing free text. The two letters outside ASCII that would fold into an ASCII
 * letter keep their form: a look-alike must not pass for a listed name.
 */
export function foldCase(text: string): string {
  return text.replace(/[^\u0130\u212A]+/g, (run) => run.toLowerCase());
}

/**
 * Returns whether a value matches a pattern of `*` (any run, also empty) and `?` (one character),
 * without regard to case (SAFE-053).
 * @param pattern - no other character is special
 */
export function matchesGlob(pattern: string, value: string): boolean {
  return compileGlob(foldCase(pattern)).matches(charactersOf(foldCase(value)));
}
