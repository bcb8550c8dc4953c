import { isReadingSed } from "./sed-script.js";

const TEST_OF_PATH = /^-[bcdefghkLprsSuwxGO]$/;
const TEST_OF_TEXT = /^-[nz]$/;
const COMPARISON = /^(?:=|==|!=)$/;
const NUMBERS = /^-(?:eq|ne|lt|le|gt|ge)$/;
const NUMBER = /^-?\d+$/;
const FIND_FLAGS = new Set(
  "! ( ) -a -and -daystart -depth -empty -executable -false -ls -mount -nogroup -not -nouser -o -or -print -print0 -prune -quit -readable -true -writable -xdev".split(
    " ",
  ),
);
const FIND_VALUES: ReadonlyMap<string, RegExp> = new Map([
  ...[
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-iwholename",
    "-regex",
    "-iregex",
    "-newermt",
    "-newerct",
    "-newerat",
    "-printf",
  ].map((name): [string, RegExp] => [name, /^.*$/su]),
  ...["-mtime", "-mmin", "-ctime", "-cmin", "-atime", "-amin", "-maxdepth", "-mindepth"].map(
    (name): [string, RegExp] => [name, /^[+-]?\d+$/],
  ),
  ["-perm", /^[-/]?[0-7ugoarwxst,=+-]+$/],
  ["-regextype", /^[a-z-]+$/],
  ["-user", /^[\w-]+$/],
  ["-group", /^[\w-]+$/],
  ["-links", /^[+-]?\d+$/],
  ["-inum", /^[+-]?\d+$/],
  ["-type", /^[bcdfpls](?:,[bcdfpls])*$/],
  ["-size", /^[+-]?\d+[bcwkMG]?$/],
]);
/** Options with a path, of which `find` reads date or identity. */
const OF_PATH = new Set(["-newer", "-samefile"]);
/** Comparisons of `test` between the dates or identities of two paths. */
const OF_PATHS = /^-(?:nt|ot|ef)$/;
/** Paths of a program whose words are an expression, or the word that needs approval. */
export type ReadExpression =
  | {
      readonly paths: readonly string[];
      /** Further paths, of which it shows names or properties. */
      readonly names?: readonly string[];
      /** Words with which it runs, when they are not its own. */
      readonly words?: readonly string[];
    }
  | { readonly unknown: string };

/**
 * Reads the words of `find`: folders, then tests of names and properties.
 * @param words - words after the program
 */
export function readFind(words: readonly string[]): ReadExpression {
  const paths: string[] = [];
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word.startsWith("-") || word === "(" || word === "!") break;
    paths.push(word);
  }
  for (; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (FIND_FLAGS.has(word)) continue;
    at += 1;
    const value = words[at];
    if (value === undefined) return { unknown: word };
    if (OF_PATH.has(word) && !value.startsWith("-")) paths.push(value);
    else if (FIND_VALUES.get(word)?.test(value) !== true) return { unknown: word };
  }
  return { paths };
}

/**
 * Reads the words of `sed`: options that change only what is printed, scripts that do no more, and files.
 * @param words - words after the program
 */
export function readSed(words: readonly string[]): ReadExpression {
  const scripts: string[] = [];
  let at = 0;
  for (; words[at]?.startsWith("-") === true && words[at] !== "-"; at += 1) {
    const word = words[at] ?? "";
    if (/^-[nErsuz]+$/.test(word) || /^--(?:quiet|silent|regexp-extended|posix)$/.test(word))
      continue;
    const [, attached] = /^(?:-[nErsuz]*e|--expression=)(.*)$/s.exec(word) ?? [];
    if (attached === undefined) return { unknown: word };
    if (attached === "") at += 1;
    scripts.push(attached === "" ? (words[at] ?? "") : attached);
  }
  if (scripts.length === 0) {
    scripts.push(words[at] ?? "");
    at += 1;
  }
  const paths = words.slice(at);
  const script = scripts.join("\n");
  const unknown = scripts.find((one) => !isReadingSed(one)) ?? paths.find(isOption);
  return unknown === undefined && script.trim() !== "" ? { paths } : { unknown: unknown ?? script };
}

/**
 * Reads the words of `test`: one property of one path, or one comparison.
 * @param words - words after the program
 */
export function readTest(words: readonly string[]): ReadExpression {
  if (words[0] === "!") return readTest(words.slice(1));
  const [first = "", second, third, ...more] = words;
  const unknown = words.find((word) => !TEST_OF_PATH.test(word)) ?? first;
  if (second === undefined || more.length > 0) return { unknown };
  if (third === undefined) {
    if (TEST_OF_TEXT.test(first)) return { paths: [] };
    return TEST_OF_PATH.test(first) ? { paths: [second] } : { unknown };
  }
  if (COMPARISON.test(second)) return { paths: [] };
  if (OF_PATHS.test(second)) return { paths: [first, third] };
  const isNumeric = NUMBERS.test(second) && NUMBER.test(first) && NUMBER.test(third);
  return isNumeric ? { paths: [] } : { unknown };
}

/**
 * Reads the words of `tar` that list an archive; a colon in its name would mean another machine.
 * @param words - words after the program
 */
export function readTar(words: readonly string[]): ReadExpression {
  const [options = "", archive = "", ...members] = words;
  const isListing = /^-?[tvzjJ]*f$/.test(options) && options.includes("t");
  const odd = members.find(isOption);
  if (!isListing || archive.includes(":") || isOption(archive) || odd !== undefined) {
    return { unknown: odd ?? options };
  }
  return { paths: [archive] };
}

/**
 * Reads the words of `unzip` that list an archive.
 * @param words - words after the program
 */
export function readUnzip(words: readonly string[]): ReadExpression {
  const [options = "", archive = "", ...more] = words;
  if (!/^-(?:[lv]q?|Z1?|t)$/.test(options) || isOption(archive) || more.length > 0) {
    return { unknown: options };
  }
  return { paths: [archive] };
}

function isOption(word: string): boolean {
  return word === "" || (word.startsWith("-") && word !== "-");
}
