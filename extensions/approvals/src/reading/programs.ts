import { PRIVATE_FILES, PRIVATE_FOLDERS } from "../private-file.js";
import type { ProgramTable } from "./program-table.js";

const NUMBER = /^\d+$/;
const COUNT = /^[+-]?\d+$/;
const ANY = /^.*$/su;
const CHARACTER = /^.$/su;
const COLOR = /^(?:auto|never)$/;
const NONE: ProgramTable = { operands: "text", most: 0 };
/**
 * Folders that recursive readers skip in addition to the private ones: settings of git and of
 * programs.
 */
export const SKIPPED_FOLDERS = [...PRIVATE_FOLDERS, ".git", ".config"];

/** Returns a glob that matches a name in any letter case. */
function anyCase(glob: string): string {
  return glob.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

const GREP: ProgramTable = {
  flags: "aEFGHhIiLlnoPqsvwxzcbr",
  values: { e: ANY, m: NUMBER, A: NUMBER, B: NUMBER, C: NUMBER },
  long: {
    "--color": COLOR,
    "--count": null,
    "--exclude": ANY,
    "--exclude-dir": ANY,
    "--fixed-strings": null,
    "--files-with-matches": null,
    "--ignore-case": null,
    "--include": ANY,
    "--line-number": null,
    "--recursive": null,
    "--word-regexp": null,
  },
  words: /^-\d+$/,
  text: { count: 1, form: ANY },
  givesText: ["-e"],
  operands: "files",
  walks: ["-r", "--recursive"],
  // The last of contradicting options counts.
  exclusions: [
    ...PRIVATE_FILES.map((name) => `--exclude=${anyCase(name)}`),
    ...SKIPPED_FOLDERS.map((name) => `--exclude-dir=${anyCase(name)}`),
  ],
};

const RG: ProgramTable = {
  flags: "FHINSUacilnoqsvwxh",
  values: { A: NUMBER, B: NUMBER, C: NUMBER, e: ANY, g: ANY, m: NUMBER, t: /^\w+$/, T: /^\w+$/ },
  long: {
    "--color": COLOR,
    "--count": null,
    "--files-with-matches": null,
    "--fixed-strings": null,
    "--glob": ANY,
    "--heading": null,
    "--ignore-case": null,
    "--line-number": null,
    "--no-heading": null,
    "--type": /^\w+$/,
    "--word-regexp": null,
  },
  text: { count: 1, form: ANY },
  givesText: ["-e"],
  operands: "files",
  walks: "always",
  // Excluding globs override every other rule, and the user's settings are ignored.
  exclusions: [
    "--no-config",
    ...[...PRIVATE_FILES, ...SKIPPED_FOLDERS].map((name) => `--iglob=!${name}`),
  ],
};

/**
 * Programs that run without approval, with every word they may have; `find`, `sed` and `test` are
 * parsed separately.
 */
export const PROGRAM_TABLES: ReadonlyMap<string, ProgramTable> = new Map(
  Object.entries<ProgramTable>({
    basename: { operands: "text", least: 1, most: 2 },
    cat: { flags: "AbeEnsTtv", operands: "files" },
    cmp: { flags: "ls", operands: "files", least: 2, most: 2 },
    comm: { flags: "123", operands: "files", least: 2, most: 2 },
    cut: {
      flags: "s",
      values: { b: /^[\d,-]+$/, c: /^[\d,-]+$/, d: CHARACTER, f: /^[\d,-]+$/ },
      operands: "files",
    },
    date: { flags: "uR", operands: "text", form: /^\+/, most: 1 },
    diff: {
      flags: "abBEiNqsuwy",
      values: { U: NUMBER },
      long: { "--brief": null, "--color": COLOR, "--unified": null },
      operands: "regular-files",
      least: 2,
      most: 2,
    },
    dirname: { operands: "text", least: 1 },
    du: {
      flags: "achks",
      values: { d: NUMBER },
      long: { "--max-depth": NUMBER },
      operands: "names",
    },
    echo: { flags: "n", operands: "text" },
    egrep: GREP,
    false: NONE,
    fgrep: GREP,
    grep: GREP,
    head: {
      flags: "qv",
      values: { c: COUNT, n: COUNT },
      long: { "--bytes": COUNT, "--lines": COUNT },
      words: /^-\d+$/,
      operands: "files",
    },
    ls: {
      flags: "1AacFGghiklmnopqrRsStuXU",
      long: {
        "--all": null,
        "--almost-all": null,
        "--color": COLOR,
        "--human-readable": null,
        "--recursive": null,
      },
      operands: "names",
    },
    nl: { values: { b: /^[atn]$/, w: NUMBER }, operands: "files" },
    printf: {
      text: { count: 1, form: /^(?:[^%\\]|%[sd%]|\\[nt\\])*$/u },
      operands: "text",
    },
    pwd: NONE,
    readlink: { flags: "f", operands: "names", least: 1 },
    realpath: { operands: "names", least: 1 },
    rg: RG,
    // Always ends: no `inf`, no step of zero, and fewer than ten million lines.
    seq: {
      flags: "w",
      operands: "text",
      together: /^\d{1,7}(?: \d{1,7})?$|^\d{1,7} [1-9]\d{0,6} \d{1,7}$/,
      least: 1,
      most: 3,
    },
    sha256sum: { operands: "files" },
    sort: {
      flags: "bcdfghMnruVz",
      values: { k: /^[\d.,bdfghinrMV]+$/, t: CHARACTER },
      operands: "files",
    },
    stat: { values: { c: ANY }, long: { "--format": ANY }, operands: "names", least: 1 },
    tac: { operands: "files" },
    tail: {
      flags: "qv",
      values: { c: COUNT, n: COUNT },
      long: { "--bytes": COUNT, "--lines": COUNT },
      words: /^-\d+$/,
      operands: "files",
    },
    tr: { flags: "cCds", text: { count: 1, form: ANY }, operands: "text", most: 1 },
    tree: {
      flags: "adfhps",
      values: { I: ANY, L: NUMBER, P: ANY },
      separate: "ILP",
      operands: "names",
    },
    true: NONE,
    uname: { flags: "amnoprsv", operands: "text", most: 0 },
    // A second operand would be written to.
    uniq: {
      flags: "cdiu",
      values: { f: NUMBER, s: NUMBER, w: NUMBER },
      operands: "files",
      most: 1,
    },
    wc: {
      flags: "clLmw",
      long: { "--bytes": null, "--chars": null, "--lines": null, "--words": null },
      operands: "files",
    },
    which: { flags: "a", operands: "text", form: /^[\w.+-]+$/, least: 1 },
  }),
);
