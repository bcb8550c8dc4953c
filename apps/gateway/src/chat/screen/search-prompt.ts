import {
  type Component,
  type Focusable,
  matchesKey,
  truncateToWidth,
} from "@earendil-works/pi-tui";
import type { InputSearch } from "../input/search.js";
import { typedText, withoutPasteMarks } from "./paste.js";
import { safeText } from "./safe-text.js";
import { colors } from "./theme.js";

/** Lines of an earlier input that are shown. */
const SHOWN_LINES = 5;

/** Search among earlier inputs, above the editor. Shows nothing while it is closed. */
export class SearchPrompt implements Component, Focusable {
  focused = false;
  readonly #close: (chosen: string | undefined) => void;
  #search: InputSearch | undefined;

  /** @param close - called when the user has chosen an input, or none */
  constructor(close: (chosen: string | undefined) => void) {
    this.#close = close;
  }

  /** True while the user searches. */
  get isOpen(): boolean {
    return this.#search !== undefined;
  }

  /**
   * Begins a search.
   * @param search - earlier inputs
   */
  open(search: InputSearch): void {
    this.#search = search;
  }

  handleInput(data: string): void {
    const search = this.#search;
    if (search === undefined) return;
    const text = typedText(data);
    const isCancelled = (["escape", "ctrl+c", "ctrl+g"] as const).some((key) =>
      matchesKey(data, key),
    );
    if (isCancelled) this.#end(undefined);
    else if (matchesKey(data, "ctrl+r") || matchesKey(data, "up")) search.step(1);
    else if (matchesKey(data, "ctrl+s") || matchesKey(data, "down")) search.step(-1);
    else if (matchesKey(data, "enter") || matchesKey(data, "tab")) this.#end(search.found);
    else if (matchesKey(data, "ctrl+u")) search.find("");
    else if (matchesKey(data, "backspace")) search.find([...search.term].slice(0, -1).join(""));
    else if (text !== undefined) search.find(search.term + withoutPasteMarks(text));
  }

  render(width: number): string[] {
    const search = this.#search;
    if (search === undefined) return [];
    const { found, term } = search;
    const head = `${colors.yellow("history ›")} ${safeText(term)}▏`;
    const hint = "Ctrl-R older, Ctrl-S newer, Enter takes it to the input, Esc cancels";
    const all = safeText(found ?? "").split("\n");
    const shown = found === undefined ? [colors.dim("not found")] : all.slice(0, SHOWN_LINES);
    const more = all.length > SHOWN_LINES ? [colors.dim(`… ${all.length} lines`)] : [];
    return [head, ...shown.map((line) => `  ${line}`), ...more, colors.dim(hint)].map((line) =>
      truncateToWidth(line.replaceAll("\t", "  "), width, "…"),
    );
  }

  /** Nothing is cached. */
  invalidate(): void {}

  #end(chosen: string | undefined): void {
    this.#search = undefined;
    this.#close(chosen);
  }
}
