import type { Words } from "./given-words.js";
import type { WrittenPath } from "./written-path.js";

/** Tests after which an entry need not match the one pattern of a name. */
const ALTERNATIVE = /^(?:-o|-or|!|-not|,)$/;

/**
 * Returns the files that a call of find writes or removes. Tests of names narrow down what it removes; other tests are not
 * known here.
 * @param words - words after `find`
 */
export function writtenByFind(words: Words): readonly WrittenPath[] {
  const printed = words.flatMap((word, at): readonly WrittenPath[] =>
    /^-f(?:print(?:0|f)?|ls)$/.test(word ?? "") ? [{ path: words[at + 1] }] : [],
  );
  return words.includes("-delete") ? [...printed, ...removed(words)] : printed;
}

function removed(words: Words): readonly WrittenPath[] {
  const options = words.findIndex((word) => word !== undefined && /^-(?![HLP]$)|^[(!]$/.test(word));
  const given = words.slice(0, options).filter((word) => !/^-[HLP]$/.test(word ?? ""));
  const isEither = words.some((word) => word === undefined || ALTERNATIVE.test(word));
  const names = words.flatMap((word, at) => (/^-i?name$/.test(word ?? "") ? [words[at + 1]] : []));
  const [name] = isEither ? [] : names;
  return (given.length === 0 ? ["."] : given).map((path) => ({ path, below: name ?? "*" }));
}
