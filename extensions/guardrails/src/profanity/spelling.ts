/** Characters that do not show, and marks. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const MARKS = /\p{M}/gu;

/** Letters of other scripts that look like Latin letters. */
const LOOK_ALIKES = new Map(
  Object.entries({
    а: "a",
    в: "b",
    е: "e",
    к: "k",
    м: "m",
    н: "h",
    о: "o",
    р: "p",
    с: "c",
    т: "t",
    у: "y",
    х: "x",
    і: "i",
    ѕ: "s",
    ј: "j",
    ԁ: "d",
    ɡ: "g",
    һ: "h",
    ո: "n",
    ս: "u",
    ց: "g",
    α: "a",
    β: "b",
    ε: "e",
    η: "n",
    ι: "i",
    κ: "k",
    ν: "v",
    ο: "o",
    ρ: "p",
    τ: "t",
    υ: "u",
    χ: "x",
    ω: "w",
    ı: "i",
    ʃ: "s",
    ʜ: "h",
    ᴜ: "u",
    ᴄ: "c",
    ᴋ: "k",
    ꜰ: "f",
    ꜱ: "s",
    ɪ: "i",
    ᴛ: "t",
    ʙ: "b",
    ᴀ: "a",
    ᴇ: "e",
    ʟ: "l",
    ɴ: "n",
    ʀ: "r",
    ᴏ: "o",
    ᴅ: "d",
    ø: "o",
    ł: "l",
    đ: "d",
  }),
);

/** Digits and signs that are written for letters. */
const LEET = new Map(
  Object.entries({
    0: "o",
    1: "i",
    3: "e",
    4: "a",
    5: "s",
    7: "t",
    8: "b",
    "@": "a",
    $: "s",
    "!": "i",
    "|": "i",
    "+": "t",
    "€": "e",
  }),
);

/**
 * Returns the spellings under which a token is looked up: as written in lower case, and with letters for look-alikes,
 * accents, digits and signs. Characters without a shape are ignored.
 * @param token - part of a text without white space
 */
export function spellingsOf(token: string): ReadonlySet<string> {
  const written = token.replace(INVISIBLE, "").normalize("NFKC").toLowerCase();
  const spellings = new Set<string>();
  add(spellings, written);
  const latin = mapped(written.normalize("NFD").replace(MARKS, ""), LOOK_ALIKES);
  // A word of another script has no Latin spelling: its look-alikes are chance.
  if (/[a-z]/.test(latin) && isMostlyLatin(written, latin)) {
    add(spellings, latin);
    const plain = mapped(latin, LEET);
    add(spellings, plain);
    if (latin.includes("1")) add(spellings, mapped(latin.replaceAll("1", "l"), LEET));
    if (plain.startsWith("ph")) add(spellings, `f${plain.slice(2)}`);
  }
  return spellings;
}

/** Adds a spelling, and those without letters that are repeated three times or more. */
function add(spellings: Set<string>, spelling: string): void {
  spellings.add(spelling);
  const short = spelling.replaceAll(/(.)\1{2,}/gu, "$1");
  if (short === spelling) return;
  spellings.add(short);
  spellings.add(spelling.replaceAll(/(.)\1{2,}/gu, "$1$1"));
}

function mapped(text: string, table: ReadonlyMap<string, string>): string {
  return [...text].map((character) => table.get(character) ?? character).join("");
}

/** Returns true unless only look-alikes make a word of another script Latin. */
function isMostlyLatin(written: string, latin: string): boolean {
  return /[a-z]/.test(written.normalize("NFD")) || !/[^a-z]/.test(latin);
}
