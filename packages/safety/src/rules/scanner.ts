import { valueAt } from "../text/checked-index.js";
import type { Range } from "../text/range.js";
import { type Anchor, anchorKey, parseAnchor } from "./anchor.js";
import type {
  AnchoredDetector,
  Detector,
  Matcher,
  RunDetector,
  RunKind,
  SearchDetector,
} from "./detector.js";
import { forEachRun } from "./long-run.js";

/** Something that can be looked for in a text. */
export interface Detectable {
  readonly detector: Detector;
}

/** A subject that was found, and where. */
export interface Match<Subject> {
  readonly subject: Subject;
  readonly range: Range;
}

/** Looks for all its subjects in a text; the matches are sorted by where they begin. */
export type Scanner<Subject> = (text: string) => Match<Subject>[];

/**
 * Anchors are searched in groups, since a search is as slow as its parts are unlike: those that begin
 * with the same punctuation character, and those that begin with a letter or digit, short ones apart.
 */
const GROUP_LENGTHS = [1, 3] as const;
const PUNCTUATION = /[^A-Za-z0-9]/;

interface Entry<Subject> {
  readonly subject: Subject;
  readonly detector: AnchoredDetector;
  readonly anchor: Anchor;
  /** Whether one of the detector's anchors stands at a place; hits are shared with other detectors. */
  readonly here: RegExp;
}

interface Group<Subject> {
  readonly search: RegExp;
  /** Entries by the character with which their anchor can begin. */
  readonly entries: ReadonlyMap<string, readonly Entry<Subject>[]>;
}

/** All that is looked for in runs of one kind; the shortest of them sets the pace. */
interface Runs<Subject> {
  readonly kind: RunKind;
  readonly least: number;
  readonly seekers: readonly { readonly subject: Subject; readonly detector: RunDetector }[];
}

/**
 * Builds one search for many subjects. A hit of the search tries every subject whose anchor can begin
 * there, so that a short beginning hides no longer one (SAFE-014).
 * @param subjects - what to look for; the order does not matter
 */
export function compileScanner<Subject extends Detectable>(
  subjects: readonly Subject[],
): Scanner<Subject> {
  const groups = groupsOf(subjects);
  const runs = runsOf(subjects);
  const searches = subjects.flatMap((subject) =>
    subject.detector.by === "search" ? [{ subject, detector: subject.detector }] : [],
  );
  return (text) => {
    const matches: Match<Subject>[] = [];
    for (const group of groups) scanAnchors(text, group, matches);
    for (const run of runs) scanRuns(text, run, matches);
    for (const { subject, detector } of searches) scanSearch(text, subject, detector, matches);
    return matches.sort((a, b) => a.range[0] - b.range[0]);
  };
}

/** What one pass over a text knows about a subject. */
interface Visit {
  readonly matcher: Matcher;
  /** Where the last match ended; no other is looked for inside it. */
  end: number;
}

function scanAnchors<Subject>(
  text: string,
  { search, entries }: Group<Subject>,
  matches: Match<Subject>[],
): void {
  const visits = new Map<AnchoredDetector, Visit>();
  search.lastIndex = 0;
  for (let hit = search.exec(text); hit !== null; hit = search.exec(text)) {
    const at = hit.index;
    search.lastIndex = at + 1;
    for (const { subject, detector, here } of valueAt(
      entries,
      anchorKey(text.charAt(at), search.ignoreCase),
    )) {
      here.lastIndex = at;
      if (!here.test(text)) continue;
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

function groupsOf<Subject extends Detectable>(subjects: readonly Subject[]): Group<Subject>[] {
  const entries = subjects.flatMap((subject) => {
    const { detector } = subject;
    if (detector.by !== "anchor") return [];
    const anchors = detector.anchors.map((source) => parseAnchor(source, detector.ignoreCase));
    const here = new RegExp(
      anchors.map(({ source }) => source).join("|"),
      detector.ignoreCase ? "iy" : "y",
    );
    return anchors.map((anchor) => ({ subject, detector, anchor, here }));
  });
  return [...groupBy(entries, groupKey).values()].map(groupOf);
}

function groupKey({ anchor, detector }: Entry<unknown>): string {
  const beginning = anchor.first.join("");
  const length = GROUP_LENGTHS.findLast((least) => anchor.length >= least);
  const kind = PUNCTUATION.test(beginning) ? beginning : length;
  return `${kind} ${detector.ignoreCase ? "any case" : "exact case"}`;
}

function groupOf<Subject>(entries: readonly Entry<Subject>[]): Group<Subject> {
  const ignoreCase = entries.some(({ detector }) => detector.ignoreCase);
  const sources = [...new Set(entries.map(({ anchor }) => anchor.source))];
  const byFirst = new Map<string, Entry<Subject>[]>();
  for (const entry of entries) {
    for (const key of entry.anchor.first) {
      const known = byFirst.get(key) ?? [];
      if (!known.some(({ detector }) => detector === entry.detector)) known.push(entry);
      byFirst.set(key, known);
    }
  }
  return { search: new RegExp(sources.join("|"), ignoreCase ? "gi" : "g"), entries: byFirst };
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
