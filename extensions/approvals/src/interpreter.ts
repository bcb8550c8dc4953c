import type { Words } from "./parsed-arguments.js";

const INTERPRETER =
  /^(?:python|pypy|perl|ruby|node|nodejs|bun|deno|php|lua|luajit|osascript|tclsh|rscript|r|[gmn]?awk|sed|gsed|ed|vim?|nvim|emacs|sqlite3|gdb)[\d.]*$/i;
const SHELL = /^(?:ba|da|z|k|mk|fi|c|tc|a|ya)?sh$/;
const SAFE_START = /^(?:--version|-V|--help|--test)$/;
const MODULE = /^(?:python|pypy)/i;

/**
 * Returns true when a program is a shell.
 * @param name - name of the program without its folder
 */
export function isShell(name: string): boolean {
  return SHELL.test(name);
}

/**
 * Returns true when a call passes code to an interpreter, in its words or on standard input, so
 * that the name of the program does not describe the effect (APPR-040).
 * @param name - name of the program
 * @param words - words after the program
 */
export function runsInlineCode(name: string, words: Words): boolean {
  if (isShell(name)) return words[0] === undefined || /^[-+]/.test(words[0]);
  if (!INTERPRETER.test(name)) return false;
  if (/awk$|sed$/i.test(name)) return true;
  const [first, second] = words;
  if (first === undefined) return true;
  if (MODULE.test(name) && first === "-m") return second === undefined;
  return first.startsWith("-") && !SAFE_START.test(first);
}
