import { type Component, Text } from "@earendil-works/pi-tui";
import { safeText } from "./safe-text.js";
import { colors } from "./theme.js";
import type { Expansion } from "./tool-card.js";

/** Lines of a message that are shown while it is folded. */
const FOLDED_LINES = 12;

/** Message of a person in the conversation. A long one is folded until the user expands everything. */
export class UserMessage implements Component {
  readonly #folded: Text;
  readonly #whole: Text;
  readonly #expansion: Expansion;

  /**
   * @param text - message text
   * @param author - `you`, or where it came from
   * @param short - the text with a short form of each long paste; the text itself when there is none
   * @param expansion - shared by all messages and tool cards
   */
  constructor(text: string, author: string, short: string, expansion: Expansion) {
    const name = colors.cyan(`${safeText(author)} ›`);
    this.#whole = new Text(`${name} ${safeText(text)}`, 0, 0);
    this.#folded = new Text(`${name} ${folded(short, text !== short)}`, 0, 0);
    this.#expansion = expansion;
  }

  render(width: number): string[] {
    return (this.#expansion.isExpanded ? this.#whole : this.#folded).render(width);
  }

  invalidate(): void {
    this.#folded.invalidate();
    this.#whole.invalidate();
  }
}

function folded(text: string, isShort: boolean): string {
  const lines = text.split("\n");
  const more = lines.length - FOLDED_LINES;
  const shown = safeText(lines.slice(0, more > 0 ? FOLDED_LINES : lines.length).join("\n"));
  const rest = more > 0 ? ` [${more} more lines]` : "";
  if (!isShort && more <= 0) return shown;
  return `${shown}${colors.dim(`${rest} (Ctrl-O shows all)`)}`;
}

/**
 * Returns text of the editor with a short form of each long paste.
 * @param draft - text of the editor with its marks of pastes
 */
export function withShortPastes(draft: string): string {
  return draft.replaceAll(
    /\[paste #\d+ (?:\+(\d+) lines|(\d+) chars)\]/g,
    (_mark, lines?: string, characters?: string) =>
      lines === undefined ? `[pasted ${characters} characters]` : `[pasted ${lines} lines]`,
  );
}
