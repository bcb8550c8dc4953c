import { applyEdits, type DerivedText, underived } from "./derivation.js";

/**
 * Letters that look like Latin ones, beyond those of every shadow copy: the remaining Cyrillic and Armenian ones, Greek,
 * and small capitals. They are folded only where orders to a model are searched, because whole languages consist of them.
 */
const FORMS: ReadonlyMap<string, string> = new Map([
  ...pairs("іїѕјԁһӏԛԝѵґ", "iisjdhlqwvr"),
  ...pairs("ІЇЅЈԌԚԜѴ", "IISJGQWV"),
  ...pairs("αβγεζηικνορστυχω", "abyeznikvopotuxw"),
  ...pairs("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),
  ...pairs("օոսցրոհ", "onugpnh"),
  ...pairs("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz"),
  ...pairs("ıɡɑⅼⅰⅴⅹⅽⅾⅿ", "igalivxcdm"),
]);

/** Letters of mathematics, circled, parenthesised, squared and superscript ones, which Unicode itself maps to letters. */
const VARIANTS =
  "\\ud835[\\udc00-\\udfff]|\\ud83c[\\udd10-\\udd89]|[\\u249c-\\u24e9\\u2100-\\u214f\\u02b0-\\u02b8\\u1d2c-\\u1d6a\\u2070-\\u209c]";
const FOLDABLE = new RegExp(`[${[...FORMS.keys()].join("")}]|${VARIANTS}`, "g");
const FIRST_SQUARED = 0x1_f1_10;
const LETTERS = 26;
const SPACING = 32;

/** Returns true when a text contains letters that {@link foldedText} changes. */
export function hasFoldable(text: string): boolean {
  return text.search(FOLDABLE) !== -1;
}

/**
 * Returns the text with every letter that looks like a Latin one replaced by it.
 * @param text - shadow copy
 */
export function foldedText(text: string): DerivedText {
  const edits = [...text.matchAll(FOLDABLE)].map(({ index, 0: letter }) => ({
    range: [index, index + letter.length] as const,
    replacement: FORMS.get(letter) ?? variantOf(letter),
  }));
  return applyEdits(underived(text), edits);
}

/** Squared and negative circled letters have no mapping in Unicode, but form alphabets of 26 letters. */
function variantOf(letter: string): string {
  const mapped = letter.normalize("NFKC");
  if (mapped !== letter) return mapped.replace(/[()]/g, "");
  const place = (Number(letter.codePointAt(0)) - FIRST_SQUARED) % SPACING;
  return place >= 0 && place < LETTERS ? String.fromCharCode(97 + place) : letter;
}

function pairs(letters: string, latin: string): [string, string][] {
  return [...letters].map((letter, index) => [letter, latin.charAt(index)]);
}
