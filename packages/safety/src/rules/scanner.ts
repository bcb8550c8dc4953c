import { valueAt } from "../text/checked-index.js";
import type { Range } from "../text/range.js";
import { type Anchor, anchorKey, parseAnchor } from "./anchor.js";
import {
  type AnchoredDetector,
  type Detector,
  LONG_WORD,
  type Matcher,
  type RunDetector,
  type RunKind,
  type SearchDetector,
  WORD_REACH,
} from "./detector.js";
import { forEachRun } from "./long-run.js";

/** Subject of a scan. */
export interface Detectable {
  readonly detector: Detector;
}

/** Subject that was found, and its range. */
export interface Match<Subject> {
  readonly subject: Subject;
  readonly range: Range;
}

/** Searches a text for all its subjects; the matches are sorted by their start. */
export type Scanner<Subject> = (text: string) => Match<Subject>[];

/**
 * Minimum lengths of the groups of anchors. A search is faster when its alternatives are similar,
 * so anchors that begin with the same punctuation character form a group, and anchors that begin
 * with a letter or digit are grouped by length.
 */
const GROUP_LENGTHS = [1, 3] as const;
const PUNCTUATION = /[^A-Za-z0-9]/;

interface Entry<Subject> {
  readonly subject: Subject;
  readonly detector: AnchoredDetector;
  readonly anchor: Anchor;
  /** Matches where one of the detector's anchors begins; the same object for equal anchors. */
  readonly here: RegExp;
}

/** Joins anchors with a common end, which is faster to search. */
function alternation(anchors: readonly Anchor[]): string {
  return [...groupBy(anchors, ({ tail }) => tail)]
    .map(([tail, group]) => {
      const heads = new Set(
        group.map(({ source }) => source.slice(0, source.length - tail.length)),
      );
      return tail === "" ? [...heads].join("|") : `(?:${[...heads].join("|")})${tail}`;
    })
    .join("|");
}

interface Group<Subject> {
  readonly search: RegExp;
  /** Entries by the possible first characters of their anchors. */
  readonly entries: ReadonlyMap<string, readonly Entry<Subject>[]>;
}

/** Detectors for runs of one kind; the smallest minimum length decides the step. */
interface Runs<Subject> {
  readonly kind: RunKind;
  readonly least: number;
  readonly seekers: readonly { readonly subject: Subject; readonly detector: RunDetector }[];
}

/**
 * Builds one search for many subjects. A hit of the search tries every subject whose anchor can
 * begin there, so that a short anchor does not hide a longer one (SAFE-014).
 * @param subjects - subjects in any order
 */
export function compileScanner<Subject extends Detectable>(
  subjects: readonly Subject[],
): Scanner<Subject> {
  const groups = groupsOf(subjects.filter((subject) => !isNearWords(subject)));
  const nearWords = groupsOf(subjects.filter(isNearWords), () => "near words");
  const runs = runsOf(subjects);
  const searches = subjects.flatMap((subject) =>
    subject.detector.by === "search" ? [{ subject, detector: subject.detector }] : [],
  );
  return (text) => {
    const matches: Match<Subject>[] = [];
    for (const group of groups) scanAnchors(text, group, matches);
    if (nearWords.length > 0) scanNearWords(text, nearWords, matches);
    for (const run of runs) scanRuns(text, run, matches);
    for (const { subject, detector } of searches) scanSearch(text, subject, detector, matches);
    return matches.sort((a, b) => a.range[0] - b.range[0]);
  };
}

/** State of a subject during one pass over a text. */
interface Visit {
  readonly matcher: Matcher;
  /** End of the last match; no other match is searched inside it. */
  end: number;
}

type Visits = Map<AnchoredDetector, Visit>;

function isNearWords({ detector }: Detectable): boolean {
  return detector.by === "anchor" && detector.longWord === true;
}

/** Searches from shortly before each long run to its end. */
function scanNearWords<Subject>(
  text: string,
  groups: readonly Group<Subject>[],
  matches: Match<Subject>[],
): void {
  const visits: Visits = new Map();
  forEachRun(text, "token", LONG_WORD, ([start, end]) => {
    const from = Math.max(0, start - WORD_REACH);
    const part = text.slice(from, end);
    for (const group of groups) scanAnchors(text, group, matches, { visits, part, from });
  });
}

