import { eld } from "eld/extrasmall";

/** Number of letters below which the language of a text cannot be known. */
const FEWEST_LETTERS = 10;
const LETTERS = /\p{L}/gu;
/** Signs of program code and of addresses, whose words are of no language. */
const CODE = /[{}[\]()<>=;_\\|&$#]|https?:\/\/\S*/g;
const MOST_CODE = 0.05;

/**
 * Returns the language of a text, where it is certain.
 * @returns two letters, for example `pt`; undefined for a short text, program code, or a text of several languages
 */
export function languageOf(text: string): string | undefined {
  const prose = text.replaceAll(/```[\s\S]*?(?:```|$)|`[^`\n]*`|https?:\/\/\S+/g, " ");
  if ((prose.match(LETTERS)?.length ?? 0) < FEWEST_LETTERS) return undefined;
  if ((prose.match(CODE)?.length ?? 0) / prose.length > MOST_CODE) return undefined;
  const detected = eld.detect(prose);
  return detected.isReliable() && detected.language !== "" ? detected.language : undefined;
}

/** Languages that can be recognised, as two letters. */
export function knownLanguages(): readonly string[] {
  return Object.values(eld.info().Languages);
}
