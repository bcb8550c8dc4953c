/** Chunk of a reply that its reader has not seen yet. */
export interface TextChunk {
  readonly text: string;
  /** True when the chunk starts a further part of the reply. */
  readonly startsPart: boolean;
}

/** Separates the parts of a reply in one text. */
export const BETWEEN_PARTS = "\n\n";

/**
 * Text of a turn as its reader sees it grow. The text of each model call is a separate part; the turn's
 * final text may repeat them or the last one, continue them, or be different.
 */
export class ShownText {
  #all = "";
  #part = "";
  #isOver = false;

  /** Ends the part; later text starts another one. */
  endPart(): void {
    this.#isOver = true;
  }

  /**
   * Adds text of a model call.
   * @param text - next chunk, not empty
   * @returns the chunk to show
   */
  add(text: string): TextChunk {
    const startsPart = this.#isOver && this.#all !== "";
    this.#isOver = false;
    this.#part = startsPart ? text : this.#part + text;
    this.#all += startsPart ? BETWEEN_PARTS + text : text;
    return { text, startsPart };
  }

  /**
   * Returns the chunks of the turn's final text that were not shown yet.
   * @param text - final text, empty when there is none
   * @param parts - its parts; default the whole text
   */
  rest(text: string, parts: readonly string[] = [text]): readonly TextChunk[] {
    if (this.#all.endsWith(text)) return [];
    // Plugins changed an earlier part, which its reader has already seen.
    if (this.#part !== "" && text.endsWith(this.#part)) return [];
    const known = [this.#all, this.#part].find((each) => each !== "" && text.startsWith(each));
    return chunksAfter(known?.length ?? 0, parts, {
      continues: known !== undefined,
      follows: this.#all !== "",
    });
  }
}

/** Returns the chunks of a text from an index on. */
function chunksAfter(
  shown: number,
  parts: readonly string[],
  { continues, follows }: { readonly continues: boolean; readonly follows: boolean },
): TextChunk[] {
  const chunks: TextChunk[] = [];
  let start = 0;
  for (const part of parts) {
    const from = Math.max(start, shown);
    const text = part.slice(from - start);
    const isWhole = from === start && (start > 0 || !continues);
    const isFirst = chunks.length === 0 && !follows;
    if (text !== "") chunks.push({ text, startsPart: isWhole && !isFirst });
    start += part.length + BETWEEN_PARTS.length;
  }
  return chunks;
}