/** Part of a text in which anchors are searched. */
interface Searched {
  readonly visits: Visits;
  readonly part: string;
  /** Offset of the part in the text. */
  readonly from: number;
}

function scanAnchors<Subject>(
  text: string,
  { search, entries }: Group<Subject>,
  matches: Match<Subject>[],
  { visits, part, from }: Searched = { visits: new Map(), part: text, from: 0 },
): void {
  search.lastIndex = 0;
  for (let hit = search.exec(part); hit !== null; hit = search.exec(part)) {
    const at = from + hit.index;
    search.lastIndex = hit.index + 1;
    let tested: RegExp | undefined;
    let isHere = false;
    for (const { subject, detector, here } of valueAt(
      entries,
      anchorKey(text.charAt(at), search.ignoreCase),
    )) {
      if (here !== tested) {
        here.lastIndex = at;
        isHere = here.test(text);
        tested = here;
      }
      if (!isHere) continue;
      const visit = visits.get(detector) ?? { matcher: detector.open(), end: 0 };
      visits.set(detector, visit);
      const range = at < visit.end ? undefined : visit.matcher(text, at);
      if (range === undefined) continue;
      visit.end = range[1];
      matches.push({ subject, range });
    }
  }
}

function scanRuns<Subject>(
  text: string,
  { kind, least, seekers }: Runs<Subject>,
  matches: Match<Subject>[],
): void {
  forEachRun(text, kind, least, (run) => {
    for (const { subject, detector } of seekers) {
      const range = run[1] - run[0] < detector.least ? undefined : detector.match(text, run);
      if (range !== undefined) matches.push({ subject, range });
    }
  });
}

function scanSearch<Subject>(
  text: string,
  subject: Subject,
  detector: SearchDetector,
  matches: Match<Subject>[],
): void {
  for (const range of detector.search(text)) matches.push({ subject, range });
}

function runsOf<Subject extends Detectable>(subjects: readonly Subject[]): Runs<Subject>[] {
  const seekers = subjects.flatMap((subject) =>
    subject.detector.by === "run" ? [{ subject, detector: subject.detector }] : [],
  );
  return [...groupBy(seekers, ({ detector }) => detector.kind)].map(([kind, group]) => ({
    kind,
    least: Math.min(...group.map(({ detector }) => detector.least)),
    seekers: group,
  }));
}

function groupsOf<Subject extends Detectable>(
  subjects: readonly Subject[],
  keyOf: (entry: Entry<Subject>) => string = groupKey,
): Group<Subject>[] {
  const tests = new Map<string, RegExp>();
  const entries = subjects.flatMap((subject) => {
    const { detector } = subject;
    if (detector.by !== "anchor") return [];
    const anchors = detector.anchors.map((source) => parseAnchor(source, detector.ignoreCase));
    const key = `${detector.ignoreCase} ${detector.anchors.join("|")}`;
    const here =
      tests.get(key) ?? new RegExp(alternation(anchors), detector.ignoreCase ? "iy" : "y");
    tests.set(key, here);
    return anchors.map((anchor) => ({ subject, detector, anchor, here }));
  });
  return [...groupBy(entries, keyOf).values()].map(groupOf);
}

function groupKey({ anchor, detector }: Entry<unknown>): string {
  const beginning = anchor.first.join("");
  const length = GROUP_LENGTHS.findLast((least) => anchor.length >= least);
  const kind = PUNCTUATION.test(beginning) ? beginning : length;
  return `${kind} ${detector.ignoreCase ? "any case" : "exact case"}`;
}

function groupOf<Subject>(entries: readonly Entry<Subject>[]): Group<Subject> {
  const ignoreCase = entries.some(({ detector }) => detector.ignoreCase);
  const byFirst = new Map<string, Entry<Subject>[]>();
  for (const entry of entries) {
    for (const key of entry.anchor.first) {
      const known = byFirst.get(key) ?? [];
      if (!known.some(({ detector }) => detector === entry.detector)) known.push(entry);
      byFirst.set(key, known);
    }
  }
  return {
    search: new RegExp(alternation(entries.map(({ anchor }) => anchor)), ignoreCase ? "gi" : "g"),
    entries: byFirst,
  };
}

function groupBy<Key, Value>(
  values: readonly Value[],
  keyOf: (value: Value) => Key,
): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    groups.set(key, [...(groups.get(key) ?? []), value]);
  }
  return groups;
}
