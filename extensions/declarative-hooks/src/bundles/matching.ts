import type { LinearPattern } from "@openclaw/plugin-sdk/services";
import { matchesGlob } from "../definition/filter.js";

/**
 * Compiles a matcher: empty or `*` for all, names with `|` between them, else a regular expression. One that is not valid
 * matches all, so that a guard runs too often rather than never (EXT-543).
 * @param written - matcher as written
 * @param compile - compiler of patterns
 * @returns the matcher, and the problem of an expression that is not valid
 */
export function readMatcher(
  written: string | undefined,
  compile: (source: string) => LinearPattern,
): { readonly matches: (names: readonly string[]) => boolean; readonly problem?: string } {
  const all = () => true;
  if (written === undefined || written === "" || written === "*") return { matches: all };
  if (/^[\w|, -]+$/.test(written)) {
    const exact = new Set(written.split(/[|,]/).map((name) => name.trim()));
    return { matches: (names) => names.some((name) => exact.has(name)) };
  }
  try {
    const pattern = compile(written);
    return { matches: (names) => names.some((name) => pattern.test(name)) };
  } catch {
    return {
      matches: all,
      problem: `its matcher ${JSON.stringify(written)} is not a valid expression, so that it matches everything`,
    };
  }
}

const RULE = /^([\w-]+)(?:\((.*)\))?$/s;

/**
 * Returns true when a call fits the `if` of a handler, for example `Bash(git commit:*)` or `Write(*.md)`. A condition that
 * cannot be read is fulfilled.
 * @param written - condition as written
 * @param names - names of the tool
 * @param input - input of the call
 */
export function fitsRule(
  written: string,
  names: readonly string[],
  input: Readonly<Record<string, unknown>>,
): boolean {
  const [, tool, rule] = RULE.exec(written.trim()) ?? [];
  if (tool === undefined) return true;
  if (!names.includes(tool)) return false;
  if (rule === undefined || rule === "" || rule === "*") return true;
  const { command, file_path: file, url, path } = input;
  const subject = [command, file, url, path].find((each) => typeof each === "string");
  if (typeof subject !== "string") return true;
  const prefix = /^(.*):\*$/s.exec(rule)?.[1];
  if (prefix !== undefined) {
    // A command can have several parts, of which any may be the one that is meant.
    const parts = subject.split(/&&|\|\||[;|&\n]/).map((part) => part.trim());
    return parts.some((part) => part === prefix || part.startsWith(`${prefix} `));
  }
  return matchesGlob(rule, subject) || matchesGlob(`*/${rule}`, subject);
}
