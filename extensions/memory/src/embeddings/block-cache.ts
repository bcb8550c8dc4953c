import type { CodeBlock } from "./vector-codes.js";

/** Maximum size of the blocks in memory, in bytes: 800,000 codes of the default model. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Blocks that were used last, by ID. */
export class BlockCache {
  readonly #limit: number;
  readonly #blocks = new Map<number, CodeBlock>();
  #bytes = 0;

  /** @param limit - maximum size in bytes */
  constructor(limit = MOST_BYTES) {
    this.#limit = limit;
  }

  /**
   * Returns a block, and notes its use.
   * @param id - ID of the block
   */
  get(id: number): CodeBlock | undefined {
    const block = this.#blocks.get(id);
    if (block === undefined) return undefined;
    this.#blocks.delete(id);
    this.#blocks.set(id, block);
    return block;
  }

  /**
   * Keeps a block, and drops those whose last use is longest ago.
   * @param id - ID of the block
   */
  set(id: number, block: CodeBlock): void {
    if (this.#blocks.has(id)) return;
    this.#blocks.set(id, block);
    this.#bytes += bytesOf(block);
    for (const [oldest, other] of this.#blocks) {
      if (this.#bytes <= this.#limit) return;
      this.#blocks.delete(oldest);
      this.#bytes -= bytesOf(other);
    }
  }
}

function bytesOf({ chunks, scales, codes }: CodeBlock): number {
  return chunks.byteLength + scales.byteLength + codes.byteLength;
}
