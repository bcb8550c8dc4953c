import {
  type Component,
  truncateToWidth,
  visibleWidth,
  wrapTextWithAnsi,
} from "@earendil-works/pi-tui";
import { changeOfArguments, type ToolView } from "@openclaw/client/conversation";
import { endOfText, startOfText } from "@openclaw/foundation";
import { diffLines } from "./diff-lines.js";
import { safeText } from "./safe-text.js";
import { colors } from "./theme.js";

/** Lines of output that a card shows while its tool runs, and when it is expanded. */
const FOLDED_LINES = 3;
const EXPANDED_LINES = 200;
/** Characters of output that a card keeps. */
const KEPT = 64_000;
/** Characters of one line of parameters or of a result, and of one parameter in it. */
const LINE = 400;
const PARAMETER = 60;

type Result = Parameters<ToolView["finish"]>[0];

/** State that all tool cards and messages share: true shows everything. */
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
   * Shows the latest output of the running tool.
   * @param text - output so far, or its end
   */
  output(text: string): void {
    this.#output = endOfText(text, KEPT);
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
    const duration = result === undefined ? "" : colors.dim(` (${result.durationMs} ms)`);
    const head = `${mark} ${colors.bold(this.#name)}`;
    const lines = isExpanded
      ? [`${head}${duration}`, ...this.#arguments(width)]
      : [fitted(`${head} ${colors.dim(parametersLine(this.#params))}`, duration, width)];
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

  /** Returns all arguments: a change as a diff, and the others as JSON. */
  #arguments(width: number): string[] {
    const change = changeOfArguments(this.#params);
    if (change === undefined) return indented(JSON.stringify(this.#params, null, 2) ?? "", width);
    const { diff, others } = change;
    const rest = Object.keys(others).length === 0 ? "" : JSON.stringify(others, null, 2);
    return [
      ...(rest === "" ? [] : indented(rest, width)),
      ...diffLines(diff, Math.max(1, width - 2)).map((line) => `  ${line}`),
    ];
  }
}

/** Returns a line with its end kept when it is too long. */
function fitted(line: string, end: string, width: number): string {
  return `${truncateToWidth(line, Math.max(1, width - visibleWidth(end)), "…")}${end}`;
}

/** Returns the parameters in one line: the first text as it is, because it says most, and the others by name. */
function parametersLine(params: unknown): string {
  if (typeof params !== "object" || params === null || Array.isArray(params)) {
    return oneLine(JSON.stringify(params) ?? "");
  }
  const [first, ...others] = Object.entries(params);
  if (first === undefined) return "";
  const [name, value] = first;
  const subject = typeof value === "string" ? oneLine(value) : named(name, value);
  return [subject, ...others.map(([key, each]) => named(key, each))].join("  ");
}

function named(name: string, value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return `${safeText(name)}: ${oneLine(text, PARAMETER)}`;
}

function oneLine(text: string, most = LINE): string {
  const line = safeText(startOfText(text, most)).replaceAll("\n", "↵").replaceAll("\t", " ");
  return text.length > most ? `${line}…` : line;
}

function indented(text: string, width: number): string[] {
  return safeText(text)
    .replaceAll("\t", "  ")
    .split("\n")
    .flatMap((line) => wrapTextWithAnsi(line, Math.max(1, width - 2)))
    .map((line) => colors.dim(`  ${line}`));
}
