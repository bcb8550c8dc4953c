import { ORDER_LANGUAGES } from "./orders/languages.js";
import { orderSource } from "./orders/pattern.js";

const REACH = 80;

/** Wording that gives the model an order or a new role (SAFE-026). */
const PHRASE =
  /ignore\s+(?:all\s+)?previous|forget\s+everything|you\s+are\s+now|new\s+instructions|updated\s+instructions|```system|disregard|act\s+as|pretend\s+to\s+be/i;
const FIRST_WORD =
  /\s{0,16}["'*_([]{0,3}(?:override|obey|ignore|disregard|forget|reveal|do|execute)(?![A-Za-z0-9_])/iy;
/** Orders in the other languages, which {@link PHRASE} has in English only. */
const ORDER = new RegExp(
  ORDER_LANGUAGES.flatMap((language) => [
    orderSource(language, "ignore"),
    orderSource(language, "role"),
  ]).join("|"),
  "i",
);

/**
 * Returns whether an instruction follows: one of the phrases or an order in another language within 80 characters, or one
 * of the verbs as the first word (SAFE-026).
 * @param text - shadow copy
 * @param at - end of the marker
 */
export function isInstructionAt(text: string, at: number): boolean {
  FIRST_WORD.lastIndex = at;
  if (FIRST_WORD.test(text)) return true;
  const next = text.slice(at, at + REACH);
  return PHRASE.test(next) || ORDER.test(next);
}
