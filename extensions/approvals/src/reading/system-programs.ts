import { ANY, longFlags, longValues, NONE, NUMBER } from "./forms.js";
import type { ProgramTable } from "./program-table.js";

const LS_VALUES = longValues("ignore hide", ANY);
const DU_VALUES = { "--max-depth": NUMBER, "--exclude": ANY, "--threshold": /^-?\d+[KMG]?$/ };

/** Programs that print names and properties of files, and facts about the machine. */
export const SYSTEM_PROGRAMS: Readonly<Record<string, ProgramTable>> = {
  arch: NONE,
  basename: { flags: "az", values: { s: ANY }, operands: "text", least: 1 },
  date: {
    flags: "uR",
    // Of a file it reads the date only.
    values: { d: ANY, r: /^(?!.*\.\.)\w[\w./-]*$/ },
    long: {
      ...longFlags("utc universal rfc-email iso-8601"),
      "--date": ANY,
      "--rfc-3339": /^(?:date|seconds|ns)$/,
    },
    longNext: ["--date"],
    words: /^-I(?:date|hours|minutes|seconds|ns)?$|^--iso-8601=\w+$/,
    operands: "text",
    form: /^\+/,
    most: 1,
  },
  df: {
    flags: "ahHiklPT",
    long: longFlags("human-readable inodes local print-type si total"),
    operands: "names",
  },
  dirname: { flags: "z", operands: "text", least: 1 },
  du: {
    flags: "abchklmSsx0",
    values: { d: NUMBER, t: /^-?\d+[KMG]?$/ },
    long: {
      ...longFlags("all apparent-size bytes human-readable si summarize total separate-dirs"),
      ...DU_VALUES,
    },
    longNext: Object.keys(DU_VALUES),
    operands: "names",
  },
  // It prints every word that is not one of its options.
  echo: { flags: "neE", words: /^-/, operands: "text" },
  env: NONE,
  expr: { operands: "text", least: 1, form: /^(?:-?[\w.]+|[-+*/%|&<>=!()]{1,2}|:)$/ },
  factor: { operands: "text", form: /^\d{1,12}$/, least: 1 },
  false: NONE,
  free: { flags: "bghklmtw", long: longFlags("human mega giga total"), operands: "text", most: 0 },
  getconf: { operands: "text", form: /^[A-Z][A-Z\d_]*$/, least: 1, most: 1 },
  groups: NONE,
  locale: { flags: "am", operands: "text", most: 0 },
  logname: NONE,
  ls: {
    flags: "1AaBcCdFgGhiklmnNopqQrRsStuvxXUZ",
    values: { I: ANY, w: NUMBER, T: NUMBER },
    long: {
      ...longFlags(
        "all almost-all author classify color directory escape full-time group-directories-first human-readable inode literal no-group numeric-uid-gid recursive reverse si size zero",
      ),
      ...LS_VALUES,
    },
    longNext: Object.keys(LS_VALUES),
    words:
      /^--(?:color=(?:auto|never|always)|time-style=[\w+%:. -]+|sort=\w+|time=\w+|format=\w+|indicator-style=[\w-]+|quoting-style=[\w-]+|block-size=[\w']+|classify=\w+)$/,
    operands: "names",
  },
  lscpu: NONE,
  nproc: { long: longFlags("all"), operands: "text", most: 0 },
  numfmt: {
    long: longValues("from to", /^[a-z-]+$/),
    operands: "text",
    form: /^\d[\d.]*[A-Za-z]{0,2}$/,
    least: 1,
  },
  printenv: { operands: "text", form: /^[A-Za-z_]\w*$/ },
  printf: {
    optionsFirst: true,
    text: { count: 1, form: /^(?:[^%\\]|%(?:-?\d{0,3}(?:\.\d{1,3})?[sdifxX]|%)|\\[nt0\\"])*$/u },
    operands: "text",
  },
  pwd: { flags: "LP", operands: "text", most: 0 },
  readlink: { flags: "efmnqsvz", operands: "names", least: 1 },
  realpath: {
    flags: "emsqLPz",
    long: longValues("relative-to relative-base", /^[\w.][\w./-]*$/),
    operands: "names",
    least: 1,
  },
  // Always ends: no `inf`, no step of zero, and fewer than ten million lines.
  seq: {
    flags: "w",
    values: { s: ANY },
    operands: "text",
    together: /^\d{1,7}(?: \d{1,7})?$|^\d{1,7} [1-9]\d{0,6} \d{1,7}$/,
    least: 1,
    most: 3,
  },
  sleep: { operands: "text", form: /^(?:\d|10|0?\.\d+|\d\.\d+)s?$/, least: 1, most: 1 },
  stat: {
    flags: "fLtx",
    values: { c: ANY },
    long: { ...longFlags("terse"), "--format": ANY, "--printf": ANY },
    longNext: ["--format", "--printf"],
    operands: "names",
    least: 1,
  },
  tee: { operands: "text", form: /^\/dev\/null$/ },
  tree: {
    flags: "aCDdFfghinNpqQrsSStuUvx",
    values: { I: ANY, L: NUMBER, P: ANY },
    separate: "ILP",
    long: {
      ...longFlags("dirsfirst du gitignore ignore-case matchdirs noreport prune si inodes device"),
      "--filelimit": NUMBER,
      "--sort": /^\w+$/,
    },
    words: /^-J$/,
    operands: "names",
  },
  true: NONE,
  tty: NONE,
  uname: {
    flags: "aimnoprsv",
    long: longFlags("all kernel-name kernel-release machine operating-system"),
    operands: "text",
    most: 0,
  },
  which: { flags: "a", operands: "text", form: /^[\w.+-]+$/, least: 1 },
  whoami: NONE,
};
