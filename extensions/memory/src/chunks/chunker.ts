import { WORD_UNITS } from "../text/scripts.js";

/** Sizes of chunks in words. */
export interface ChunkerOptions {
  /** Number of words of a chunk. */
  readonly size: number;
  /** Share of a chunk that the next one repeats, from 0 to 0.5. */
  readonly overlap: number;
  /** A shorter last part is added to the previous chunk. */
  readonly minimum: number;
}

/** Sizes with which the search of long documents was best, by `bench/chunk-size.mjs` (MEM-009). */
export const DEFAULT_CHUNKER: ChunkerOptions = { size: 100, overlap: 0.3, minimum: 25 };

/** Part of a text. */
export interface Chunk {
  readonly text: string;
  /** Offset of the first character in the text, in UTF-16 units. */
  readonly offset: number;
  /** Number of words. */
  readonly size: number;
}

/**
 * Divides a text into overlapping chunks of whole words (MEM-009); in scripts without spaces, two or four characters count
 * as a word. A text up to the size of a chunk is one chunk and kept
 * as it is; a blank text has none (MEM-010).
 * @param text - text of a document
 * @param options - sizes in words
 */
export function chunksOf(text: string, options: ChunkerOptions = DEFAULT_CHUNKER): Chunk[] {
  const words = [...text.matchAll(WORD_UNITS)];
  if (words.length === 0) return [];
  const size = Math.max(1, Math.floor(options.size));
  if (words.length <= size) return [{ text, offset: 0, size: words.length }];
  const overlap = Math.min(Math.max(options.overlap, 0), 0.5);
  const step = size - Math.floor(size * overlap);
  const pieces: RegExpExecArray[][] = [];
  for (let start = 0; start < words.length; start += step) {
    const piece = words.slice(start, start + size);
    const previous = pieces.at(-1);
    const isLast = start + step >= words.length;
    if (isLast && piece.length < options.minimum && previous !== undefined) previous.push(...piece);
    else pieces.push(piece);
  }
  return pieces.map((piece) => ({
    text: joined(piece, text),
    offset: piece[0]?.index ?? 0,
    size: piece.length,
  }));
}

/** Joins words by a space where the text has white space between them. */
function joined(piece: readonly RegExpExecArray[], text: string): string {
  return piece
    .map(([word], place) => {
      const { index = 0 } = piece[place] ?? {};
      const isSpaced = index > 0 && /\s/u.test(text[index - 1] ?? "");
      return place > 0 && isSpaced ? ` ${word}` : word;
    })
    .join("");
}
