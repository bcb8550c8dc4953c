import { PartPreview } from "../preview.js";

/** Words that can be a part of a number, an address or the way one is written. */
const OPEN_WORD = /[\p{N}@+()[\]]|^(?:x|ext\.?|at|dot)$/iu;
const WORD = /\S+\s*/g;
const DIVIDED = /\s$/;

/**
 * Creates a preview that removes data. Words without digits and signs of addresses are shown once the next two words are
 * known to have none, because a number and an address can be written in several words; the others wait until then.
 * @param redact - removes the data of a text from an offset on
 */
export function sensitiveDataPreview(redact: (text: string, from: number) => string): PartPreview {
  return new PartPreview({
    settled(text) {
      const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
        end: index + word.length,
        isOpen: OPEN_WORD.test(word.trim()) || !DIVIDED.test(word),
      }));
      for (let at = words.length - 3; at >= 0; at -= 1) {
        const near = words.slice(at, at + 3);
        if (near.every(({ isOpen }) => !isOpen)) return words[at]?.end ?? 0;
      }
      return 0;
    },
    shown: (part, before) => redact(before + part, before.length).slice(before.length),
  });
}
