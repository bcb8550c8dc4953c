import { INVISIBLE_CLASS } from "./invisible.js";

/** Marks that right-to-left text needs, and the joiners of emoji and of several scripts. */
const NEEDED = /[\u200c-\u200f]/g;
const HIDING = new RegExp(
  `[\\u0001-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u2028\\u2029${INVISIBLE_CLASS}]|\\udb40[\\udc00-\\udc7f]`,
);
const BEYOND_ASCII = /[\u0080-\uffff]/;

/**
 * Returns whether a text contains characters that make it look different to a reader than to a
 * program: control characters, bidirectional controls and characters without width. Tab, line feed,
 * and the joiners and marks that writing systems need do not count.
 */
export function hasHiddenCharacters(text: string): boolean {
  return HIDING.test(text.replace(NEEDED, ""));
}

/** Returns whether a text contains letters that may look like those of another alphabet. */
export function hasForeignLetters(text: string): boolean {
  return BEYOND_ASCII.test(text);
}
