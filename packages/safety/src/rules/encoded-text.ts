import { unitsOf } from "../text/units.js";
import { forEachRun } from "./long-run.js";

/** Base64 digits of a group of bytes; a run that does not begin at one is decoded at each place in a group. */
const GROUP = 4;
/** UTF-8 without control characters, and ASCII in UTF-16, with one character for each byte. */
const READABLE =
  /(?:[\t\r\n -~]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}){6,}|(?:[\t\r\n -~]\0){6,}/g;
const NOT_ASCII = /[^\0-\x7f]/;

/**
 * Returns the readable strings that a run of base64 contains. Random bytes, as those of checksums, keys
 * and images, and the paths of URLs decode to none.
 * @param encoded - run of base64 digits
 * @param least - minimum length of a text, in bytes
 */
export function encodedTexts(encoded: string, least: number): string[] {
  const texts: string[] = [];
  for (let shift = 0; shift < GROUP; shift += 1) {
    const bytes = decoded(encoded.slice(shift));
    forEachRun(unitsOf(bytes), "textBytes", least, (run) => {
      for (const text of bytes.slice(...run).match(READABLE) ?? []) {
        if (text.length < least) continue;
        texts.push(Buffer.from(text.replaceAll("\0", ""), "latin1").toString("utf8"));
      }
    });
  }
  return texts;
}

/** Returns true when a run of base64 encodes readable text or ASCII characters alone. */
export function encodesText(encoded: string, least: number): boolean {
  return !NOT_ASCII.test(decoded(encoded)) || encodedTexts(encoded, least).length > 0;
}

function decoded(encoded: string): string {
  return Buffer.from(encoded, "base64").toString("latin1");
}
