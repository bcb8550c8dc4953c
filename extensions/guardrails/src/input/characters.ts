import { characterAt } from "./problem.js";

/** Control characters, except tab and line breaks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is searched for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
/** Surrogates that are not part of a character. */
const LONE_SURROGATE = /\p{Surrogate}/u;
/** Characters that stand for bytes that could not be decoded, three or more. */
const UNDECODABLE = /(?:\ufffd[^\ufffd]*){3}/;
/** More marks on one letter than any language writes. */
const STACKED_MARKS = /\p{Mn}{6}/u;

/** Flags of regions such as England, which are the only use of tag characters. */
const FLAG = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}\u{e007f}/gu;
/** Joiners inside emoji, and after letters of scripts that need them. */
const JOINED =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Variation_Selector}])\u200d(?=\p{Extended_Pictographic})|(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Mongolian}\p{M}])[\u200c\u200d]/gu;
/** Zero-width spaces of scripts that do not separate words. */
const BREAKS =
  /(?<=[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Han}])\u200b/gu;
/** Variants of Chinese characters, and of emoji. */
const VARIANTS = /(?<=\p{Script=Han})[\u{e0100}-\u{e01ef}]/gu;
const BYTE_ORDER_MARK = /^\ufeff/;
/** Characters without a shape that remain once the uses above are removed. */
const HIDDEN =
  /[\u200b-\u200d\u2060-\u2064\u206a-\u206f\u180e\u3164\uffa0\ufeff\u{1bca0}-\u{1bca3}\u{e0000}-\u{e0fff}]/u;

const OVERRIDE = /[\u202d\u202e]/;
const OPENING = /[\u202a\u202b\u2066-\u2068]/;
const CLOSING = new Map([
  ["\u202a", "\u202c"],
  ["\u202b", "\u202c"],
  ["\u2066", "\u2069"],
  ["\u2067", "\u2069"],
  ["\u2068", "\u2069"],
]);

/** Letters of Greek and Cyrillic that look like Latin letters. */
const LOOK_ALIKE = /[АаВЕеІіЈјКкМмНОоРрСсТуУХхЅѕһԁԛԝΑαΒΕΖΗΙιΚΜΝΟοΡρΤΥυΧν]/u;
/** Words of at least four letters. */
const WORD = /[\p{L}\p{M}]{4,}/gu;

/**
 * Returns what is wrong with the characters of a text: control characters, hidden and misleading ones.
 * @returns a reason that completes "the text …", or undefined
 */
export function characterProblem(text: string): string | undefined {
  return (
    found(text, CONTROL, "has a control character") ??
    found(text, LONE_SURROGATE, "has half of a character") ??
    (UNDECODABLE.test(text) ? "was decoded with the wrong encoding (U+FFFD)" : undefined) ??
    found(text, STACKED_MARKS, "stacks marks on a letter") ??
    hiddenProblem(text) ??
    directionProblem(text) ??
    lookAlikeProblem(text)
  );
}

function found(text: string, pattern: RegExp, problem: string): string | undefined {
  const index = text.search(pattern);
  return index < 0 ? undefined : `${problem} (${characterAt(text, index)})`;
}

function hiddenProblem(text: string): string | undefined {
  if (!HIDDEN.test(text)) return undefined;
  // The uses of a language are replaced by as many characters, so that offsets stay.
  let rest = text.replace(BYTE_ORDER_MARK, " ");
  for (const use of [FLAG, JOINED, BREAKS, VARIANTS]) {
    rest = rest.replace(use, (match) => " ".repeat(match.length));
  }
  return found(rest, HIDDEN, "has a hidden character");
}

/** Returns whether the direction of writing is overridden, or changed and not changed back in a line. */
function directionProblem(text: string): string | undefined {
  const override = found(text, OVERRIDE, "overrides the direction of writing");
  if (override !== undefined || !OPENING.test(text)) return override;
  let start = 0;
  for (const line of text.split("\n")) {
    const open: { readonly closing: string; readonly at: number }[] = [];
    for (let at = 0; at < line.length; at += 1) {
      const character = line.charAt(at);
      const closing = CLOSING.get(character);
      if (closing !== undefined) open.push({ closing, at });
      else if (open.at(-1)?.closing === character) open.pop();
    }
    const [unclosed] = open;
    if (unclosed !== undefined) {
      return `changes the direction of writing until the end of a line (${characterAt(text, start + unclosed.at)})`;
    }
    start += line.length + 1;
  }
  return undefined;
}

function lookAlikeProblem(text: string): string | undefined {
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const at = word.search(LOOK_ALIKE);
    if (at < 0 || !/[a-z].*[a-z]/i.test(word)) continue;
    return `mixes alphabets in a word (${characterAt(text, index + at)})`;
  }
  return undefined;
}
