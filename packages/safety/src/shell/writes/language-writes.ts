import { GivenWords, type Words } from "./given-words.js";
import { files, UNKNOWN_FILES, type WrittenPath } from "./written-path.js";

type Writer = (words: Words) => readonly WrittenPath[];

/** In a statement of awk that prints, `>` outside of parentheses names a file. */
const PRINTED_TO = /\bprintf?\b[^;{}\n>]*>>?\s*([^;{}\n]*)/g;
const ONE_TEXT = /^"([^"\\]*)"\s*$/;

const evaluates: Writer = (words) => {
  const given = new GivenWords(words, { letters: "eEIMmrCx" });
  const isInPlace = words.some((word) => /^-[lanpws0F:,]*i/.test(word ?? ""));
  return isInPlace ? files(given.has("-e", "-E") ? given.operands : given.operands.slice(1)) : [];
};

const scans: Writer = (words) => {
  const given = new GivenWords(words, {
    letters: "Fvfiel",
    names: ["--include", "--source", "--file", "--assign", "--field-separator"],
  });
  const isFile = given.has("-f", "--file");
  const sources = given.values("-e", "--source");
  const programs = sources.length > 0 || isFile ? sources : given.operands.slice(0, 1);
  const isInPlace = given
    .values("-i", "--include")
    .some((value) => value === "inplace" || value === undefined);
  const scanned = given.operands.slice(sources.length > 0 || isFile ? 0 : 1);
  return [...(isInPlace ? files(scanned) : []), ...programs.flatMap(printedFiles)];
};

/** Returns the files to which a program of awk prints; a computed name is known only at run time. */
function printedFiles(program: string | undefined): readonly WrittenPath[] {
  if (program === undefined) return [UNKNOWN_FILES];
  return Array.from(withoutParentheses(program).matchAll(PRINTED_TO), ([, target = ""]) => {
    const name = ONE_TEXT.exec(target)?.[1];
    return name === undefined ? UNKNOWN_FILES : { path: name };
  });
}

/** A comparison is in parentheses where a program prints it. */
function withoutParentheses(program: string): string {
  let rest = program;
  for (let shorter = ""; shorter !== rest; ) {
    shorter = rest;
    rest = rest.replace(/(?<![>\s])\s*\([^()]*\)/g, " ");
  }
  return rest;
}

/** Languages whose programs write files of their words in place, or print to files that they name. */
export const writtenByLanguage: Readonly<Record<string, Writer>> = {
  awk: scans,
  gawk: scans,
  mawk: scans,
  nawk: scans,
  perl: evaluates,
  ruby: evaluates,
};
