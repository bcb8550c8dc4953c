import { startOfText } from "@openclaw/foundation";

const LONGEST = 300;

const BEARER = /\b(Bearer|Basic)\s+[^\s"',;]+/gi;
const NAMED_KEY =
  /((?:key|(token)|secret|authorization|password)\w*["']?(?:\s+\w+){0,2}\s*[:=]\s*["']?)([^\s"',;}]+)/gi;
/** A number behind the word token, which counts tokens. */
const COUNT = /^[[({<>~≤≥]*[+-]?\d[\d.,_]*(?:[km]|%)?[\])}>.]*$/i;
const KNOWN_PREFIX = /\b(?:sk|pk|rk|gsk|xai|AIza|ghp|AKIA)[-_A-Za-z0-9*]{6,}/g;
const LONG_WORD = /[A-Za-z0-9]{16,}/g;

/**
 * Returns a provider's error text for a message: on one line, at most 300 characters, and without anything
 * that looks like a key, because servers often repeat the key that they reject.
 * @param text - message of an error or body of a response
 */
export function errorText(text: string): string {
  const clean = text
    .replace(BEARER, "$1 [redacted]")
    .replace(NAMED_KEY, (whole, before: string, token: string | undefined, value: string) =>
      token !== undefined && COUNT.test(value) ? whole : `${before}[redacted]`,
    )
    .replace(KNOWN_PREFIX, "[redacted]")
    .replace(LONG_WORD, (word) => (/\d/.test(word) && /[A-Za-z]/.test(word) ? "[redacted]" : word))
    .replace(/\s+/g, " ")
    .trim();
  return clean.length > LONGEST ? `${startOfText(clean, LONGEST - 1)}…` : clean;
}
