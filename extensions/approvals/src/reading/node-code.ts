import type { ReadExpression } from "./expressions.js";

const PATH = String.raw`\.{1,2}\/[\w@./-]+`;
const TEXT = String.raw`'[^'\\\n]*'|"[^"\\\n]*"`;
/** Properties of a value, and methods that only show it. */
const PROPERTIES = String.raw`(?:\??\.(?!constructor\b|prototype\b)[A-Za-z]\w*(?![\w(])|\[(?:'[\w@./-]+'|"[\w@./-]+"|\d+)\]| \|\| (?:\{\}|\[\])|\.(?:join|split|slice|includes|startsWith|sort|trim|toString)\((?:'[^']{0,20}'|"[^"]{0,20}"|\d+(?:, ?\d+)?)?\))*`;
const SHOWING = String.raw`(?:(?:JSON\.stringify|JSON\.parse|Object\.(?:keys|values|entries))\()*`;
const REST = String.raw`(?:(?:, ?null, ?\d)?\)${PROPERTIES})*`;
/** Value of a JSON file, content of a file, or a fact about node. */
const SOURCE = String.raw`(?:require\((?:'(?<single>${PATH}\.json)'|"(?<double>${PATH}\.json)")\)|(?:require\((?:'(?:node:)?fs'|"(?:node:)?fs")\))\.readFileSync\((?:'(?<text>[\w@./-]+)'|"(?<other>[\w@./-]+)")(?:, ?(?:'utf-?8'|"utf-?8"))?\)|process\.(?:version|versions|platform|arch))`;
const PRINTED_VALUE = new RegExp(`^${SHOWING}${SOURCE}${PROPERTIES}${REST}$`);
const CALLED_VALUE = new RegExp(`^${SHOWING}(?<name>[a-z]\\w*)${PROPERTIES}${REST}$`);
const LITERAL = new RegExp(`^(?:${TEXT})$`);
/** A JSON file with a name, and what follows. */
const NAMED_FILE =
  /^(?:const|let|var) (?<name>[a-z]\w{0,15}) ?= ?(?<value>require\([^)]*\)); ?(?<rest>.*)$/s;
const PRINTING = /^console\.log\((?<values>[^`]*)\);?$/;
/** Sum of numbers, without powers, which may take very long. */
const PRINTED_NUMBER = /^(?!.*\*\s*\*)[\d\s.+*/%()-]{1,40}$/;

/**
 * Reads the words of `node` that print facts about it, values of a JSON file or the content of a file; `require` of another file
 * would run it.
 * @param words - words after the program
 */
export function readNode(words: readonly string[]): ReadExpression {
  const [option = "", code = "", ...more] = words;
  if (!/^(?:-p|--print|-e|--eval|-pe)$/.test(option)) return { unknown: option };
  const [beyond] = more;
  if (beyond !== undefined) return { unknown: beyond };
  const paths = readPaths(code.trim());
  return paths === undefined ? { unknown: option } : { paths };
}

/** Returns the files that code reads to print values of them; undefined when it may do more. */
function readPaths(code: string): string[] | undefined {
  const named = NAMED_FILE.exec(code)?.groups;
  if (code.includes("\\") && /\\[^nt]/.test(code)) return undefined;
  const file = named === undefined ? [] : sourcePath(named.value ?? "");
  if (file === undefined) return undefined;
  const text = (named?.rest ?? code).trim();
  const values = PRINTING.exec(text)?.groups?.values ?? text.replace(/;$/, "");
  const paths = [...file];
  for (const value of partsOf(values)) {
    const own = shownPaths(value.trim(), named?.name);
    if (own === undefined) return undefined;
    paths.push(...own);
  }
  return paths;
}

/** Separates values at `,` and `+` outside of parentheses and strings. */
function partsOf(values: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  let quote = "";
  for (let at = 0; at < values.length; at += 1) {
    const character = values.charAt(at);
    if (quote !== "") {
      if (character === quote) quote = "";
    } else if (character === "'" || character === '"') quote = character;
    else if (character === "(" || character === "[" || character === "{") depth += 1;
    else if (character === ")" || character === "]" || character === "}") depth -= 1;
    else if (depth === 0 && (character === "," || character === "+")) {
      parts.push(values.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, values.slice(start)];
}

function shownPaths(value: string, name: string | undefined): readonly string[] | undefined {
  if (LITERAL.test(value) || PRINTED_NUMBER.test(value)) return [];
  if (name !== undefined && isBalanced(value) && CALLED_VALUE.exec(value)?.groups?.name === name) {
    return [];
  }
  return isBalanced(value) ? sourcePath(value) : undefined;
}

function sourcePath(value: string): string[] | undefined {
  const { groups } = PRINTED_VALUE.exec(value) ?? {};
  if (groups === undefined) return undefined;
  const path = groups.single ?? groups.double ?? groups.text ?? groups.other;
  return path === undefined ? [] : [path];
}

function isBalanced(value: string): boolean {
  return value.split("(").length === value.split(")").length;
}
