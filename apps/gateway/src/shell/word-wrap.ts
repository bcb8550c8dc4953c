import { stripVTControlCharacters } from "node:util";

/** Fence of a block of code. */
const FENCE = /^\s*(?:```|~~~)/;
const segmenter = new Intl.Segmenter();

/**
 * Wraps text at words while it is written, for terminals that would wrap it within words. Code between fences, and words
 * that are longer than a line, stay as they are.
 */
export class WordWrap {
  readonly #write: (text: string) => void;
  readonly #columns: () => number | undefined;
  /** Line so far as it was received, without the word that is not complete. */
  #line = "";
  /** Number of columns of the row on the terminal. */
  #column = 0;
  /** Spaces and the word after them that are not written yet. */
  #spaces = "";
  #word = "";
  #isInCode = false;

  /**
   * @param write - writes to the terminal
   * @param columns - returns the width of the terminal; undefined leaves the text as it is
   */
  constructor(write: (text: string) => void, columns: () => number | undefined) {
    this.#write = write;
    this.#columns = columns;
  }

  /**
   * Writes text; the last word may wait for its end.
   * @param text - next part of the text
   */
  write(text: string): void {
    if (this.#columns() === undefined) {
      this.flush();
      this.#write(text);
      return;
    }
    for (const part of text.match(/\n|[ \t]+|[^ \t\n]+/g) ?? []) {
      if (part === "\n") this.#endLine();
      else if (/^[ \t]/.test(part)) {
        this.flush();
        this.#spaces += part;
      } else this.#word += part;
    }
  }

  /** Writes the word that waits for its end. */
  flush(): void {
    const columns = this.#columns() ?? Number.POSITIVE_INFINITY;
    if (this.#word === "") return;
    const width = widthOf(this.#spaces) + widthOf(this.#word);
    const isCode = this.#isInCode || FENCE.test(this.#line + this.#spaces + this.#word);
    if (!isCode && this.#column > 0 && this.#column + width > columns) {
      this.#write(`\n${this.#word}`);
      this.#column = widthOf(this.#word);
    } else {
      this.#write(`${this.#spaces}${this.#word}`);
      this.#column += width;
    }
    // A word that is longer than a line continues in the next rows.
    if (columns !== Number.POSITIVE_INFINITY && this.#column > columns) this.#column %= columns;
    this.#line += this.#spaces + this.#word;
    this.#spaces = "";
    this.#word = "";
  }

  #endLine(): void {
    this.flush();
    if (FENCE.test(this.#line)) this.#isInCode = !this.#isInCode;
    this.#write(`${this.#spaces}\n`);
    this.#spaces = "";
    this.#line = "";
    this.#column = 0;
  }
}

/**
 * Returns a line wrapped at words.
 * @param line - text, which may have colours
 * @param columns - width of the terminal; undefined leaves the line as it is
 */
export function wrapAtWords(line: string, columns: number | undefined): string {
  let wrapped = "";
  const wrap = new WordWrap(
    (text) => {
      wrapped += text;
    },
    () => columns,
  );
  wrap.write(line);
  wrap.flush();
  return wrapped;
}

/** Returns the number of columns of a text; wide characters have two. */
function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of segmenter.segment(stripVTControlCharacters(text))) {
    width +=
      segment === "\t"
        ? 8
        : /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6])/u.test(
              segment,
            )
          ? 2
          : 1;
  }
  return width;
}
