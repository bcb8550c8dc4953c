import type {
  AutocompleteItem,
  AutocompleteProvider,
  AutocompleteSuggestions,
} from "@earendil-works/pi-tui";
import type { ChatViewHandlers } from "../view.js";
import { safeText } from "./safe-text.js";

/** Completes the word before the cursor of the editor. */
export class WordCompletion implements AutocompleteProvider {
  readonly triggerCharacters = ["@"];
  readonly #suggest: ChatViewHandlers["suggest"];

  /** @param suggest - returns the suggestions for a word */
  constructor(suggest: ChatViewHandlers["suggest"]) {
    this.#suggest = suggest;
  }

  async getSuggestions(
    lines: string[],
    cursorLine: number,
    cursorCol: number,
    { signal, force = false }: { signal: AbortSignal; force?: boolean },
  ): Promise<AutocompleteSuggestions | null> {
    const line = lines[cursorLine] ?? "";
    const prefix = wordBefore(line, cursorCol);
    const isCommand = prefix.startsWith("/") && cursorLine === 0 && cursorCol === prefix.length;
    if (!(force || isCommand || prefix.startsWith("@"))) return null;
    const suggestions = await this.#suggest(
      prefix,
      force,
      cursorLine === 0 ? line.slice(0, cursorCol) : prefix,
    );
    if (signal.aborted || suggestions.length === 0) return null;
    const items = suggestions.map(({ value, description }): AutocompleteItem => {
      const label = safeText(value);
      return description === undefined
        ? { value, label }
        : { value, label, description: safeText(description) };
    });
    return { items, prefix };
  }

  applyCompletion(
    lines: string[],
    cursorLine: number,
    cursorCol: number,
    { value }: AutocompleteItem,
  ): { lines: string[]; cursorLine: number; cursorCol: number } {
    const line = lines[cursorLine] ?? "";
    // Suggestions may be older than the last keys: what was typed since then must fit, and is replaced too.
    const typed = wordBefore(line, cursorCol);
    if (!value.startsWith(typed)) return { lines, cursorLine, cursorCol };
    const before = line.slice(0, cursorCol - typed.length);
    // A folder is completed further.
    const word = value.endsWith("/") ? value : `${value} `;
    return {
      lines: lines.with(cursorLine, before + word + line.slice(cursorCol)),
      cursorLine,
      cursorCol: before.length + word.length,
    };
  }

  shouldTriggerFileCompletion(): boolean {
    return true;
  }
}

function wordBefore(line: string, column: number): string {
  return /\S*$/.exec(line.slice(0, column))?.[0] ?? "";
}
