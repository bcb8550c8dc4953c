import { characterGroupRows } from "./character-groups.js";
import { readModelFile, type WordTable } from "./model-file.js";
import { compoundWords, textWords } from "./words.js";

/** Embedding model of English strings. */
export interface WordEmbeddings {
  /** ID of the model with its version. Vectors of different IDs cannot be compared. */
  readonly id: string;
  /** Length of the vectors. */
  readonly dimensions: number;
  /**
   * Returns the vector of a text: the weighted mean of the vectors of its words, with length 1, so that the dot
   * product of two vectors is their cosine similarity. Words that the model does not know get a vector from the
   * characters that they consist of. The vector of a text without Latin letters and digits is zero.
   * @param text - text of any length; its words count, their order does not
   */
  embed(text: string): Float32Array;
  /**
   * Returns the share of the words of a text that the model knows, from 0 to 1; 0 for a text without words. A low
   * share means that the text is not English.
   * @param text - text of any length
   */
  coverage(text: string): number;
}

/** Model file of this package. */
const MODEL_FILE = new URL("../model/embeddings-en.bin", import.meta.url);

/** Rows of the model that one spelling stands for, and whether they are of words. */
interface FoundRows {
  readonly rows: readonly number[];
  readonly isKnown: boolean;
}

/** Unknown words whose rows are kept, so that a document that repeats one hashes it once. */
const MOST_REMEMBERED = 4096;

class TableEmbeddings implements WordEmbeddings {
  readonly id: string;
  readonly dimensions: number;
  readonly #table: WordTable;
  readonly #unknown = new Map<string, FoundRows>();

  constructor(table: WordTable) {
    this.id = table.header.id;
    this.dimensions = table.dimensions;
    this.#table = table;
  }

  embed(text: string): Float32Array {
    const sum = new Float64Array(this.dimensions);
    for (const { word, spelling } of textWords(text)) {
      const known = this.#table.rows.get(word);
      if (known !== undefined) {
        this.#add(sum, known, 1);
        continue;
      }
      const { rows } = this.#rowsOf(word, spelling);
      for (const row of rows) this.#add(sum, row, 1 / rows.length);
    }
    return normalized(sum, this.#table.header.parts);
  }

  coverage(text: string): number {
    const words = textWords(text);
    if (words.length === 0) return 0;
    const known = words.filter(
      ({ word, spelling }) => this.#table.rows.has(word) || this.#rowsOf(word, spelling).isKnown,
    );
    return known.length / words.length;
  }

  #add(sum: Float64Array, row: number, share: number): void {
    const { scales, values, header } = this.#table;
    const { parts } = header;
    let at = 0;
    let from = row * sum.length;
    for (let part = 0; part < parts.length; part += 1) {
      const scale = (scales[row * parts.length + part] ?? 0) * share;
      for (const end = at + (parts[part] ?? 0); at < end; at += 1, from += 1) {
        sum[at] = (sum[at] ?? 0) + (values[from] ?? 0) * scale;
      }
    }
  }

  /** Returns the rows of a word that the table does not have: those of its parts, else of its characters. */
  #rowsOf(word: string, spelling: string): FoundRows {
    const remembered = this.#unknown.get(spelling);
    if (remembered !== undefined) return remembered;
    const { words, groups } = this.#table.header;
    const parts = compoundWords(spelling).flatMap((part) => this.#table.rows.get(part) ?? []);
    const found: FoundRows =
      parts.length > 1
        ? { rows: parts, isKnown: true }
        : { rows: groupsOf(word, groups).map((row) => words + row), isKnown: false };
    if (this.#unknown.size >= MOST_REMEMBERED) this.#unknown.clear();
    this.#unknown.set(spelling, found);
    return found;
  }
}

/** Letters and digits of words whose characters say something to the model. */
const LATIN = /[a-z0-9]/;

/** Returns the rows of the groups of characters of a word; none for a word in another script. */
function groupsOf(word: string, groups: number): number[] {
  return LATIN.test(word) ? characterGroupRows(word, groups) : [];
}

let loaded: WordEmbeddings | undefined;

/**
 * Returns the model. The first call reads its file, which takes about 20 ms and as much memory as the file is long;
 * later calls return the same object.
 * @throws Error when the file is missing or damaged
 */
export function loadWordEmbeddings(): WordEmbeddings {
  loaded ??= new TableEmbeddings(readModelFile(MODEL_FILE));
  return loaded;
}

/**
 * Returns a vector of length 1 whose parts have equal lengths, so that the similarity of two vectors is the mean of those
 * of their parts. Plain loops take a third of the time of the methods of arrays.
 */
function normalized(sum: Float64Array, parts: readonly number[]): Float32Array {
  const vector = new Float32Array(sum.length);
  const lengths: number[] = [];
  let at = 0;
  for (const part of parts) {
    let squares = 0;
    for (const end = at + part; at < end; at += 1) squares += (sum[at] ?? 0) ** 2;
    lengths.push(Math.sqrt(squares));
  }
  const filled = lengths.filter((length) => length > 0).length;
  at = 0;
  for (const [index, part] of parts.entries()) {
    const length = (lengths[index] ?? 0) * Math.sqrt(filled);
    for (const end = at + part; at < end; at += 1) {
      if (length > 0) vector[at] = (sum[at] ?? 0) / length;
    }
  }
  return vector;
}
