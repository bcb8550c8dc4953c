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
   * characters that they consist of. The vector of a text without letters and digits is zero.
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
    this.dimensions = table.header.dimensions;
    this.#table = table;
  }

  embed(text: string): Float32Array {
    const { scales, values } = this.#table;
    const { dimensions } = this;
    const sum = new Float64Array(dimensions);
    for (const { word, spelling } of textWords(text)) {
      const known = this.#table.rows.get(word);
      if (known !== undefined) {
        addRow(sum, values, known * dimensions, scales[known] ?? 0);
        continue;
      }
      const { rows } = this.#rowsOf(word, spelling);
      for (const row of rows)
        addRow(sum, values, row * dimensions, (scales[row] ?? 0) / rows.length);
    }
    return normalized(sum);
  }

  coverage(text: string): number {
    const words = textWords(text);
    if (words.length === 0) return 0;
    const known = words.filter(
      ({ word, spelling }) => this.#table.rows.has(word) || this.#rowsOf(word, spelling).isKnown,
    );
    return known.length / words.length;
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
        : { rows: characterGroupRows(word, groups).map((row) => words + row), isKnown: false };
    if (this.#unknown.size >= MOST_REMEMBERED) this.#unknown.clear();
    this.#unknown.set(spelling, found);
    return found;
  }
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

function addRow(sum: Float64Array, values: Int8Array, start: number, scale: number): void {
  for (let index = 0; index < sum.length; index += 1) {
    sum[index] = (sum[index] ?? 0) + (values[start + index] ?? 0) * scale;
  }
}

/** Returns a vector of length 1. Plain loops take a third of the time of the methods of arrays. */
function normalized(sum: Float64Array): Float32Array {
  let squares = 0;
  for (const value of sum) squares += value * value;
  const vector = new Float32Array(sum.length);
  if (squares === 0) return vector;
  const length = Math.sqrt(squares);
  for (let index = 0; index < sum.length; index += 1) vector[index] = (sum[index] ?? 0) / length;
  return vector;
}
