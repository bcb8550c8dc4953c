import { randomBytes } from "node:crypto";
import { encodeText } from "../database/text-column.js";

/** No 0, O, 1 or I, which people take for each other; 32 letters, so that a byte chooses evenly. */
const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const LENGTH = 6;

/** A code that people can type, by chance; whether it is free the table says. */
export function newCode(): string {
  return Array.from(randomBytes(LENGTH), (byte) => LETTERS.charAt(byte % LETTERS.length)).join("");
}

/**
 * A code as the table holds it.
 * @param text - as somebody typed it
 */
export function codeOf(text: string): string {
  return encodeText(text.trim().toUpperCase());
}
