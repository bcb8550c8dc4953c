import { deserialize, serialize } from "node:v8";

/** File descriptor of the pipe in the process of a plugin. */
export const PIPE = 3;

/** Bytes before a message, which tell its length. */
const HEADER_BYTES = 4;
/** Largest message between the host and the process of a plugin, in bytes. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Returns a message as it crosses a pipe.
 * @throws DataCloneError for a value that cannot cross
 * @throws RangeError for one that is too large
 */
export function frameOf(message: unknown): Buffer {
  const body = serialize(message);
  if (body.length > MOST_BYTES) {
    throw new RangeError(`a message of ${body.length} bytes, more than ${MOST_BYTES},`);
  }
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(body.length);
  return Buffer.concat([header, body]);
}

/** Reads the messages of a pipe, whose other end may write anything. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #length = 0;

  /**
   * Adds bytes.
   * @param receive - receives each complete message
   * @throws an error when they are not messages
   */
  push(chunk: Buffer, receive: (message: unknown) => void): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    while (this.#length >= HEADER_BYTES) {
      const size = this.#head(HEADER_BYTES).readUInt32LE();
      if (size > MOST_BYTES) throw new RangeError(`a message of ${size} bytes is too large`);
      if (this.#length < HEADER_BYTES + size) return;
      const frame = this.#head(HEADER_BYTES + size);
      this.#drop(frame.length);
      receive(deserialize(frame.subarray(HEADER_BYTES)));
    }
  }

  /** Returns the first bytes. Chunks are joined only when a message is complete. */
  #head(length: number): Buffer {
    const [first] = this.#chunks;
    if (first !== undefined && first.length >= length) return first.subarray(0, length);
    const all = Buffer.concat(this.#chunks, this.#length);
    this.#chunks = [all];
    return all.subarray(0, length);
  }

  #drop(length: number): void {
    this.#length -= length;
    const [first, ...rest] = this.#chunks;
    if (first === undefined) return;
    this.#chunks = first.length === length ? rest : [first.subarray(length), ...rest];
  }
}
