/** Marks that writers leave out: accents of European scripts, and the vowel signs of Arabic and Hebrew. */
const LEFT_OUT = /(?![\u3099\u309a])[\p{Script=Inherited}\u0591-\u05c7\u093c]/gu;
/** Characters that are not visible, such as joiners and soft hyphens, and the Arabic lengthening. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u0640]/gu;

/** Letters that stand for the same sound or letter, after their marks are removed. */
const SAME: Readonly<Record<string, string>> = {
  ...{ ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", þ: "th", ł: "l", ħ: "h" },
  // Turkish writes i with and without a dot; their capital letters become one another in other languages.
  ı: "i",
  ς: "σ",
  ...{ ى: "ي", ی: "ي", ک: "ك", ة: "ه" },
  ...{ ך: "כ", ם: "מ", ן: "נ", ף: "פ", ץ: "צ" },
  "\u0901": "\u0902",
};
const WITH_SAME = new RegExp(`[${Object.keys(SAME).join("")}]`, "gu");
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins with a control character.
const ASCII = /^[\u0000-\u007f]*$/;

/**
 * Returns the form of a text in which it is compared: lower case, without accents, and with one letter for each group of
 * equal ones. The index and every query pass through it.
 * @param text - text in any language
 */
export function normalForm(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(INVISIBLE, "")
    .replace(LEFT_OUT, "")
    .replace(WITH_SAME, (letter) => SAME[letter] ?? letter)
    .normalize("NFC");
}
