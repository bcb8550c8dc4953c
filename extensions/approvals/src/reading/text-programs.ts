import { PRIVATE_FILES } from "../private-file.js";
import { isReadingAwk } from "./awk-program.js";
import { ANY, CHARACTER, COUNT, FIELDS, longFlags, longValues, NUMBER } from "./forms.js";
import type { ProgramTable } from "./program-table.js";
import { anyCase, SKIPPED_FOLDERS } from "./search-programs.js";

const LINES: ProgramTable = {
  flags: "qvz",
  values: { c: COUNT, n: COUNT },
  long: { ...longFlags("quiet silent verbose"), ...longValues("bytes lines", COUNT) },
  longNext: ["--bytes", "--lines"],
  words: /^[-+]\d+$/,
  operands: "files",
};
const SUM: ProgramTable = { flags: "bt", long: longFlags("binary tag text"), operands: "files" };
const BASE: ProgramTable = {
  flags: "di",
  values: { w: NUMBER },
  long: { ...longFlags("decode ignore-garbage"), "--wrap": NUMBER },
  longNext: ["--wrap"],
  operands: "files",
  most: 1,
};
const COMPRESSED: ProgramTable = { operands: "files", least: 1 };
/** Programs like awk, whose program is their first operand. */
const AWK: ProgramTable = {
  values: { F: ANY, v: /^[A-Za-z_]\w*=[^\\]*$/s },
  text: { count: 1, form: { test: isReadingAwk } },
  operands: "files",
  // An operand with `=` is an assignment.
  each: /^(?![A-Za-z_]\w*=)/,
};
/** Names that a filter of jq may not contain: variables, other files and modules. */
const REACHING_FILTER =
  /(?<!\.)\benv\b|\$ENV|\$__|\b(?:import|include|input_filename|modulemeta|get_search_list|infinite|repeat|until|while|recurse_down|halt_error|debug|stderr)\b/;

