import { INVISIBLE_CLASS } from "./invisible.js";

/** Marks that right-to-left text needs, and the joiners of emoji and of several scripts. */
const NEEDED = /[\u200c-\u200f]/g;
const HIDING = new RegExp(
  `[\\u0001-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u2028\\u2029${INVISIBLE_CLASS}]|\\udb40[\\udc00-\\udc7f]`,
);
const BEYOND_ASCII = /[\u0080-\uffff]/;

/**
 * Whether a text holds characters that show a reader something else than a machine reads: control
 * characters, bidirectional controls and characters without width. Tab and line feed do not count, nor
 * do joiners and marks that writing systems need.
 */
export function hasHiddenCharacters(text: string): boolean {
  return HIDING.test(text.replace(NEEDED, ""));
}

/** Whether a text has letters that may only look like those of another alphabet. */
export function hasForeignLetters(text: string): boolean {
  return BEYOND_ASCII.test(text);
}
