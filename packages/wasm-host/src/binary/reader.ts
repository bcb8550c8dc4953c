import { WasmFormatError } from "../errors.js";

const TEXT = new TextDecoder("utf-8", { fatal: true });

/** Reads a part of a WebAssembly binary; each read beyond its end is a {@link WasmFormatError}. */
export class ByteReader {
  readonly bytes: Uint8Array;
  readonly end: number;
  offset: number;

  /**
   * @param bytes - the whole binary, so that offsets in errors are those of the file
   * @param offset - first byte of the part
   * @param end - first byte after the part
   */
  constructor(bytes: Uint8Array, offset = 0, end = bytes.length) {
    this.bytes = bytes;
    this.offset = offset;
    this.end = end;
  }

  get done(): boolean {
    return this.offset >= this.end;
  }

  /** Returns the next byte without consuming it. */
  peek(): number {
    return this.#byteAt(this.offset);
  }

  u8(): number {
    const value = this.#byteAt(this.offset);
    this.offset += 1;
    return value;
  }

  /** Reads an unsigned number of at most 32 bits. */
  u32(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.u8();
      if (shift === 28 && (byte & 0xf0) !== 0) break;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    return this.fail("a number has more than 32 bits");
  }

  /**
   * Skips a signed number.
   * @param bits - size of the number, 33 or 64 for example
   */
  skipSigned(bits: number): void {
    for (let read = 0; read < Math.ceil(bits / 7); read += 1) {
      if (this.u8() < 0x80) return;
    }
    this.fail(`a number has more than ${bits} bits`);
  }

  skip(count: number): void {
    if (count > this.end - this.offset) this.fail("the binary ends early");
    this.offset += count;
  }

  /** Reads a part of the given length. */
  part(length: number): ByteReader {
    const start = this.offset;
    this.skip(length);
    return new ByteReader(this.bytes, start, this.offset);
  }

  /** Reads a name in UTF-8. */
  name(): string {
    const { offset, end } = this.part(this.u32());
    try {
      return TEXT.decode(this.bytes.subarray(offset, end));
    } catch {
      return this.fail("a name is not UTF-8");
    }
  }

  /** @throws WasmFormatError with the offset of the next byte */
  fail(problem: string): never {
    throw new WasmFormatError(`${problem} at byte ${this.offset}`);
  }

  #byteAt(offset: number): number {
    const byte = offset < this.end ? this.bytes[offset] : undefined;
    return byte ?? this.fail("the binary ends early");
  }
}