/** Programs that print text of files or of their input. */
export const TEXT_PROGRAMS: Readonly<Record<string, ProgramTable>> = {
  awk: AWK,
  b2sum: SUM,
  base32: BASE,
  base64: BASE,
  bc: { flags: "lqsw", operands: "files", most: 0 },
  bzcat: COMPRESSED,
  cat: {
    flags: "AbeEnsTtuv",
    long: longFlags("number number-nonblank show-all show-ends show-tabs squeeze-blank"),
    operands: "files",
  },
  cksum: { operands: "files" },
  cmp: { flags: "bls", values: { n: NUMBER }, operands: "files", least: 2, most: 2 },
  column: {
    flags: "tJnex",
    values: { s: ANY, c: NUMBER, o: ANY, N: ANY, R: ANY },
    long: { ...longFlags("table json"), ...longValues("separator output-separator", ANY) },
    longNext: ["--separator", "--output-separator"],
    operands: "files",
  },
  comm: { flags: "123", operands: "files", least: 2, most: 2 },
  cut: {
    flags: "snz",
    values: { b: FIELDS, c: FIELDS, d: CHARACTER, f: FIELDS },
    long: {
      ...longFlags("complement only-delimited"),
      ...longValues("bytes characters fields", FIELDS),
      "--delimiter": CHARACTER,
      "--output-delimiter": ANY,
    },
    longNext: ["--bytes", "--characters", "--fields", "--delimiter", "--output-delimiter"],
    operands: "files",
  },
  diff: {
    flags: "abBdEiNpqrstTuwyZ",
    values: { U: NUMBER, C: NUMBER, W: NUMBER, I: ANY },
    long: {
      ...longFlags(
        "brief color ignore-all-space ignore-blank-lines ignore-case ignore-space-change ignore-trailing-space minimal new-file recursive report-identical-files side-by-side suppress-common-lines text unified context",
      ),
      "--width": NUMBER,
    },
    words: /^--(?:unified|context)=\d+$|^--color=(?:auto|never|always)$/,
    operands: "regular-files",
    least: 2,
    most: 2,
    walks: ["-r", "--recursive"],
    exclusions: [...PRIVATE_FILES, ...SKIPPED_FOLDERS].map((name) => `--exclude=${anyCase(name)}`),
    // It would follow links that lead out.
    walking: ["--no-dereference"],
    hidesWords: ["-q", "--brief"],
  },
  expand: { flags: "i", values: { t: /^[\d,]+$/ }, operands: "files" },
  file: {
    flags: "bhikN0",
    long: longFlags("brief mime mime-type mime-encoding no-dereference"),
    operands: "files",
    least: 1,
  },
  fmt: { flags: "cstu", values: { w: NUMBER }, words: /^-\d+$/, operands: "files" },
  fold: { flags: "bs", values: { w: NUMBER }, words: /^-\d+$/, operands: "files" },
  gawk: AWK,
  head: LINES,
  hexdump: { flags: "bcCdovx", values: { n: NUMBER, s: NUMBER }, operands: "files" },
  join: {
    flags: "iz",
    values: {
      1: NUMBER,
      2: NUMBER,
      j: NUMBER,
      t: CHARACTER,
      o: /^[\d.,auto]+$/,
      a: /^[12]$/,
      v: /^[12]$/,
      e: ANY,
    },
    operands: "files",
    least: 2,
    most: 2,
  },
  jq: {
    flags: "acCeMjnrRsS",
    long: longFlags(
      "ascii-output compact-output color-output exit-status join-output monochrome-output null-input raw-input raw-output slurp sort-keys tab unbuffered",
    ),
    pairs: ["--arg", "--argjson"],
    text: { count: 1, form: { test: (filter) => !REACHING_FILTER.test(filter) } },
    operands: "files",
  },
  less: { flags: "EFiNnRSX", operands: "files", each: /^[^+]/ },
  mawk: AWK,
  md5sum: SUM,
  more: { operands: "files", each: /^[^+]/ },
  nawk: AWK,
  nl: {
    values: { b: /^[atn]$/, i: NUMBER, n: /^[lr][nz]$/, s: ANY, v: NUMBER, w: NUMBER },
    operands: "files",
  },
  od: {
    flags: "abcdfilosvx",
    values: { A: /^[doxn]$/, j: NUMBER, N: NUMBER, t: /^[acdfoux\dCSILFDz]+$/ },
    words: /^-w\d+$/,
    operands: "files",
  },
  paste: { flags: "sz", values: { d: ANY }, operands: "files" },
  pr: { flags: "adfJmnrtT", values: { l: NUMBER, w: NUMBER }, operands: "files" },
  rev: { operands: "files" },
  sha1sum: SUM,
  sha224sum: SUM,
  sha256sum: SUM,
  sha384sum: SUM,
  sha512sum: SUM,
  shasum: { flags: "b", values: { a: NUMBER }, operands: "files" },
  shuf: { values: { n: NUMBER, i: /^\d+-\d+$/ }, operands: "files", most: 1 },
  sort: {
    flags: "bcCdfghimMnrRsuVz",
    values: { k: /^[\d.,bdfghinrMV]+$/, t: CHARACTER },
    long: {
      ...longFlags(
        "check general-numeric-sort human-numeric-sort ignore-case ignore-leading-blanks numeric-sort reverse stable unique version-sort",
      ),
      "--key": /^[\d.,bdfghinrMV]+$/,
      "--field-separator": CHARACTER,
    },
    longNext: ["--key", "--field-separator"],
    operands: "files",
  },
  strings: {
    flags: "a",
    values: { n: NUMBER, t: /^[dox]$/, e: /^[sSbBlL]$/ },
    words: /^-\d+$/,
    operands: "files",
    // `@` names a file with further words.
    each: /^[^@]/,
  },
  sum: { flags: "rs", operands: "files" },
  tac: { operands: "files" },
  tail: LINES,
  tr: { flags: "cCdst", text: { count: 1, form: ANY }, operands: "text", most: 1 },
  tsort: { operands: "files", most: 1 },
  unexpand: { flags: "a", values: { t: /^[\d,]+$/ }, operands: "files" },
  // A second operand would be written to.
  uniq: {
    flags: "cdDiuz",
    values: { f: NUMBER, s: NUMBER, w: NUMBER },
    long: longFlags("count repeated unique ignore-case"),
    operands: "files",
    most: 1,
  },
  wc: {
    flags: "clLmw",
    long: longFlags("bytes chars lines words max-line-length"),
    operands: "files",
  },
  xxd: {
    flags: "abeipuE",
    values: { c: NUMBER, g: NUMBER, l: NUMBER, s: NUMBER },
    words: /^-(?:ps|plain|bits)$/,
    operands: "files",
    // A second operand would be written to.
    most: 1,
  },
  xzcat: COMPRESSED,
  zcat: COMPRESSED,
  // A script that reads one file after another; names with line breaks harm its older versions.
  zgrep: {
    flags: "cEFhHilnoqvwx",
    text: { count: 1, form: ANY },
    operands: "files",
    each: /^[\w./-]+$/,
    least: 1,
  },
  zstdcat: COMPRESSED,
};
