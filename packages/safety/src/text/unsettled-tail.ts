import { brokenWordStart } from "./broken-tail.js";
import type { DerivedText } from "./derivation.js";
import { openDigits } from "./digit-tail.js";
import { openEncoded } from "./encoded-tail.js";
import { invisibleUnits } from "./invisible.js";
import { lookAlikes } from "./look-alike.js";
import type { Range } from "./range.js";
import { TextViews } from "./views.js";

const WORD =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.~+/=:%&;#\\@*`[<>\x1b\x9b";
/**
 * Beginnings of secrets that consist of several words, up to the end of the text. Each follows a
 * leak rule and ends where that rule can no longer match, or later.
 */
const OPENINGS: readonly RegExp[] = [
  /bearer\s{1,8}[\w.~+/=-]*$/i,
  /authorization["']?\s{0,8}(?:[:=]\s{0,8}["']?(?:[a-z][a-z0-9_-]{0,31}(?:\s{1,8}[\w.~+/=-]*)?)?)?$/i,
  // Name of a secret, its type and operator, the value, and the space that may end the line.
  /(?:key|token|secret|credential|password|passphrase|passwd|pass|pwd)s?\d{0,2}(?:\\{0,3}["'`]\]?)?(?:[ \t:]{0,2}s(?:t(?:r(?:i(?:ng?)?)?)?)?)?[ \t]{0,4}(?:(?:=>|:{1,3}=?|\?{1,2}=?|[.+]=?|[=,])[ \t]{0,4}(?:\\{0,3}["'`][^\s"'`\\]{0,257}\\{0,3}|[^\s"'`,;<>(){}[\]|\\]{0,257}[ \t]{0,8}))?$/i,
  // Option of a command that is named like a secret.
  /--[\w.-]{0,64}(?:key|token|secret|credential|password|passphrase|passwd|pass|pwd)s?[ \t]{1,4}(?:["'`]?[^\s"'`,;<>(){}[\]|\\]{0,257}[ \t]{0,8})$/i,
  // Entry of a `.netrc` file.
  /machine\s{1,8}\S{0,128}(?:\s{1,8}\S{0,128}){0,5}$/,
  // Element of XML that is named like a secret, up to its end.
  /(?:key|token|secret|credential|password|passphrase|passwd|pass|pwd)s?\d{0,2}>\s{0,32}[^\s<>"'`\\]{0,257}\s{0,32}<?$/i,
  // User and password of a URL.
  /:\/\/[^\s/?#"'`<>\\]{0,390}$/,
  // Entry of a NuGet configuration.
  /<(?:a|ad|add(?: [^\r\n]{0,330})?)?$/,
  // Header of a private key, and the characters that distinguish a key from a mention.
  /-----BEGIN [\s\S]{0,245}$/,
];
/** Maximum length of an opening, in characters. */
const OPENING_REACH = 1024;
/** Commands whose options can hold a password, up to the end of their line. */
const COMMAND =
  /(?:curl|mysql[a-z]*|mariadb[a-z-]*|sshpass|redis-cli|mongo[a-z]*|docker|podman) [^\n]*$/;
/** Kubernetes manifest from the kind to the end of the data of a secret. */
const MANIFEST_KIND = /kind:[ \t]{0,8}["']?[A-Za-z]{0,6}["']?[ \t]{0,8}\r?$/;
const MANIFEST =
  /kind:[ \t]{0,8}["']?Secret["']?[ \t]{0,8}\r?\n(?:(?!data:)[^\n]*\n){0,12}(?:(?!data:)[^\n]*|data:[ \t]{0,8}\r?(?:\n(?:[ \t]+[\w.-]{1,128}:[ \t]{0,8}["']?[A-Za-z0-9+/]{8,4096}={0,2}["']?[ \t]{0,8}\r?\n){0,64}(?:[ \t][^\n]*)?)?)$/;
/** Encoded character without its end. */
const ENCODED = /[&%]#?\w{0,31}$/;
const FIRST_SURROGATE = 0xd8_00;
const LAST_SURROGATE = 0xdf_ff;

const wordUnits = new Uint8Array(0x1_00_00);
for (const character of WORD) wordUnits[character.charCodeAt(0)] = 1;
for (const unit of invisibleUnits()) wordUnits[unit] = 1;
for (const [unit] of lookAlikes()) wordUnits[unit] = 1;
wordUnits.fill(1, FIRST_SURROGATE, LAST_SURROGATE + 1);

/** Returns whether a unit can be part of a secret, disguised or not. */
export function isWordUnit(unit: number): boolean {
  return wordUnits[unit] === 1;
}

/** End of a text that could still become a secret. */
export interface UnsettledTail {
  /** Offset at which it begins. */
  readonly from: number;
  /** True when it is more than the last word. */
  readonly severalWords: boolean;
}

/** Maximum number of looks: a replacement can uncover a secret before it, and further looks rarely find one. */
const MOST_LOOKS = 4;

/**
 * Returns the end of a text that could still become a secret if the text continued: its last word,
 * or the words before it with which a secret of several words begins.
 * @param views - views of the part of a stream that is known so far
 * @param found - ranges of the secrets in it
 */
export function unsettledTail(views: TextViews, found: readonly Range[]): UnsettledTail {
  const { text } = views;
  const word = wordStart(text, text.length);
  let from = Math.min(word, openFrom(views, found, word));
  // What is open can end as a secret; its replacement can then belong to a secret that begins before it.
  for (let look = 1; look < MOST_LOOKS && from < word; look += 1) {
    const earlier = Math.min(openFrom(new TextViews(text.slice(0, from)), found, from), from);
    if (earlier === from) break;
    from = earlier;
  }
  return { from, severalWords: from < word };
}

function openFrom(views: TextViews, found: readonly Range[], word: number): number {
  const { text } = views;
  const encoded = text.search(ENCODED);
  // The end of an encoded character decides which one it is, and whether it continues what is before it.
  const before = encoded === -1 ? undefined : new TextViews(text.slice(0, encoded));
  const opening = Math.min(openingOf(views), before ? openingOf(before) : text.length);
  const start = Math.min(
    spreadStart(views.shadow),
    before ? spreadStart(before.shadow) : Number.POSITIVE_INFINITY,
  );
  // A word of a longer secret that is complete belongs to it.
  const longer = found.find((range) => range[0] < start && start < range[1] && range[1] <= word);
  const spread = longer === undefined ? start : longer[1];
  return wordStart(text, Math.min(opening, spread, text.length));
}

/** Returns where digits or a word over several lines begin that reach to the end of a text. */
function spreadStart({ text, offsets }: DerivedText): number {
  const start = Math.min(openDigits(text), openEncoded(text), brokenWordStart(text));
  return start === text.length ? Number.POSITIVE_INFINITY : offsets.toSource([start, start + 1])[0];
}

/** Returns the offset of the first opening in any view of a text, or the end of the text. */
function openingOf({ text, shadow, decoded, plain }: TextViews): number {
  let from = openingIn(text) ?? text.length;
  for (const view of [shadow, decoded, plain]) {
    const opening = view.text === text ? undefined : openingIn(view.text);
    if (opening === undefined) continue;
    const [source] = view.offsets.toSource([opening, view.text.length]);
    from = Math.min(from, source);
  }
  return from;
}

/** Returns the offset of the first opening that reaches to the end of a text. */
function openingIn(text: string): number | undefined {
  const line = text.lastIndexOf("\n") + 1;
  const reach = Math.max(0, text.length - OPENING_REACH);
  const near = text.slice(reach);
  const starts = [
    lineStart(text, line),
    ...[MANIFEST_KIND, ...OPENINGS].map((opening) => {
      const start = near.search(opening);
      return start === -1 ? -1 : reach + start;
    }),
    text.search(MANIFEST),
  ].filter((start) => start !== -1);
  return starts.length === 0 ? undefined : Math.min(...starts);
}

function wordStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && isWordUnit(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

/** Returns the offset of the first command of the last line whose options can hold a password. */
function lineStart(text: string, line: number): number {
  const start = text.slice(line).search(COMMAND);
  return start === -1 ? -1 : line + start;
}
