import type { ProgramTable } from "./program-table.js";

/** Forms of the values of options. */
export const NUMBER = /^\d+$/;
export const COUNT = /^[+-]?\d+[bkKMG]?$/;
export const ANY = /^.*$/su;
export const CHARACTER = /^(?:.|\\t|)$/su;
export const COLOR = /^(?:auto|never|always)$/;
export const FIELDS = /^[\d,-]+$/;

/** Program without words. */
export const NONE: ProgramTable = { operands: "text", most: 0 };

/**
 * Returns long options without a value.
 * @param names - names without dashes, separated by spaces
 */
export function longFlags(names: string): Record<string, null> {
  return Object.fromEntries(names.split(" ").map((name) => [`--${name}`, null]));
}

/**
 * Returns long options with a value of one form, whose value may be the next word.
 * @param names - names without dashes, separated by spaces
 */
export function longValues(names: string, form: RegExp): Record<string, RegExp> {
  return Object.fromEntries(names.split(" ").map((name) => [`--${name}`, form]));
}
