import { elementAt } from "./checked-index.js";
import type { Range } from "./range.js";

/** Maps offsets in a derived text to the text it was derived from. */
export interface OffsetMap {
  /** Returns the range of the source from which a range of the derived text was made. */
  toSource(range: Range): Range;
}

/** Map of a text that is its own source. */
export const SAME_OFFSETS: OffsetMap = { toSource: (range) => range };

/**
 * Returns the map of a text derived in two steps.
 * @param first - map from the intermediate text to the source
 * @param second - map from the last text to the intermediate text
 */
export function chainOffsets(first: OffsetMap, second: OffsetMap): OffsetMap {
  return { toSource: (range) => first.toSource(second.toSource(range)) };
}

/**
 * Marks a stretch that was copied unit by unit; any other width is the source of the complete
 * stretch.
 */
const COPIED = -1;

/** Offsets of a text that is written from left to right by copying, dropping and replacing. */
export class OffsetTable implements OffsetMap {
  readonly #starts: number[] = [];
  readonly #sources: number[] = [];
  readonly #widths: number[] = [];
  #length = 0;
  #source = 0;

  /** Records that the next units of the source were copied unchanged. */
  copy(length: number): void {
    if (length > 0) this.#begin(COPIED);
    this.#length += length;
    this.#source += length;
  }

  /** Records that `width` units of the source became `length` other units. */
  replace(length: number, width: number): void {
    if (length > 0) this.#begin(width);
    this.#length += length;
    this.#source += width;
  }

  toSource([start, end]: Range): Range {
    const from = this.#stretchAt(start);
    const width = elementAt(this.#widths, from);
    const source = elementAt(this.#sources, from);
    const first = width === COPIED ? source + start - elementAt(this.#starts, from) : source;
    return [first, this.#endOf(end - 1)];
  }

  #endOf(last: number): number {
    const stretch = this.#stretchAt(last);
    const width = elementAt(this.#widths, stretch);
    const source = elementAt(this.#sources, stretch);
    if (width !== COPIED) return source + width;
    return source + last - elementAt(this.#starts, stretch) + 1;
  }

  #begin(width: number): void {
    this.#starts.push(this.#length);
    this.#sources.push(this.#source);
    this.#widths.push(width);
  }

  /** Returns the index of the stretch that contains an offset of the derived text. */
  #stretchAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (elementAt(this.#starts, middle) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
