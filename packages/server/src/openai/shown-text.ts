/**
 * The text of a turn as its reader sees it grow. What one model call says is a paragraph of its own;
 * the turn's final text may repeat the last of them, continue it, or be another.
 */
export class ShownText {
  #all = "";
  #paragraph = "";
  #isOver = false;

  /** Ends the paragraph; a text that follows begins another. */
  endParagraph(): void {
    this.#isOver = true;
  }

  /**
   * Adds what a model call says.
   * @param delta - the next piece, not empty
   * @returns what to show
   */
  add(delta: string): string {
    const isNew = this.#isOver && this.#all !== "";
    const piece = isNew ? `\n\n${delta}` : delta;
    this.#isOver = false;
    this.#paragraph = isNew ? delta : this.#paragraph + delta;
    this.#all += piece;
    return piece;
  }

  /**
   * What is left to show of the turn's final text.
   * @param text - the final text, empty when there is none
   */
  rest(text: string): string {
    if (this.#all.endsWith(text)) return "";
    return text.startsWith(this.#paragraph) ? text.slice(this.#paragraph.length) : `\n\n${text}`;
  }
}
