import type { Component } from "@earendil-works/pi-tui";
import { diffLines } from "./diff-lines.js";
import { colors } from "./theme.js";
import type { Expansion } from "./tool-card.js";

/** Lines of a diff that stay visible when it is folded. */
const FOLDED_LINES = 20;

/** Change that the user allowed, which stays in the scrollback: a diff, folded when it is long. */
export class ChangeCard implements Component {
  readonly #diff: string;
  readonly #expansion: Expansion;

  /**
   * @param diff - unified diff
   * @param expansion - shared by all cards
   */
  constructor(diff: string, expansion: Expansion) {
    this.#diff = diff;
    this.#expansion = expansion;
  }

  render(width: number): string[] {
    const lines = diffLines(this.#diff, width);
    const hidden = lines.length - FOLDED_LINES;
    if (hidden <= 0 || this.#expansion.isExpanded) return lines;
    const more = colors.dim(
      `… ${hidden} more ${hidden === 1 ? "line" : "lines"} (Ctrl-O shows all)`,
    );
    return [...lines.slice(0, FOLDED_LINES), more];
  }

  /** Nothing is cached. */
  invalidate(): void {}
}
