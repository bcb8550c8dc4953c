/**
 * Text of a turn as its reader sees it grow. The text of each model call is a separate paragraph; the turn's
 * final text may repeat them or the last one, continue them, or be different.
 */
export class ShownText {
  #all = "";
  #paragraph = "";
  #isOver = false;

  /** Ends the paragraph; later text starts another one. */
  endParagraph(): void {
    this.#isOver = true;
  }

  /**
   * Adds text of a model call.
   * @param delta - next chunk, not empty
   * @returns text to show
   */
  add(delta: string): string {
    const isNew = this.#isOver && this.#all !== "";
    const chunk = isNew ? `\n\n${delta}` : delta;
    this.#isOver = false;
    this.#paragraph = isNew ? delta : this.#paragraph + delta;
    this.#all += chunk;
    return chunk;
  }

  /**
   * Returns the part of the turn's final text that was not shown yet.
   * @param text - final text, empty when there is none
   */
  rest(text: string): string {
    if (this.#all.endsWith(text)) return "";
    // Plugins changed an earlier paragraph, which its reader has already seen.
    if (this.#paragraph !== "" && text.endsWith(this.#paragraph)) return "";
    if (this.#all !== "" && text.startsWith(this.#all)) return text.slice(this.#all.length);
    return text.startsWith(this.#paragraph) ? text.slice(this.#paragraph.length) : `\n\n${text}`;
  }
}
