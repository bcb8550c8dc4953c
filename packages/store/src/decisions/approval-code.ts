import { randomBytes } from "node:crypto";
import { encodeText } from "../database/text-column.js";

/**
 * Letters of a code, without 0, O, 1 and I, which are easily confused; there are 32, so that a byte selects
 * evenly.
 */
const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const LENGTH = 6;

/** Returns a random code that is easy to type; the table checks that it is not in use. */
export function newCode(): string {
  return Array.from(randomBytes(LENGTH), (byte) => LETTERS.charAt(byte % LETTERS.length)).join("");
}

/**
 * Normalizes a code to the form that the table stores.
 * @param text - the code as typed
 */
export function codeOf(text: string): string {
  return encodeText(text.trim().toUpperCase());
}
