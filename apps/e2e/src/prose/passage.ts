import { parseSync, Visitor } from "oxc-parser";

/** Place where a passage is read, which decides the rules that apply. */
export type PassageKind = "documentation" | "docstring" | "comment" | "message" | "title";

/** A continuous passage of prose in one file. */
export interface Passage {
  readonly kind: PassageKind;
  readonly text: string;
  /** Line of its first character, from 1. */
  readonly line: number;
}

/** Functions whose first argument is the title of a test or of a group of tests. */
const TITLED = new Set(["bench", "describe", "it", "test"]);

/**
 * Returns the paragraphs of a Markdown page, without code fences, inline code, targets of links and HTML comments.
 * @param source - text of the page
 */
export function pagePassages(source: string): Passage[] {
  const passages: Passage[] = [];
  let fence: string | undefined;
  let paragraph: string[] = [];
  const lines = source.replace(/<!--[\s\S]*?-->/g, blank).split("\n");
  for (const [index, text] of [...lines, ""].entries()) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(text)?.[1];
    const isCode = fence !== undefined || mark !== undefined;
    if (!isCode && text.trim() !== "") {
      paragraph.push(withoutCode(text));
      continue;
    }
    if (paragraph.length > 0) {
      const line = index + 1 - paragraph.length;
      passages.push({ kind: "documentation", text: paragraph.join("\n"), line });
      paragraph = [];
    }
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence)) fence = undefined;
  }
  return passages;
}

/**
 * Returns the prose of a source file: comments, titles of tests, and strings that have a space between words.
 * @param file - name of the file, from which the language is known
 * @param source - text of the file
 * @throws Error when the file cannot be parsed
 */
export function codePassages(file: string, source: string): Passage[] {
  const { program, comments, errors } = parseSync(file, source);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file}: ${error.message}`);
  const passages: Passage[] = [];
  const lineOf = lines(source);
  const add = (kind: PassageKind, text: string, start: number) => {
    if (/\p{L}\s+\p{L}/u.test(text)) passages.push({ kind, text, line: lineOf(start) });
  };
  for (const { type, value, start } of comments) {
    const isDocstring = type === "Block" && value.startsWith("*");
    const text = withoutCode(value.replace(/^[ \t]*\*+[ \t]?/gm, ""));
    const firstWord = start + 2 + value.search(/[^*\s]/);
    add(isDocstring ? "docstring" : "comment", text.trim(), firstWord);
  }
  const titles = new Set<number>();
  new Visitor({
    CallExpression({ callee, arguments: [title] }) {
      if (title === undefined || !TITLED.has(rootName(callee))) return;
      titles.add(title.start);
      if (title.type === "TemplateLiteral") for (const { start } of title.quasis) titles.add(start);
    },
  }).visit(program);
  const addString = (text: string, start: number) =>
    add(titles.has(start) ? "title" : "message", text, start);
  new Visitor({
    Literal({ value, start }) {
      if (typeof value === "string") addString(value, start);
    },
    TemplateElement({ value, start }) {
      addString(value.cooked ?? value.raw, start);
    },
  }).visit(program);
  return passages.sort((one, other) => one.line - other.line);
}

/** The part of the syntax tree that leads from a called expression to its first name. */
interface Callee {
  readonly type: string;
  readonly name?: unknown;
  readonly object?: Callee;
  readonly callee?: Callee;
  readonly tag?: Callee;
}

/** The first name of `it`, `it.skip` or `it.each(…)`. */
function rootName(callee: Callee): string {
  const inner = callee.object ?? callee.callee ?? callee.tag;
  if (inner !== undefined) return rootName(inner);
  return callee.type === "Identifier" && typeof callee.name === "string" ? callee.name : "";
}

function withoutCode(text: string): string {
  return text
    .replace(/`+[^`\n]*`+/g, "`…`")
    .replace(/\]\([^)]*\)/g, "]")
    .replace(/\bhttps?:\S+/g, "");
}

/** The same number of lines, with nothing on them. */
function blank(text: string): string {
  return text.replace(/[^\n]+/g, "");
}

/** Returns a function that gives the line of an offset, from 1. */
function lines(source: string): (offset: number) => number {
  const starts = [0];
  for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1))
    starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}
