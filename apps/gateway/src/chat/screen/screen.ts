import type { Component } from "@earendil-works/pi-tui";

/** Part of the conversation on the screen. */
interface Block {
  readonly component: Component;
  /** Lines as they were last sent to the terminal. */
  shown: readonly string[];
}

/** Size of the terminal in characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/**
 * The whole screen: the conversation, and below it the parts that stay at the end. Lines that have scrolled out of
 * the terminal keep the form in which they were shown: a terminal cannot change them, and changing one would make
 * the renderer erase and repeat everything. They get their new form when the size changes.
 */
export class Screen implements Component {
  readonly #size: TerminalSize;
  readonly #blocks: Block[] = [];
  #bottom: readonly Component[];
  #columns = 0;
  #rows = 0;
  /** Number of lines above the terminal. */
  #above = 0;

  /**
   * @param size - size of the terminal
   * @param bottom - components below the conversation, from top to bottom
   */
  constructor(size: TerminalSize, bottom: readonly Component[]) {
    this.#size = size;
    this.#bottom = bottom;
  }

  /**
   * Adds a component to the end of the conversation.
   * @param component - part of the conversation
   */
  add(component: Component): void {
    this.#blocks.push({ component, shown: [] });
  }

  /** Removes what stays below the conversation. */
  close(): void {
    this.#bottom = [];
  }

  render(width: number): string[] {
    const { columns, rows } = this.#size;
    if (columns !== this.#columns || rows !== this.#rows) {
      this.#columns = columns;
      this.#rows = rows;
      this.#above = 0;
      for (const block of this.#blocks) block.shown = [];
    }
    const lines: string[] = [];
    for (const block of this.#blocks) {
      const kept = Math.min(block.shown.length, Math.max(0, this.#above - lines.length));
      if (kept === 0 || kept < block.shown.length) {
        const drawn = block.component.render(width);
        block.shown = kept === 0 ? drawn : [...block.shown.slice(0, kept), ...drawn.slice(kept)];
      }
      for (const line of block.shown) lines.push(line);
    }
    for (const component of this.#bottom) {
      for (const line of component.render(width)) lines.push(line);
    }
    this.#above = Math.max(this.#above, lines.length - rows);
    return lines;
  }

  invalidate(): void {
    for (const { component } of this.#blocks) component.invalidate();
    for (const component of this.#bottom) component.invalidate();
  }
}
