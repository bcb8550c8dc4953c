import type { Component } from "@earendil-works/pi-tui";

/** Part of the conversation, for example a message, a paragraph group of a reply or a tool call. */
class Part {
  readonly component: Component;
  readonly isUnit: boolean;
  /** True after a change that was not drawn yet. */
  isChanged = false;
  /** Last block of the part; only this one still changes. */
  last: Block = { part: this, from: 0, shown: undefined };

  constructor(component: Component, isUnit: boolean) {
    this.component = component;
    this.isUnit = isUnit;
  }
}

/** Lines of a part that are together on the screen. A part that continues below others has several blocks. */
interface Block {
  readonly part: Part;
  /** Number of lines of the part that are in earlier blocks. */
  readonly from: number;
  /** Lines as they were last sent to the terminal; undefined before. */
  shown: readonly string[] | undefined;
}

/** Size of the terminal in characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** Part of the conversation that may change. */
export interface AddedPart {
  /** Announces that the component has other lines now. */
  changed(): void;
}

/**
 * The whole screen: the conversation, and below it the parts that stay at the end. Lines that have scrolled out of
 * the terminal keep the form in which they were shown: a terminal cannot change them, and changing one would make
 * the renderer erase and repeat everything. A part that changes there continues at the end of the conversation. When the
 * size of the terminal changes, only what fits on it is drawn again.
 */
export class Screen implements Component {
  readonly #size: TerminalSize;
  readonly #parts: Part[] = [];
  #blocks: Block[] = [];
  #bottom: readonly Component[];
  #columns = 0;
  #rows = 0;
  /** Number of lines above the terminal. */
  #above = 0;
  /** Number of lines that are not given to the renderer, because they scrolled away before the size changed. */
  #left = 0;
  #moved = 0;

  /** @param bottom - components below the conversation, from top to bottom */
  constructor(size: TerminalSize, bottom: readonly Component[]) {
    this.#size = size;
    this.#bottom = bottom;
  }

  /** True when lines above the terminal belong to the conversation, so that it fills the terminal. */
  get isLongerThanTerminal(): boolean {
    return this.#above > 0;
  }

  /** Number of lines from the first one that was drawn before the last change of the size to the first one since. */
  get moved(): number {
    return this.#moved;
  }

  /**
   * Adds a component to the end of the conversation.
   * @param component - part of the conversation
   * @param isUnit - true for a part that is shown as a whole where it continues below others, such as a tool call
   */
  add(component: Component, isUnit = false): AddedPart {
    const part = new Part(component, isUnit);
    this.#parts.push(part);
    this.#blocks.push(part.last);
    return {
      changed: () => {
        part.isChanged = true;
      },
    };
  }

  /** Leaves out what has scrolled away when everything is drawn again, after another program had the terminal. */
  refresh(): void {
    this.#left = this.#above;
  }

  /** Removes what stays below the conversation. */
  close(): void {
    this.#bottom = [];
  }

  render(width: number): string[] {
    const { columns, rows } = this.#size;
    const isResized = columns !== this.#columns || rows !== this.#rows;
    if (isResized) {
      this.#columns = columns;
      this.#rows = rows;
      this.#above = 0;
      for (const part of this.#parts) part.last = { part, from: 0, shown: undefined };
      this.#blocks = this.#parts.map(({ last }) => last);
    }
    const lines: string[] = [];
    // Blocks that are added meanwhile are drawn too.
    for (const block of this.#blocks) {
      this.#draw(block, width, Math.max(0, this.#above - lines.length));
      for (const line of block.shown ?? []) lines.push(line);
    }
    for (const component of this.#bottom) {
      for (const line of component.render(width)) lines.push(line);
    }
    this.#above = Math.max(this.#above, lines.length - rows);
    if (isResized) {
      this.#moved = this.#above - this.#left;
      this.#left = this.#above;
    }
    return lines.slice(this.#left);
  }

  invalidate(): void {
    for (const { component } of this.#parts) component.invalidate();
    for (const component of this.#bottom) component.invalidate();
  }

  /**
   * Draws a block.
   * @param above - number of lines that are above the terminal, counted from the beginning of the block
   */
  #draw(block: Block, width: number, above: number): void {
    const { part, from, shown } = block;
    const isLast = part.last === block;
    if (shown !== undefined && above > 0 && above >= shown.length) {
      if (isLast && part.isChanged) this.#continueBelow(block, width);
      return;
    }
    // An earlier block has the lines that it had when the part went on below.
    if (!isLast) return;
    part.isChanged = false;
    const drawn = part.component.render(width).slice(from);
    block.shown = shown === undefined ? drawn : withKept(shown, drawn, above);
  }

  /** Shows the lines that have changed since a part scrolled away at the end of the conversation. */
  #continueBelow({ part, from, shown = [] }: Block, width: number): void {
    part.isChanged = false;
    const drawn = part.component.render(width).slice(from);
    const same = equalLines(shown, drawn);
    if (same === drawn.length) return;
    part.last = { part, from: part.isUnit ? 0 : from + same, shown: undefined };
    this.#blocks.push(part.last);
  }
}

/** Returns the lines of a block of which the first ones have scrolled away and keep their form. */
function withKept(
  shown: readonly string[],
  drawn: readonly string[],
  above: number,
): readonly string[] {
  if (above === 0) return drawn;
  const visible = shown.slice(above);
  const end = drawn.slice(Math.max(0, drawn.length - visible.length));
  // Where only lines above the terminal have changed, those on it stay in their places.
  if (equalLines(visible, end) === visible.length) return shown;
  return [...shown.slice(0, above), ...drawn.slice(above)];
}

/** Returns the number of lines at the beginning that are equal. */
function equalLines(some: readonly string[], others: readonly string[]): number {
  const differs = some.findIndex((line, index) => line !== others[index]);
  return differs < 0 ? some.length : differs;
}
