import { stripVTControlCharacters } from "node:util";
import { matchesKey } from "@earendil-works/pi-tui";
import { withoutPasteMarks } from "./paste.js";
import { safeText } from "./safe-text.js";
import { colors } from "./theme.js";

/** Keys that scroll, and their number of rows. */
const SCROLL_KEYS = [
  ["up", -1],
  ["down", 1],
  ["pageUp", -10],
  ["pageDown", 10],
  ["home", Number.NEGATIVE_INFINITY],
  ["end", Number.POSITIVE_INFINITY],
] as const;
/** Rows above a match that was searched. */
const ABOVE_MATCH = 3;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with Escape
const COLOUR = /(\u001b\[[0-9;]*m)/;

/** Search in the text of a card. */
interface Search {
  readonly term: string;
  /** True while the term is typed. */
  readonly isTyping: boolean;
  /** Number of the match that is shown, counted from the first match at or below `from`; any integer. */
  readonly step: number;
  /** First row that was shown when the search began. */
  readonly from: number;
}

/** Rows of a text that are shown, and a line about the rest. */
export interface ShownPage {
  readonly rows: readonly string[];
  /** Position, keys and the state of a search; undefined when everything is shown. */
  readonly footer: string | undefined;
}

/** Shows a part of a long text, scrolls it with keys, and finds text in it. */
export class CardPager {
  #top = 0;
  /** True when the text was longer than its place. */
  #isLong = false;
  #search: Search | undefined;
  /** True while the text must move to the match that is shown. */
  #isMoved = false;

  /** True while the term of a search is typed, which every key belongs to. */
  get isTyping(): boolean {
    return this.#search?.isTyping === true;
  }

  /** True when the text was longer than its place when it was last shown. */
  get isLong(): boolean {
    return this.#isLong;
  }

  /** Begins a search. */
  search(): void {
    this.#search = { term: "", isTyping: true, step: 0, from: this.#top };
  }

  /** Ends the search; what it found stays on the screen. */
  endSearch(): void {
    this.#search = undefined;
  }

  /**
   * Handles a key that scrolls.
   * @returns true when it does
   */
  scroll(data: string): boolean {
    const found = SCROLL_KEYS.find(([key]) => matchesKey(data, key));
    if (found === undefined) return false;
    this.#top = Math.max(0, this.#top + found[1]);
    return true;
  }

  /**
   * Handles a key while the term is typed.
   * @param text - text of the key or of a paste; undefined for a key without text
   */
  type(data: string, text: string | undefined): void {
    const { term = "", step = 0, from = 0 } = this.#search ?? {};
    if (matchesKey(data, "escape")) this.endSearch();
    else if (matchesKey(data, "enter")) this.#search = { term, isTyping: false, step, from };
    else if (matchesKey(data, "backspace")) {
      const shorter = [...term].slice(0, -1).join("");
      this.#search = term === "" ? undefined : { term: shorter, isTyping: true, step: 0, from };
    } else if (text !== undefined) {
      this.#search = { term: term + withoutPasteMarks(text), isTyping: true, step: 0, from };
    }
    if (this.#search?.term === "" && !this.#search.isTyping) this.endSearch();
    else this.#isMoved = true;
  }

  /**
   * Handles a key of a search whose term is typed: `n` shows the next match, and `N` the previous one.
   * @returns true when the key belongs to the search
   */
  step(data: string): boolean {
    const search = this.#search;
    if (search === undefined || (data !== "n" && data !== "N")) return false;
    this.#search = { ...search, step: search.step + (data === "n" ? 1 : -1) };
    this.#isMoved = true;
    return true;
  }

  /**
   * Returns the part of a text that is shown.
   * @param lines - rows of each line, with colours
   * @param height - number of rows that have a place
   */
  page(lines: readonly (readonly string[])[], height: number): ShownPage {
    const matches = this.#matchesIn(lines);
    const current = this.#currentOf(matches);
    if (this.#isMoved && current !== undefined) this.#top = Math.max(0, current - ABOVE_MATCH);
    this.#isMoved = false;
    const rows = lines.flat();
    const hidden = rows.length - Math.min(rows.length, height);
    this.#isLong = hidden > 0;
    this.#top = Math.max(0, Math.min(this.#top, hidden));
    const marked = rows.map((row, index) => this.#marked(row, index === current));
    const shown = marked.slice(this.#top, this.#top + height);
    const last = this.#top + shown.length;
    const position = hidden > 0 ? `lines ${this.#top + 1} to ${last} of ${rows.length}` : "";
    return { rows: shown, footer: this.#footer(position, matches, current) };
  }

  #footer(
    position: string,
    matches: readonly number[],
    current: number | undefined,
  ): string | undefined {
    const search = this.#search;
    if (search === undefined) {
      return position === "" ? undefined : `${position}; ↑ ↓ PgUp PgDn Home End scroll, / searches`;
    }
    const term = safeText(search.term);
    if (search.isTyping) return `/${term}▏  ${countOf(search, matches)}Enter keeps it, Esc ends it`;
    const found =
      current === undefined
        ? "not found"
        : `match ${matches.indexOf(current) + 1} of ${matches.length}`;
    return `/${term}  ${found}; n next, N previous, Esc ends the search`;
  }

  /** Returns the row of the match that is shown. */
  #currentOf(matches: readonly number[]): number | undefined {
    if (this.#search === undefined || matches.length === 0) return undefined;
    const { from, step } = this.#search;
    const first = Math.max(
      0,
      matches.findIndex((row) => row >= from),
    );
    const index = (((first + step) % matches.length) + matches.length) % matches.length;
    return matches[index];
  }

  /** Returns the rows with a match, also of a match that continues in the next row. */
  #matchesIn(lines: readonly (readonly string[])[]): number[] {
    const pattern = this.#pattern();
    if (pattern === undefined) return [];
    const matches: number[] = [];
    let row = 0;
    for (const rows of lines) {
      const plain = rows.map((each) => stripVTControlCharacters(each));
      const found = plain.flatMap((text, index) => (hasMatch(text, pattern) ? [row + index] : []));
      // The signs of a diff are repeated in each row, and a space is lost where a line is wrapped.
      const [first = "", ...rest] = plain;
      const whole = [first, ...rest.map((text) => text.replace(/^[+\- ]/, ""))];
      if (found.length > 0) matches.push(...found);
      else if ([whole.join(" "), whole.join("")].some((text) => hasMatch(text, pattern)))
        matches.push(row);
      row += rows.length;
    }
    return matches;
  }

  #marked(row: string, isCurrent: boolean): string {
    const pattern = this.#pattern();
    if (pattern === undefined) return row;
    const mark = isCurrent ? colors.inverse : colors.underline;
    return row
      .split(COLOUR)
      .map((part) => (COLOUR.test(part) ? part : part.replace(pattern, (text) => mark(text))))
      .join("");
  }

  /** A term with a capital letter is searched exactly. */
  #pattern(): RegExp | undefined {
    const term = this.#search?.term ?? "";
    if (term === "") return undefined;
    const literal = safeText(term).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return new RegExp(literal, term === term.toLowerCase() ? "giu" : "gu");
  }
}

function countOf({ term }: Search, matches: readonly number[]): string {
  if (term === "") return "";
  return matches.length === 0 ? "not found; " : `${matches.length} found; `;
}

function hasMatch(text: string, pattern: RegExp): boolean {
  return text.search(pattern) >= 0;
}
