const TEST_OF_PATH = /^-[defhLrswx]$/;
const FIND_FLAGS = new Set(
  "! ( ) -a -and -empty -not -o -or -print -print0 -prune -true -false -nouser -nogroup -depth".split(
    " ",
  ),
);
const FIND_VALUES: ReadonlyMap<string, RegExp> = new Map([
  ...["-name", "-iname", "-path", "-ipath", "-wholename"].map((name): [string, RegExp] => [
    name,
    /^.*$/su,
  ]),
  ...["-mtime", "-mmin", "-ctime", "-cmin", "-atime", "-amin", "-maxdepth", "-mindepth"].map(
    (name): [string, RegExp] => [name, /^[+-]?\d+$/],
  ),
  ["-type", /^[bcdfpls](?:,[bcdfpls])*$/],
  ["-size", /^[+-]?\d+[bcwkMG]?$/],
]);
/** Option with a path, of which it reads the date. */
const NEWER = "-newer";
/** Prints, deletes or counts lines by number; no other code of sed can be hidden in it. */
const SED_COMMAND = /^(?:\d+|\$)?(?:,(?:\d+|\$|\+\d+))?[pdq=]$/;

/** Paths of a program whose words are an expression, or the word that needs approval. */
export type ReadExpression = { readonly paths: readonly string[] } | { readonly unknown: string };

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
    if (word === NEWER && !value.startsWith("-")) paths.push(value);
    else if (FIND_VALUES.get(word)?.test(value) !== true) return { unknown: word };
  }
  return { paths };
}

/**
 * Reads the words of `sed`: `-n`, a script of line numbers with `p`, `d`, `q` and `=`, and files.
 * @param words - words after the program
 */
export function readSed(words: readonly string[]): ReadExpression {
  const [first, ...behind] = words;
  const [script = "", ...paths] = first === "-n" ? behind : words;
  const commands = script.split(";").map((command) => command.trim());
  const unknown = commands.find((command) => !SED_COMMAND.test(command));
  if (unknown !== undefined) return { unknown: script };
  const dashed = paths.find((path) => path.startsWith("-"));
  return dashed === undefined ? { paths } : { unknown: dashed };
}

/**
 * Reads the words of `test`: one property of one path.
 * @param words - words after the program
 */
export function readTest(words: readonly string[]): ReadExpression {
  const [operator = "", path, ...more] = words;
  if (!TEST_OF_PATH.test(operator) || path === undefined || more.length > 0) {
    return { unknown: words.find((word) => !TEST_OF_PATH.test(word)) ?? operator };
  }
  return { paths: [path] };
}
