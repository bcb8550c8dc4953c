import { PRIVATE_FILES, PRIVATE_FOLDERS } from "../private-file.js";
import { ANY, COLOR, longFlags, longValues, NUMBER } from "./forms.js";
import type { ProgramTable } from "./program-table.js";

/**
 * Folders that recursive readers skip in addition to the private ones: settings of git and of
 * programs.
 */
export const SKIPPED_FOLDERS = [...PRIVATE_FOLDERS, ".git", ".config"];
/** Names of files that a folder can have as well. */
const SKIPPED_BY_NAME = [".env", ".env.*"];

/**
 * Returns a glob that matches a name in any letter case.
 * @param glob - name or glob in lower case
 */
export function anyCase(glob: string): string {
  return glob.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

const GREP_VALUES = {
  ...longValues("after-context before-context context max-count", NUMBER),
  ...longValues("include exclude exclude-dir regexp label", ANY),
};

/** Recursive options that follow links: alone, and in clusters without values. */
const FOLLOWING: Readonly<Record<string, string>> = Object.fromEntries([
  ["--dereference-recursive", "--recursive"],
  ...[
    "",
    "n",
    "l",
    "i",
    "w",
    "c",
    "E",
    "F",
    "nE",
    "ni",
    "il",
    "nw",
    "li",
    "in",
    "IN",
    "nI",
    "In",
    "nHE",
  ].flatMap((letters) => [
    [`-R${letters}`, `-r${letters}`],
    [`-${letters}R`, `-${letters}r`],
  ]),
]);
const NUMBERED = String.raw`^-\d+$|^--colou?r=(?:auto|never|always)$`;
const WORDS = new RegExp(`${NUMBERED}|^(?:${Object.keys(FOLLOWING).join("|")})$`);

const GREP: ProgramTable = {
  flags: "aEFGHhIiLlnoPqsTUvwxyZzcbr",
  values: { e: ANY, m: NUMBER, A: NUMBER, B: NUMBER, C: NUMBER },
  long: {
    ...longFlags(
      "count extended-regexp files-with-matches files-without-match fixed-strings ignore-case initial-tab invert-match line-buffered line-number line-regexp no-filename no-ignore-case no-messages null null-data only-matching perl-regexp quiet recursive silent text with-filename word-regexp byte-offset basic-regexp color colour",
    ),
    ...GREP_VALUES,
    "--binary-files": /^(?:text|binary|without-match)$/,
  },
  longNext: Object.keys(GREP_VALUES),
  text: { count: 1, form: ANY },
  givesText: ["-e", "--regexp"],
  operands: "files",
  words: WORDS,
  walks: ["-r", "--recursive", ...Object.keys(FOLLOWING)],
  insteadOf: FOLLOWING,
  // The last of contradicting options counts.
  exclusions: [
    ...PRIVATE_FILES.map((name) => `--exclude=${anyCase(name)}`),
    ...[...SKIPPED_FOLDERS, ...SKIPPED_BY_NAME].map((name) => `--exclude-dir=${anyCase(name)}`),
  ],
};

const RG_VALUES = {
  ...longValues(
    "after-context before-context context max-count max-columns max-depth maxdepth threads",
    NUMBER,
  ),
  ...longValues("glob iglob regexp replace", ANY),
  ...longValues("type type-not", /^\w+$/),
  "--color": COLOR,
  "--sort": /^(?:none|path|modified|accessed|created)$/,
  "--sortr": /^(?:none|path|modified|accessed|created)$/,
  "--colors": /^[\w:,]+$/,
  "--max-filesize": /^\d+[KMG]?$/,
  "--encoding": /^[\w-]+$/,
  "--engine": /^(?:default|pcre2|auto)$/,
};

const RG: ProgramTable = {
  flags: "0abFHIilnNoPpqsSUvVwxch",
  // Twice, it reads hidden files as well.
  words: /^-u$/,
  values: {
    A: NUMBER,
    B: NUMBER,
    C: NUMBER,
    d: NUMBER,
    e: ANY,
    g: ANY,
    j: NUMBER,
    m: NUMBER,
    M: NUMBER,
    r: ANY,
    t: /^\w+$/,
    T: /^\w+$/,
  },
  long: {
    ...longFlags(
      "byte-offset case-sensitive column count count-matches crlf files files-with-matches files-without-match fixed-strings heading ignore-case include-zero invert-match json line-number line-regexp max-columns-preview multiline multiline-dotall no-column no-filename no-heading no-ignore no-ignore-vcs no-line-number no-messages no-unicode null null-data one-file-system only-matching passthru pcre2 pretty quiet smart-case stats text trim type-list unicode vimgrep with-filename word-regexp",
    ),
    ...RG_VALUES,
  },
  longNext: Object.keys(RG_VALUES),
  text: { count: 1, form: ANY },
  givesText: ["-e", "--regexp", "--files", "--type-list"],
  operands: "files",
  walks: "always",
  // Excluding globs override every other rule, and the user's settings are ignored.
  exclusions: [
    "--no-config",
    ...[...PRIVATE_FILES, ...SKIPPED_FOLDERS].map((name) => `--iglob=!${name}`),
  ],
};

/** Programs that search in files. */
export const SEARCH_PROGRAMS: Readonly<Record<string, ProgramTable>> = {
  egrep: GREP,
  fgrep: GREP,
  grep: GREP,
  rg: RG,
};
