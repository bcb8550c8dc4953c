import { stemmer } from "stemmer";
import { functionWordsOf } from "./function-words.js";
import { normalForm } from "./normal-form.js";
import { type Run, runsOf } from "./scripts.js";
import { areEnglish, isStopWord } from "./stop-words.js";

/** Term of a text, as the full-text table has it. */
export interface Term {
  /** Stem of a word, or characters of a script without spaces. */
  readonly term: string;
  /** The word without its stem being taken, for comparisons with other words. */
  readonly word: string;
  /** Groups of characters of a word that may be inflected or part of a compound; else empty. */
  readonly parts: readonly string[];
}

/** Distinguishes parts of words from words; words do not contain it. */
const PART_MARK = "\u00b7";
/** Length from which an English word may be a compound of another language. */
const COMPOUND = 11;
const SHORTEST_WITH_PARTS = 4;
/** Alphabets that write few vowels have shorter roots. */
const SHORT_ROOTS = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}]/u;
const FOREIGN = /[^a-z0-9]/;
const NUMBER = /^\p{N}+$/u;
const MOST_REMEMBERED = 20_000;

const stems = new Map<string, string>();
let segmenter: Intl.Segmenter | undefined;

/**
 * Returns the terms of a text in their order (MEM-321): the one way from a text to what the full-text table has and what
 * a query looks for. Words are stemmed, English words without a subject are left out, and function words of other
 * languages in queries, and runs of scripts without spaces
 * are divided into overlapping groups of characters.
 * @param text - text in any language
 * @param use - `query` for a text that is looked for: a run of characters has no single ones then
 */
export function termsOfText(text: string, use: "index" | "query"): Term[] {
  const runs = runsOf(normalForm(text));
  const words = runs.flatMap((run) => (run.kind === "word" ? [run.text] : []));
  const isEnglish = areEnglish(words);
  const terms = runs.flatMap((run) => termsOfRun(run, isEnglish, use));
  return isEnglish || use === "index" ? terms : withoutFunctionWords(terms, words);
}

/** The index has function words, because a note in another language may be short and have a name among them. */
function withoutFunctionWords(terms: Term[], words: readonly string[]): Term[] {
  const left = functionWordsOf(words);
  const others = terms.filter(({ word }) => !left.has(word));
  return others.length === 0 ? terms : others;
}

function termsOfRun({ text, kind }: Run, isEnglish: boolean, use: "index" | "query"): Term[] {
  if (kind === "word") return wordTerms(text, isEnglish);
  if (kind === "unspaced") {
    return distinct([...segmentsOf(text), ...groupsOf(text, 3)]).map(plain);
  }
  const pairs = groupsOf(text, 2);
  if (kind === "hangul") return distinct([text, ...pairs]).map(plain);
  // A word of one character is found in longer runs.
  const characters = use === "index" && pairs[0] !== text ? [...text] : [];
  return [...characters, ...pairs].map(plain);
}

function wordTerms(word: string, isEnglish: boolean): Term[] {
  if (isStopWord(word)) return [];
  const hasParts =
    word.length >= SHORTEST_WITH_PARTS &&
    !NUMBER.test(word) &&
    (!isEnglish || word.length >= COMPOUND || FOREIGN.test(word));
  return [{ term: stemOf(word), word, parts: hasParts ? partsOf(word) : [] }];
}

/**
 * Returns the groups of characters that a word has in common with its inflected forms and its compounds.
 * @param word - word in normal form
 */
export function partsOf(word: string): string[] {
  return distinct(groupsOf(word, SHORT_ROOTS.test(word) ? 3 : 4)).map(
    (part) => `${PART_MARK}${part}`,
  );
}

/**
 * Returns the stem of a word.
 * @param word - word in normal form
 */
function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stem = FOREIGN.test(word) ? word : stemmer(word);
  if (stems.size >= MOST_REMEMBERED) stems.clear();
  stems.set(word, stem);
  return stem;
}

function plain(term: string): Term {
  return { term, word: term, parts: [] };
}

function segmentsOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter("th", { granularity: "word" });
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

/** Returns the overlapping groups of characters of a run; the run itself when it is shorter. */
function groupsOf(text: string, length: number): string[] {
  const characters = [...text];
  if (characters.length <= length) return [text];
  return characters
    .slice(0, characters.length - length + 1)
    .map((_, start) => characters.slice(start, start + length).join(""));
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
