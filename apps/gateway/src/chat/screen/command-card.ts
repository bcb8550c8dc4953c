import { stripVTControlCharacters } from "node:util";
import { type Component, truncateToWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { endOfText } from "@openclaw/foundation";
import type { CommandView } from "../view.js";
import { safeText } from "./safe-text.js";
import { colors } from "./theme.js";
import type { Expansion } from "./tool-card.js";

/** Last rows of the output that stay visible when it is folded, and when it is expanded. */
const FOLDED_ROWS = 20;
const EXPANDED_ROWS = 2000;

/** Characters of the output that are kept. */
const KEPT = 256_000;

/** Command that the user ran, with its output. */
export class CommandCard implements Component, CommandView {
  readonly #command: string;
  readonly #place: string | undefined;
  readonly #expansion: Expansion;
  readonly #changed: () => void;
  #output = "";
  #end: Parameters<CommandView["finish"]>[0] | undefined;

  /**
   * @param started - command as the user typed it, and where it runs when that is not obvious
   * @param expansion - shared by all cards
   * @param changed - called when other lines are shown
   */
  constructor(
    { command, place }: { readonly command: string; readonly place: string | undefined },
    expansion: Expansion,
    changed: () => void,
  ) {
    this.#command = command;
    this.#place = place;
    this.#expansion = expansion;
    this.#changed = changed;
  }

  output(text: string): void {
    this.#output = endOfText(`${this.#output}${text}`, KEPT);
    this.#changed();
  }

  finish(end: Parameters<CommandView["finish"]>[0]): void {
    this.#end = end;
    this.#changed();
  }

  render(width: number): string[] {
    const head = wrapTextWithAnsi(`${colors.cyan("!")} ${safeText(this.#command)}`, width);
    const place =
      this.#place === undefined
        ? []
        : wrapTextWithAnsi(safeText(this.#place), width).map((line) => colors.dim(line));
    const rows = outputRows(this.#output, width);
    const hidden = rows.length - (this.#expansion.isExpanded ? EXPANDED_ROWS : FOLDED_ROWS);
    const more =
      hidden > 0
        ? [colors.dim(`… ${hidden} earlier ${hidden === 1 ? "line" : "lines"} (Ctrl-O shows all)`)]
        : [];
    const end =
      this.#end === undefined
        ? colors.dim("running; Ctrl-C ends it")
        : (this.#end.isOk ? colors.dim : colors.red)(safeText(this.#end.text));
    return [...head, ...place, ...more, ...rows.slice(Math.max(0, hidden)), end].map((line) =>
      truncateToWidth(line, width, "…"),
    );
  }

  /** Nothing is cached. */
  invalidate(): void {}
}

function outputRows(output: string, width: number): string[] {
  if (output === "") return [];
  return stripVTControlCharacters(output)
    .replace(/\r?\n$/, "")
    .replaceAll("\t", "    ")
    .split(/\r?\n/)
    .flatMap((written) => {
      // What a program writes after a carriage return replaces what was in the line.
      const line = safeText(written.slice(written.lastIndexOf("\r") + 1));
      const rows = wrapTextWithAnsi(line, width);
      return rows.length === 0 ? [""] : rows;
    });
}
