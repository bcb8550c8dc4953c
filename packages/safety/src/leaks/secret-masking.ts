import { isPrivateKeyHeader } from "../rules/built-in/private-keys.js";
import { BUILT_IN_RULES } from "../rules/built-in/rules.js";
import { applyEdits, underived } from "../text/derivation.js";
import type { Range } from "../text/range.js";
import { TextViews } from "../text/views.js";
import { isSecretAction, MOST_LOOKS, REDACTED, redactions } from "./redaction.js";
import { findLeaks, type LeakMatch, type LeakOptions } from "./scan.js";

/** Text without its secrets, and the secrets. */
export interface MaskedText {
  /** Text with the characters of each secret replaced by `[REDACTED]`. */
  readonly text: string;
  /** Replaced parts, each once. */
  readonly secrets: readonly string[];
}

const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]/;
/** Part of a match between white space, control characters and invisible characters. */
const PART = /[^\p{C}\p{Z}]+/gu;
/** Base64 as PEM and armor write it; an escaped line break before it is not part of it. */
const BASE64_RUN = /\\+[nr]|((?:[A-Za-z0-9+/]|%2[BbFf])+={0,2})/g;
/**
 * Minimum length of key material; shorter runs are words or paths, unless they are the last line of
 * a key.
 */
const LEAST_MATERIAL = 32;
/** Breaks between lines of base64, with the marks of strings, quotations and margins. */
const ONLY_BREAKS = /^[\s"'`\\&.,>|*#]*$/;
/** Length from which a line of base64 is not taken for the name of a program. */
const LONG_LINE = 16;
const GROUP = 4;
/** Separator of the lines of a key, as characters or as escapes. */
const BETWEEN_LINES = /^(?:\r?\n|\\+r\\+n|\\+n|%0[Dd]%0[Aa]|%0[Aa]|\s)$/;
/** Text after the last line of a key. */
const AFTER_LAST_LINE =
  /^(?:\r?\n|\\+r\\+n|\\+n|%0[Dd]%0[Aa]|%0[Aa]|\s)?(?:-----END |=[A-Za-z0-9+/]{4})/;
const REACH_BEHIND = 24;

/**
 * Masks the secrets of a text that a person reads before approving it (APPR-047). Unlike
 * `redactLeaks` it replaces only the characters of a secret: the base64 lines of a private key and
 * of a secret in wrapped base64, and the first line of other matches. Headers, line breaks and everything else remain, so that nothing
 * can hide behind a secret.
 * @param options - context and rules, as for `scanLeaks`
 */
export function maskSecrets(
  text: string,
  { context = "network", rules = BUILT_IN_RULES }: LeakOptions = {},
): MaskedText {
  const secrets = new Set<string>();
  let masked = text;
  // A replacement can uncover the beginning of another secret.
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const matches = findLeaks(new TextViews(masked), context, rules);
    const parts = matches
      .filter(({ rule }) => isSecretAction(rule.actions[context]))
      .flatMap((match) => secretParts(masked, match))
      .filter((range) => !REDACTED.includes(masked.slice(...range)));
    if (parts.length === 0) break;
    for (const range of parts) secrets.add(masked.slice(...range));
    masked = applyEdits(underived(masked), redactions(parts)).text;
  }
  return { text: masked, secrets: [...secrets] };
}

function secretParts(text: string, { rule, range, isEncoded }: LeakMatch): Range[] {
  const [start, end] = range;
  const matched = text.slice(start, end);
  if (rule.label === "PRIVATE_KEY") {
    return isPrivateKeyHeader(matched) ? keyMaterial(text, range) : encodedKey(matched, range);
  }
  const lines = isEncoded ? encodedLines(matched) : undefined;
  if (lines !== undefined) return lines.map(([from, to]) => [start + from, start + to]);
  const firstLine = matched.slice(0, LINE_BREAK.exec(matched)?.index);
  const parts = Array.from(
    firstLine.matchAll(PART),
    ({ index, 0: part }): Range => [start + index, start + index + part.length],
  );
  // The words before a token show its purpose.
  return rule.label === "BEARER" && parts.length > 0 && firstLine === matched
    ? parts.slice(-1)
    : rule.label === "BEARER"
      ? []
      : parts;
}

/** Returns the lines of base64 that was wrapped; a line that could be a command or a path stays visible. */
function encodedLines(matched: string): Range[] | undefined {
  const runs = Array.from(matched.matchAll(BASE64_RUN), ({ index, 1: run }) => ({ index, run }));
  const found = runs.flatMap(({ index, run }): Range[] =>
    run === undefined ? [] : [[index, index + run.length]],
  );
  if (found.length < 2 || !ONLY_BREAKS.test(matched.replace(BASE64_RUN, ""))) return undefined;
  return found.filter(([from, to], at) => at === 0 || isEncodedLine(matched.slice(from, to)));
}

function isEncodedLine(run: string): boolean {
  return (
    /[A-Z]/.test(run) &&
    !run.includes("/") &&
    (run.length < LONG_LINE ? /[a-z].*[\d=]|[\d=].*[a-z]/ : /[a-z\d]/).test(run)
  );
}

/** Returns the lines of base64 after the header of a private key. */
function keyMaterial(text: string, [start, end]: Range): Range[] {
  const block = text.slice(start, end);
  const found: Range[] = [];
  let last: number | undefined;
  for (const { index, 1: run } of block.matchAll(BASE64_RUN)) {
    if (run === undefined) continue;
    const after = index + run.length;
    const isNextLine = last !== undefined && BETWEEN_LINES.test(block.slice(last, index));
    if (
      isMaterial(run) ||
      (isNextLine && isLastLine(run, block.slice(after, after + REACH_BEHIND)))
    ) {
      found.push([start + index, start + after]);
      last = after;
    }
  }
  return found;
}

/** Returns true for a long run with more kinds of characters than words and paths have. */
function isMaterial(run: string): boolean {
  if (run.length < LEAST_MATERIAL) return false;
  return [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(run)).length > 1;
}

function isLastLine(run: string, behind: string): boolean {
  return run.length % GROUP === 0 && AFTER_LAST_LINE.test(behind);
}

/**
 * Returns the range of a key that is encoded as a whole; empty when the decoded text contains no
 * key material.
 */
function encodedKey(matched: string, range: Range): Range[] {
  for (let shift = 0; shift < GROUP; shift += 1) {
    const decoded = Buffer.from(matched.slice(shift), "base64").toString("latin1");
    for (const [run] of decoded.matchAll(BASE64_RUN)) if (isMaterial(run)) return [range];
  }
  return [];
}
