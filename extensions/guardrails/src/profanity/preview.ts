import { PartPreview } from "../preview.js";
import { masked } from "./mask.js";
import type { ProfanityMatcher } from "./matcher.js";

/** End of a word of two letters or digits, what follows it, and the white space before the next word. */
const BREAK =
  /[\p{L}\p{N}]{2}[^\p{L}\p{M}\p{N}\p{Default_Ignorable_Code_Point}@$!|+€*\s]*\s+(?=\S)/gu;

/**
 * Creates a preview that masks words. A word is held until the next one begins, and single letters until a longer word
 * ends them, because they can be spelled `l i k e  t h i s`.
 * @param matcher - finds the words
 */
export function profanityPreview(matcher: ProfanityMatcher): PartPreview {
  return new PartPreview({
    settled(text) {
      let end = 0;
      for (const { 0: found, index } of text.matchAll(BREAK)) end = index + found.length;
      return end;
    },
    shown: (part) => masked(part, matcher.find(part)),
  });
}
