import { isShell, programName } from "../grammar/names.js";
import type { SimpleCommand } from "../grammar/parsed-command.js";
import { isTextProgram } from "../grammar/text-program.js";
import type { Words } from "./given-words.js";
import { packageRun } from "./package-run.js";
import { WRITERS } from "./writers.js";
import { UNKNOWN_FILES, type WrittenPath } from "./written-path.js";

/** Programs that only read the files in their words. */
const READERS = new Set(
  ": [ ag ack basename bat batcat break cal cd chdir cksum cloc cmp code col column comm continue cut date df diff diff3 dir dirname du exit expand export expr false file fmt fold getfacl gh glab hash head hexdump hyperfine id jq join kill let local ls md5sum nl nm objdump od open paste popd pr printenv ps pushd pwd read readlink realpath return scc sdiff set sha1sum sha224sum sha256sum sha384sum sha512sum shasum shellcheck shift sleep source . stat strings sum tac test tokei tr trap true tsort type unexpand unset wait wc xargs xdg-open yamllint zcat bzcat xzcat zstdcat zdiff zcmp zgrep zless zmore".split(
    " ",
  ),
);
/** Programs that run the file of their first operand. */
const INTERPRETERS =
  /^(?:node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|pypy[\d.]*|ruby|perl|php|lua|(?:ba|da|z|k|fi|a)?sh)$/;
/** Words with code of an interpreter that may write files. */
const CODE =
  /write|_put|fput|open\w*\s*\([^)]*,[^)]*['"][^'"]*[wax+]|>|rename|copy|cpSync|move|link|\brm|remove|save|dump|replace|append|trunc/i;
/** Characters between the names in code or in an address. */
const CODE_MARKS = /[\s'"`(){}[\],;:=<>|@]+/;
/** Longest word that is divided. */
const MOST_CODE = 10_000;
const LITERAL = /'([^'\n]+)'|"([^"\n]+)"|`([^`\n]+)`/g;
/** Perl writes how it opens a file before the name. */
const MODE = /^[+|\s]*[<>]+\s*/;
/** Options of wrappers that decide the folder of the command. */
const FOLDER_OPTION = /^(?:-C|--chdir(?:=|$)|-D(?:$|\/))/;
/** Wrappers that write a file which their own words name. */
const TRACERS = new Set(["time", "strace", "ltrace", "script"]);

/**
 * Returns the paths that a command may write, as the words of its programs name them. Redirections are not among them, and
 * neither are files that a program writes although no word names them.
 * @param command - program with its words and wrappers
 */
export function writtenPaths({
  program,
  arguments: words,
  wrapperCommands = [],
}: Pick<SimpleCommand, "program" | "arguments"> &
  Partial<Pick<SimpleCommand, "wrapperCommands">>): readonly WrittenPath[] {
  const outer = wrapperCommands.flatMap((wrapper) => {
    const name = programName(wrapper.program) ?? "";
    return TRACERS.has(name) ? writtenBy(name, wrapper.arguments) : [];
  });
  const name = programName(program);
  if (name === undefined) return outer;
  const written = writtenBy(name, words);
  const isElsewhere = wrapperCommands.some((wrapper) => changesFolder(wrapper));
  return [...outer, ...(isElsewhere ? written.map(inUnknownFolder) : written)];
}

function writtenBy(name: string, words: Words): readonly WrittenPath[] {
  const run = packageRun(name, words);
  const inner = run === undefined ? [] : writtenByTable(run.name, run.words);
  return [...inner, ...writtenByTable(name, words)];
}

function writtenByTable(name: string, words: Words): readonly WrittenPath[] {
  const own = WRITERS.get(name) ?? (name.startsWith("g") ? WRITERS.get(name.slice(1)) : undefined);
  if (own !== undefined) return [...own(words, name), ...codeGuesses(name, words)];
  if (READERS.has(name) || isTextProgram(name)) return [];
  const isInterpreter = INTERPRETERS.test(name);
  const run = isInterpreter ? words.findIndex((word) => word?.startsWith("-") !== true) : -1;
  const others = words.filter((_, at) => at !== run);
  if (isShell(name)) return [];
  return [...others.flatMap(guesses), ...codeGuesses(name, words)];
}

/**
 * Returns what a word of a program that is not known names, each of which could be a file that it writes: the word, the
 * value of an option, and the parts of code or of an address, such as `.output x` of sqlite3 or `OPEN:x,creat` of socat.
 */
function guesses(word: string | undefined): readonly WrittenPath[] {
  if (word === undefined || word.length === 0) return [];
  const value = word.slice(word.indexOf("=") + 1);
  const attached = /^-[a-zA-Z]./.test(word) ? [word.slice(2)] : [];
  const own = word.startsWith("-") ? [] : [word];
  const named = word.includes("=") ? [value] : [];
  const parts = word.length > MOST_CODE ? [] : word.split(CODE_MARKS);
  const found = new Set([
    ...own,
    ...named,
    ...attached,
    ...(parts.length > 1 ? parts.filter(isName) : []),
  ]);
  return Array.from(found, (path) => ({ path, isGuess: true }));
}

/** In code, `*` is not a pattern of files. */
function isName(part: string): boolean {
  return part !== "" && !/[*?[]/.test(part);
}

/** Strings in the code of an interpreter that may write files. */
function codeGuesses(name: string, words: Words): readonly WrittenPath[] {
  if (!INTERPRETERS.test(name) && !/awk$/.test(name)) return [];
  return words.flatMap((word) =>
    word === undefined || !CODE.test(word)
      ? []
      : Array.from(
          word.matchAll(LITERAL),
          ([, single, double, template]): WrittenPath => ({
            path: (single ?? double ?? template)?.replace(MODE, ""),
            isGuess: true,
          }),
        ),
  );
}

function changesFolder({
  program,
  arguments: words,
}: SimpleCommand["wrapperCommands"][number]): boolean {
  const name = programName(program) ?? "";
  if (name === "find") return words.some((word) => /^-(?:exec|ok)dir$/.test(word ?? ""));
  if (isShell(name) || TRACERS.has(name) || name === "xargs" || name === "timeout") return false;
  return words.some((word) => FOLDER_OPTION.test(word ?? ""));
}

/** In a folder that is not known, a path that is not absolute may be any file. */
function inUnknownFolder(written: WrittenPath): WrittenPath {
  const { path, isGuess } = written;
  return isGuess === true || path === undefined || /^[/~]/.test(path) ? written : UNKNOWN_FILES;
}
