import { type Component, truncateToWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { ToolView } from "../view.js";
import { safeText } from "./safe-text.js";
import { colors } from "./theme.js";

/** Lines of output that a card shows while its tool runs, and when it is expanded. */
const FOLDED_LINES = 3;
const EXPANDED_LINES = 200;
/** Characters of output that a card keeps. */
const KEPT = 64_000;
const PARAMETERS = 400;

type Result = Parameters<ToolView["finish"]>[0];

/** Whether tool cards show everything; all cards share it. */
export interface Expansion {
  isExpanded: boolean;
}

/** Card of a tool call, which shows parameters, output and result. */
export class ToolCard implements Component {
  readonly #name: string;
  readonly #params: unknown;
  readonly #expansion: Expansion;
  #output = "";
  #result: Result | undefined;

  /**
   * @param name - name of the tool
   * @param params - arguments of the call
   * @param expansion - shared by all cards
   */
  constructor(name: string, params: unknown, expansion: Expansion) {
    this.#name = safeText(name);
    this.#params = params;
    this.#expansion = expansion;
  }

  /**
   * Adds output of the running tool.
   * @param text - output
   */
  output(text: string): void {
    this.#output = (this.#output + text).slice(-KEPT);
  }

  /**
   * Shows the result.
   * @param result - outcome, one line of the result, and duration in milliseconds
   */
  finish(result: Result): void {
    this.#result = result;
  }

  render(width: number): string[] {
    const result = this.#result;
    const { isExpanded } = this.#expansion;
    const mark =
      result === undefined ? colors.yellow("→") : result.isOk ? colors.green("✓") : colors.red("✗");
    const duration = result === undefined ? "" : colors.dim(` ${result.durationMs} ms`);
    const head = `${mark} ${colors.bold(this.#name)}${duration}`;
    const lines = isExpanded
      ? [head, ...indented(JSON.stringify(this.#params, null, 2) ?? "", width)]
      : [`${head} ${colors.dim(oneLine(JSON.stringify(this.#params) ?? ""))}`];
    const output = this.#output.split("\n").filter((line, index, all) => {
      return line !== "" || index < all.length - 1;
    });
    const most = isExpanded ? EXPANDED_LINES : FOLDED_LINES;
    if (output.length > 0 && (isExpanded || result === undefined)) {
      lines.push(...output.slice(-most).flatMap((line) => indented(line, width)));
    }
    if (result !== undefined && result.preview !== "") {
      const preview = colors.dim(`  ${oneLine(safeText(result.preview))}`);
      lines.push(...(isExpanded ? indented(result.preview, width) : [preview]));
    }
    if (result?.rule !== undefined) lines.push(colors.dim(`  ${safeText(result.rule)}`));
    return lines.map((line) => truncateToWidth(line, width, "…"));
  }

  /** Nothing is cached. */
  invalidate(): void {}
}

function oneLine(text: string): string {
  const line = safeText(text.slice(0, PARAMETERS)).replaceAll("\n", "↵").replaceAll("\t", " ");
  return text.length > PARAMETERS ? `${line}…` : line;
}

function indented(text: string, width: number): string[] {
  return safeText(text)
    .replaceAll("\t", "  ")
    .split("\n")
    .flatMap((line) => wrapTextWithAnsi(line, Math.max(1, width - 2)))
    .map((line) => colors.dim(`  ${line}`));
}
