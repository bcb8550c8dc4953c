const DIGIT = /[0-9]/;
const LETTER = /[A-Za-z]/;
/** Placeholders of documentation, and references to the location of a secret. */
const PLACEHOLDER =
  /^(?:[$<{%[*]|process\.|env\.|config\.|self\.|this\.|xxx|secret|pass|urn:|test|foo|bar)|example|sample|placeholder|change_?me|redacted|your[_-]|dummy|\.\.\.|\u2026|\*\*\*|xxxx|\$\{|\{\{/i;
/** Path through an object, call, file or version: code, not a secret. */
const REFERENCE =
  /^[A-Za-z_$][\w$]*(?:(?:\.|\?\.|::|->)[A-Za-z_$][\w$]*)+[!?]?$|^\.{0,2}\/|^https?:/;
const WORDS = /^[A-Za-z]+(?:[-_./:][A-Za-z]+)*\d{0,2}$/;

/** Returns true for a placeholder of documentation, and for a reference to a secret. */
export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text) || REFERENCE.test(text);
}

/**
 * Returns true when a string looks generated: letters and digits in random order.
 * @param text - string without white space
 * @param leastEntropy - minimum entropy in bits per character
 */
export function isRandom(text: string, leastEntropy: number): boolean {
  return (
    DIGIT.test(text) &&
    LETTER.test(text) &&
    !WORDS.test(text) &&
    !isPlaceholder(text) &&
    entropyOf(text) >= leastEntropy
  );
}

/** Returns the Shannon entropy in bits per UTF-16 code unit. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charAt(index);
    counts.set(unit, (counts.get(unit) ?? 0) + 1);
  }
  let entropy = 0;
  for (const count of counts.values()) {
    const share = count / text.length;
    entropy -= share * Math.log2(share);
  }
  return entropy;
}
