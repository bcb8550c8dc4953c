/** Output from a given place on. */
export interface OutputPart {
  readonly text: string;
  /** Bytes between the wanted place and `text` that are no longer kept. */
  readonly lost: number;
  /** The place behind `text`. */
  readonly next: number;
}

/** Keeps the newest part of an output of any length, and tells places in it by their byte from the start. */
export class OutputRing {
  readonly #maxBytes: number;
  readonly #chunks: Buffer[] = [];
  #start = 0;
  #end = 0;

  /** @param maxBytes - maximum number of bytes to keep */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes that were ever added. */
  get end(): number {
    return this.#end;
  }

  /**
   * Adds output at the end.
   * @param text - decoded text
   */
  append(text: string): void {
    // Only the end of one very long chunk would be kept anyway.
    const bytes = Buffer.from(text);
    this.#chunks.push(bytes);
    this.#end += bytes.length;
    let [first] = this.#chunks;
    while (first !== undefined && this.#end - this.#start > this.#maxBytes) {
      const excess = this.#end - this.#start - this.#maxBytes;
      if (excess < first.length) {
        this.#chunks[0] = Buffer.from(first.subarray(excess));
        this.#start += excess;
      } else {
        this.#chunks.shift();
        this.#start += first.length;
      }
      [first] = this.#chunks;
    }
  }

  /**
   * Output from a place on.
   * @param place - bytes from the start of the output
   * @param maxBytes - the most to give
   */
  since(place: number, maxBytes: number): OutputPart {
    const from = Math.max(place, this.#start);
    const kept = Buffer.concat(this.#chunks).subarray(from - this.#start);
    const part = wholeCharacters(kept, maxBytes);
    return {
      text: part.toString(),
      lost: from - place,
      next: from + part.length,
    };
  }
}

/** At most so many bytes, without the first bytes of a character at the end. */
function wholeCharacters(bytes: Buffer, maxBytes: number): Buffer {
  if (bytes.length <= maxBytes) return bytes;
  let end = maxBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}
