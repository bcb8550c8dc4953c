import { type ExpansionBudget, type ExpansionFiles, NotExpandable } from "./expanded-command.js";

/** Part of a word: literal text, or text whose pattern characters count. */
export interface Piece {
  readonly text: string;
  readonly isPattern: boolean;
}

/** Maximum number of paths of one pattern. */
const MOST_PATHS = 1000;
const PATTERN_CHARACTER = /[*?[]/;

/** Returns whether a word has a pattern. */
export function hasPattern(parts: readonly Piece[]): boolean {
  return parts.some(({ text, isPattern }) => isPattern && PATTERN_CHARACTER.test(text));
}

/** Token of a pattern: any text, or one character. */
type Token = "any" | ((character: string) => boolean);

/** Tests a text against a pattern. */
export type Pattern = (text: string) => boolean;

/**
 * Returns a test for a pattern of the shell, whose time grows with the product of both lengths.
 * @param parts - parts of the pattern
 */
export function patternOf(parts: readonly Piece[]): Pattern {
  const tokens = parts.flatMap(({ text, isPattern }) =>
    isPattern ? tokensOf(text) : [...text].map(isCharacter),
  );
  return (text) => matches(tokens, [...text]);
}

function isCharacter(character: string): Token {
  return (other) => other === character;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const characters = [...text];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? "";
    if (character === "*") tokens.push("any");
    else if (character === "?") tokens.push(() => true);
    else if (character === "\\" && at + 1 < characters.length) {
      at += 1;
      tokens.push(isCharacter(characters[at] ?? ""));
    } else {
      const end = character === "[" ? characters.indexOf("]", at + 2) : -1;
      if (end === -1) tokens.push(isCharacter(character));
      else {
        tokens.push(setOf(characters.slice(at + 1, end)));
        at = end;
      }
    }
  }
  return tokens;
}

/** Returns the test of a bracket expression of characters and ranges. */
function setOf(given: readonly string[]): Token {
  const isNegated = given[0] === "!" || given[0] === "^";
  const set = isNegated ? given.slice(1) : given;
  if (set.length === 0 || set.includes("[")) throw new NotExpandable("a class of characters");
  const ranges: (readonly [string, string])[] = [];
  for (let at = 0; at < set.length; at += 1) {
    const first = set[at] ?? "";
    const last = set[at + 1] === "-" ? set[at + 2] : undefined;
    ranges.push([first, last ?? first]);
    if (last !== undefined) at += 2;
  }
  return (character) =>
    ranges.some(([first, last]) => character >= first && character <= last) !== isNegated;
}

/** Returns to the last "any" after a difference, which then takes one character more. */
function matches(tokens: readonly Token[], text: readonly string[]): boolean {
  let token = 0;
  let at = 0;
  let star: number | undefined;
  let restart = 0;
  while (at < text.length) {
    const test = tokens[token];
    if (test === "any") {
      star = token;
      restart = at;
      token += 1;
    } else if (test?.(text[at] ?? "") === true) {
      token += 1;
      at += 1;
    } else if (star !== undefined) {
      restart += 1;
      at = restart;
      token = star + 1;
    } else return false;
  }
  return tokens.slice(token).every((rest) => rest === "any");
}

/** Returns the parts of each name of a path. */
function segmentsOf(parts: readonly Piece[]): Piece[][] {
  const segments: Piece[][] = [[]];
  for (const { text, isPattern } of parts) {
    for (const [index, part] of text.split("/").entries()) {
      if (index > 0) segments.push([]);
      if (part !== "") segments.at(-1)?.push({ text: part, isPattern });
    }
  }
  return segments;
}

/** Returns the text of a word in which no pattern counts. */
export function plainText(parts: readonly Piece[]): string {
  return parts.map(({ text }) => text).join("");
}

/**
 * Returns the sorted paths that a pattern means; the pattern itself when there are none, as in Bash.
 * @param parts - word with a pattern
 * @param folder - folder that relative paths start from
 * @param files - files of the workspace
 * @param budget - remaining work
 */
export async function pathsOf(
  parts: readonly Piece[],
  folder: string,
  files: ExpansionFiles,
  budget: ExpansionBudget,
): Promise<string[]> {
  const segments = segmentsOf(parts);
  const isAbsolute = plainText(parts).startsWith("/");
  let found = [isAbsolute ? "/" : ""];
  for (const [index, segment] of (isAbsolute ? segments.slice(1) : segments).entries()) {
    const isLast = index === segments.length - (isAbsolute ? 2 : 1);
    const next: string[] = [];
    for (const base of found) {
      next.push(...(await matching(segment, base, isLast, { folder, files, budget })));
    }
    if (next.length > MOST_PATHS) throw new NotExpandable("too many paths");
    found = next;
  }
  return found.length === 0 ? [plainText(parts)] : found.sort(byCharacters);
}

interface Search {
  readonly folder: string;
  readonly files: ExpansionFiles;
  readonly budget: ExpansionBudget;
}

async function matching(
  segment: readonly Piece[],
  base: string,
  isLast: boolean,
  { folder, files, budget }: Search,
): Promise<string[]> {
  const end = isLast ? "" : "/";
  const at = (name: string) => absolute(`${base}${name}`, folder);
  if (!hasPattern(segment)) {
    const name = plainText(segment);
    if (name === "" && isLast) return [base];
    const kind = await files.kind(at(name));
    if (kind === undefined) throw new NotExpandable("a path outside");
    return kind === "none" || (!isLast && kind !== "folder") ? [] : [`${base}${name}${end}`];
  }
  const isMatching = patternOf(segment);
  const isHidden = plainText(segment).startsWith(".");
  const entries = await files.list(at(""));
  if (entries === undefined) throw new NotExpandable("a folder outside");
  budget.take(entries.length);
  const found: string[] = [];
  for (const { name, kind } of entries) {
    if (name.startsWith(".") !== isHidden || !isMatching(name)) continue;
    const isFolder =
      kind === "folder" || (kind === "link" && (await files.kind(at(name))) === "folder");
    if (isLast || isFolder) found.push(`${base}${name}${end}`);
  }
  return found;
}

/**
 * Returns a path relative to a folder as an absolute one; every `..` stays, because links before it count.
 * @param path - path as written
 * @param folder - absolute path of the folder
 */
export function absolute(path: string, folder: string): string {
  return path.startsWith("/") ? path : path === "" ? folder : `${folder}/${path}`;
}

/** Compares like a shell in the locale C. */
export function byCharacters(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
