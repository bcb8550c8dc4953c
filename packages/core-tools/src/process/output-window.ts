/** Bytes reserved for the notice that replaces omitted output. */
const NOTICE_BYTES = 128;

/**
 * Keeps the beginning and the end of an output of any length within a fixed number of bytes.
 */
export class OutputWindow {
  readonly #headBytes: number;
  readonly #tailBytes: number;
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  #dropped = 0;

  /** @param maxBytes - the most {@link OutputWindow.text} may take as UTF-8, 1024 or more */
  constructor(maxBytes: number) {
    const room = maxBytes - NOTICE_BYTES;
    this.#headBytes = Math.floor(room / 2);
    this.#tailBytes = room - this.#headBytes;
  }

  /**
   * Adds output at the end.
   * @param text - decoded text, so that its size as UTF-8 is what counts
   */
  append(text: string): void {
    let bytes = Buffer.from(text);
    const free = this.#headBytes - this.#head.length;
    if (free > 0) {
      this.#head = Buffer.concat([this.#head, bytes.subarray(0, free)]);
      bytes = bytes.subarray(free);
    }
    const joined = Buffer.concat([this.#tail, bytes]);
    const excess = Math.max(0, joined.length - this.#tailBytes);
    this.#dropped += excess;
    // A copy, so that the dropped part is not kept alive.
    this.#tail = Buffer.from(joined.subarray(excess));
  }

  /** True when something was omitted. */
  get isTruncated(): boolean {
    return this.#dropped > 0;
  }

  /** Returns the kept output, with a notice in the middle if something was omitted. */
  text(): string {
    if (this.#dropped === 0) return Buffer.concat([this.#head, this.#tail]).toString();
    const head = wholeStart(this.#head);
    const tail = wholeEnd(this.#tail);
    const left =
      this.#dropped + (this.#head.length - head.length) + (this.#tail.length - tail.length);
    return `${head}\n[… ${left} bytes of output left out here …]\n${tail}`;
  }

  /** Returns the newest output, at most this many bytes. */
  latest(bytes: number): string {
    const all = this.#tail.length > 0 ? this.#tail : this.#head;
    return wholeEnd(all.subarray(Math.max(0, all.length - bytes))).toString();
  }
}

/** Without the bytes of a character that was cut through at the end. */
function wholeStart(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && isContinuation(bytes[end - 1])) end -= 1;
  const lead = bytes[end - 1] ?? 0;
  const width = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return end - 1 + width === bytes.length ? bytes : bytes.subarray(0, Math.max(0, end - 1));
}

/** Without the bytes of a character that was cut through at the start. */
function wholeEnd(bytes: Buffer): Buffer {
  let start = 0;
  while (start < bytes.length && isContinuation(bytes[start])) start += 1;
  return bytes.subarray(start);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
