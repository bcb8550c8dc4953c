import type { OptionValues } from "./parsed-arguments.js";

/** How far a program only reads. */
export interface ReadingProgram extends OptionValues {
  /** How many of its first operands are text and no files; `all` for programs that open none. */
  readonly text?: number | "all";
  /** Options with which it writes, runs something, or reads what they name. */
  readonly refused?: { readonly letters?: string; readonly names?: readonly string[] };
  /** Options that give the text, so that every operand is a file. */
  readonly givesText?: { readonly letters: string; readonly names: readonly string[] };
  /** Options with which it reads all that a folder holds; `default` when it always does. */
  readonly recursive?: { readonly letters: string; readonly names: readonly string[] };
  /** False when it shows names and not what files hold. */
  readonly content?: false;
  /** A further operand would be written to. */
  readonly mostOperands?: number;
  /** True when words that are computed at run time cannot make it do anything else. */
  readonly takesComputed?: true;
  /** What its text must look like to only read. */
  readonly harmlessText?: RegExp;
}

const NAMES: ReadingProgram = { content: false };
const TEXT: ReadingProgram = { text: "all", takesComputed: true };
const GREP: ReadingProgram = {
  letters: "efmABCdD",
  names: ["regexp", "file", "max-count", "after-context", "before-context", "context"],
  text: 1,
  refused: { letters: "fRSd", names: ["file", "dereference-recursive", "directories"] },
  givesText: { letters: "e", names: ["regexp"] },
  recursive: { letters: "r", names: ["recursive"] },
};
const FD: ReadingProgram = {
  letters: "edtEcjSo",
  names: ["extension", "max-depth", "type", "exclude", "color", "threads", "size", "owner"],
  text: 1,
  refused: {
    letters: "xXLC",
    names: ["exec", "exec-batch", "follow", "ignore-file", "base-directory", "search-path"],
  },
  content: false,
};

/** Programs that only read, by name; `git` and `find` have rules of their own. */
export const READING_PROGRAMS: ReadonlyMap<string, ReadingProgram> = new Map(
  Object.entries<ReadingProgram>({
    "[": { content: false, refused: { letters: "vR" } },
    awk: {
      letters: "Fv",
      names: ["field-separator", "assign"],
      text: 1,
      refused: {
        letters: "fieElDophW",
        names: ["file", "include", "exec", "source", "load", "debug", "dump", "profile", "pretty"],
      },
      // Pipes, redirections and functions that run or open something.
      harmlessText: /^(?!.*(?:system|getline|[|>@]|ARG[CV]|ENVIRON))/s,
    },
    basename: TEXT,
    cat: {},
    cd: { content: false },
    cmp: { letters: "in", names: ["ignore-initial", "bytes"] },
    comm: {},
    cut: { letters: "bcdf", names: ["bytes", "characters", "delimiter", "fields"] },
    date: {
      letters: "d",
      names: ["date"],
      text: "all",
      refused: { letters: "sfr", names: ["set", "file", "reference"] },
      // Another operand sets the clock.
      harmlessText: /^\+/,
    },
    df: NAMES,
    diff: {
      letters: "UCWxIF",
      names: ["unified", "context", "width", "exclude", "ignore-matching-lines"],
      refused: { names: ["from-file", "to-file"] },
      recursive: { letters: "r", names: ["recursive"] },
    },
    dirname: TEXT,
    du: {
      letters: "dBt",
      content: false,
      refused: { letters: "LD", names: ["files0-from", "dereference"] },
    },
    echo: TEXT,
    egrep: GREP,
    false: TEXT,
    fd: FD,
    fdfind: FD,
    fgrep: GREP,
    file: {
      letters: "FP",
      refused: { letters: "Cfm", names: ["compile", "files-from", "magic-file"] },
    },
    grep: GREP,
    head: { letters: "cn", names: ["bytes", "lines"] },
    jq: {
      text: 1,
      refused: {
        letters: "fL",
        names: ["from-file", "rawfile", "slurpfile", "argfile", "library-path", "args", "jsonargs"],
      },
      harmlessText: /^(?!.*\b(?:import|include|env|input_filename)\b)(?!.*\$ENV)/s,
    },
    ls: { letters: "ITw", names: ["ignore", "tabsize", "width"], content: false },
    nl: { letters: "bdfhilnsvw" },
    printf: { text: "all", refused: { letters: "v" } },
    pwd: TEXT,
    readlink: NAMES,
    realpath: NAMES,
    rg: {
      letters: "eEfgAmBCdjMrtT",
      names: [
        "regexp",
        "file",
        "glob",
        "iglob",
        "type",
        "type-not",
        "max-count",
        "max-depth",
        "context",
        "after-context",
        "before-context",
        "replace",
        "sort",
        "encoding",
      ],
      text: 1,
      refused: {
        letters: "fzLu.",
        names: [
          "file",
          "search-zip",
          "follow",
          "unrestricted",
          "hidden",
          "pre",
          "pre-glob",
          "hostname-bin",
          "ignore-file",
          "no-ignore",
          "no-ignore-dot",
          "no-ignore-vcs",
        ],
      },
      givesText: { letters: "e", names: ["regexp", "files"] },
    },
    sed: {
      letters: "el",
      names: ["expression"],
      text: 1,
      refused: { letters: "ifs", names: ["in-place", "file"] },
      givesText: { letters: "e", names: ["expression"] },
      // Lines printed or deleted, and texts replaced: no `w`, which writes, and no `e`, which runs.
      harmlessText:
        /^\s*(?:(?:\d+|\$)?(?:,\s*(?:\d+|\$|\+\d+))?\s*[pdq]|s([/|#,])(?:(?!\1)[^\\\n]|\\[^\n])*\1(?:(?!\1)[^\\\n]|\\[^\n])*\1[gpI\d]*)\s*$/,
    },
    seq: TEXT,
    sha256sum: {},
    sleep: TEXT,
    sort: {
      letters: "ktS",
      names: ["key", "field-separator", "buffer-size", "parallel"],
      refused: {
        letters: "oT",
        names: [
          "output",
          "compress-program",
          "files0-from",
          "random-source",
          "temporary-directory",
        ],
      },
    },
    stat: { letters: "c", names: ["format", "printf"], content: false },
    tac: { letters: "s" },
    tail: { letters: "cns", names: ["bytes", "lines", "pid", "sleep-interval"] },
    test: { content: false, refused: { letters: "vR" } },
    tr: { text: "all" },
    tree: {
      letters: "LPI",
      content: false,
      refused: { letters: "oRl", names: ["fromfile", "fromtabfile", "infofile", "gitfile"] },
    },
    true: TEXT,
    type: { text: "all" },
    uname: { text: "all" },
    uniq: { letters: "fsw", names: ["skip-fields", "skip-chars", "check-chars"], mostOperands: 1 },
    wc: { refused: { names: ["files0-from"] } },
    which: { text: "all" },
  }),
);
