import { findCards } from "./card.js";
import { findEmails } from "./email.js";
import { findIbans } from "./iban.js";
import { KINDS, REPLACEMENTS, type SensitiveData, type SensitiveKind } from "./kind.js";
import type { PhoneNumbers } from "./phone.js";

type Places = Iterable<readonly [start: number, end: number]>;

/** Ways to find data that need the host or the configuration. */
export interface DetectorOptions {
  /** Returns the places of secrets by the rules of the host. */
  readonly findSecrets: (
    text: string,
  ) => readonly { readonly start: number; readonly end: number }[];
  readonly phones: PhoneNumbers;
}

/** Maximum number of searches of one text. */
const MOST_SEARCHES = 8;

/** Text without sensitive data. */
export interface RedactedText {
  readonly text: string;
  /** Kinds that were found. */
  readonly found: ReadonlySet<SensitiveKind>;
}

/** Finds sensitive data in a text. */
export class SensitiveDataDetector {
  readonly #finders: Readonly<Record<SensitiveKind, (text: string) => Places>>;

  /** @param options - secrets and phone numbers */
  constructor({ findSecrets, phones }: DetectorOptions) {
    this.#finders = {
      secret: (text) => findSecrets(text).map(({ start, end }) => [start, end] as const),
      iban: findIbans,
      card: findCards,
      email: findEmails,
      phone: (text) => phones.find(text),
    };
  }

  /**
   * Replaces the sensitive data of some kinds by labels. It searches again until nothing is found, because a number is
   * sometimes found only once the number next to it is removed.
   * @param kinds - kinds to look for
   * @param from - offset before which the text is only context, and stays as it is
   */
  redact(text: string, kinds: ReadonlySet<SensitiveKind>, from = 0): RedactedText {
    const found = new Set<SensitiveKind>();
    let clean = text;
    for (let search = 0; search < MOST_SEARCHES; search += 1) {
      const data = this.#find(clean, kinds)
        .filter(({ end }) => end > from)
        .map((each) => ({ ...each, start: Math.max(from, each.start) }));
      if (data.length === 0) break;
      for (const { kind } of data) found.add(kind);
      clean = redacted(clean, data);
    }
    return { text: clean, found };
  }

  /** Returns the sensitive data of some kinds, in order and without overlap. */
  #find(text: string, kinds: ReadonlySet<SensitiveKind>): SensitiveData[] {
    const found: SensitiveData[] = [];
    for (const kind of KINDS) {
      if (!kinds.has(kind)) continue;
      for (const [start, end] of this.#finders[kind](text)) {
        if (isReplacement(text, start, end)) continue;
        const overlaps = found.filter((other) => start < other.end && other.start < end);
        if (overlaps.length === 0) found.push({ kind, start, end });
        else if (overlaps.some((other) => other.kind === kind)) merge(found, overlaps, start, end);
      }
    }
    return found.sort((left, right) => left.start - right.start);
  }
}

/** Makes one find of some that overlap a new one; the first keeps its kind. */
function merge(
  found: SensitiveData[],
  overlaps: readonly SensitiveData[],
  start: number,
  end: number,
): void {
  const [first] = overlaps;
  if (first === undefined) return;
  for (const overlap of overlaps) found.splice(found.indexOf(overlap), 1);
  found.push({
    kind: first.kind,
    start: Math.min(start, ...overlaps.map((each) => each.start)),
    end: Math.max(end, ...overlaps.map((each) => each.end)),
  });
}

/** Returns true inside a text that stands for removed data, so that a second search finds nothing new. */
function isReplacement(text: string, start: number, end: number): boolean {
  const found = text.slice(start, end);
  return Object.values(REPLACEMENTS).some((replacement) => replacement.includes(found));
}

/** Returns a text in which a label stands for each find. */
function redacted(text: string, data: readonly SensitiveData[]): string {
  let result = "";
  let from = 0;
  for (const { kind, start, end } of data) {
    result += text.slice(from, start) + REPLACEMENTS[kind];
    from = end;
  }
  return result + text.slice(from);
}
