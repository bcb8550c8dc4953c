import { groupBy } from "./groups.js";

/** One position of an anchor: the source of its expression and the characters that match it. */
interface Atom {
  readonly source: string;
  readonly characters: readonly string[];
}

/** Beginning of a match, as the prefilter needs it. */
export interface Anchor {
  /** Source of a regular expression that matches exactly the anchor. */
  readonly source: string;
  /** Character class at the end of the source; empty when it ends with another expression. */
  readonly tail: string;
  /** Number of UTF-16 code units that it matches. */
  readonly length: number;
  /** First characters of its matches, in the spelling of `anchorKey`. */
  readonly first: readonly string[];
  /** Characters that can be at each position, as written. */
  readonly characters: readonly (readonly string[])[];
}

const ATOM = /\\(?<escaped>.)|\[(?<members>(?:\\.|[^\]\\])+)\]|(?<literal>[^[\]\\])/gs;
const MEMBER = /(?:\\(.)|([^\\]))(?:-(?:\\(.)|([^\\])))?/gs;
const SPECIAL = /[\\^$.*+?()[\]{}|/-]/g;

/**
 * Parses an anchor: literal characters, escaped characters, and classes such as `[a-f0-9]`.
 * @param anchor - at least one position
 * @param ignoreCase - true to ignore case
 */
export function parseAnchor(anchor: string, ignoreCase: boolean): Anchor {
  const atoms = atomsOf(anchor);
  const first = atoms.slice(0, 1).flatMap(({ characters }) => characters);
  return {
    source: atoms.map(({ source }) => source).join(""),
    tail: /^\[/.test(`${atoms.at(-1)?.source}`) ? `${atoms.at(-1)?.source}` : "",
    length: atoms.length,
    first: [...new Set(first.map((character) => anchorKey(character, ignoreCase)))],
    characters: atoms.map(({ characters }) => characters),
  };
}

/** Returns one spelling for all characters that match each other. */
export function anchorKey(character: string, ignoreCase: boolean): string {
  return ignoreCase ? character.toUpperCase() : character;
}

/** Returns every literal that matches an anchor. */
export function anchorLiterals(anchor: string): string[] {
  return atomsOf(anchor).reduce<string[]>(
    (literals, { characters }) =>
      literals.flatMap((literal) => characters.map((character) => literal + character)),
    [""],
  );
}

/** Returns the source of an expression for any of several anchors; those with a common end are joined, which is faster. */
export function alternation(anchors: readonly Anchor[]): string {
  const byTail = groupBy(anchors, ({ tail }) => tail);
  return [...byTail]
    .map(([tail, group]) => {
      const heads = new Set(
        group.map(({ source }) => source.slice(0, source.length - tail.length)),
      );
      return tail === "" ? [...heads].join("|") : `(?:${[...heads].join("|")})${tail}`;
    })
    .join("|");
}

function atomsOf(anchor: string): Atom[] {
  return [...anchor.matchAll(ATOM)].map(([, escaped, members, literal]) => {
    if (members !== undefined) return { source: `[${members}]`, characters: membersOf(members) };
    const character = `${escaped ?? literal}`;
    return { source: character.replace(SPECIAL, "\\$&"), characters: [character] };
  });
}

function membersOf(members: string): string[] {
  return [...members.matchAll(MEMBER)].flatMap(([, escaped, plain, escapedLast, plainLast]) => {
    const first = `${escaped ?? plain}`;
    const last = escapedLast ?? plainLast ?? first;
    const from = first.charCodeAt(0);
    return Array.from({ length: last.charCodeAt(0) - from + 1 }, (_, index) =>
      String.fromCharCode(from + index),
    );
  });
}
