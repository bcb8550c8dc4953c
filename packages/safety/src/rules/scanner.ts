import { elementAt, valueAt } from "../text/checked-index.js";
import type { Range } from "../text/range.js";
import { type Units, unitsOf } from "../text/units.js";
import { type Anchor, alternation, parseAnchor } from "./anchor.js";
import { type AnchorSearch, searchAnchors } from "./anchor-search.js";
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
import { groupBy } from "./groups.js";
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

/** Detectors with equal anchors, and their subjects. */
interface Family<Subject> {
  readonly anchors: readonly Anchor[];
  readonly ignoreCase: boolean;
  /** Matches where one of the anchors begins, or what every match begins with. */
  readonly here: RegExp;
  readonly members: readonly {
    readonly subject: Subject;
    readonly detector: AnchoredDetector;
  }[];
}

/** Detectors for runs of one kind; the smallest minimum length decides the step. */
interface Runs<Subject> {
  readonly kind: RunKind;
  readonly least: number;
  readonly seekers: readonly { readonly subject: Subject; readonly detector: RunDetector }[];
}

/**
 * Builds one search for many subjects. A hit of the search tries every subject whose anchor can
 * begin there, so that a short anchor does not hide a longer one (SAFE-014). Where several match at
 * one place, they are in the order of the subjects.
 * @param subjects - subjects in the order of precedence
 */
export function compileScanner<Subject extends Detectable>(
  subjects: readonly Subject[],
): Scanner<Subject> {
  const order = new Map(subjects.map((subject, index) => [subject, index]));
  const searches = searchesOf(familiesOf(subjects.filter((subject) => !isNearWords(subject))));
  const nearWords = searchesOf(familiesOf(subjects.filter(isNearWords)), 3);
  const runs = runsOf(subjects);
  const others = subjects.flatMap((subject) =>
    subject.detector.by === "search" ? [{ subject, detector: subject.detector }] : [],
  );
  return (text) => {
    const matches: Match<Subject>[] = [];
    const units = unitsOf(text);
    const searched = { text, units };
    const visit = visitorOf(text, matches);
    for (const search of searches) search(searched, 0, text.length, visit);
    if (nearWords.length > 0) {
      forEachRun(units, "token", LONG_WORD, ([start, end]) => {
        for (const search of nearWords)
          search(searched, Math.max(0, start - WORD_REACH), end, visit);
      });
    }
    for (const run of runs) scanRuns(text, units, run, matches);
    for (const { subject, detector } of others) scanSearch(text, subject, detector, matches);
    return matches.sort(
      (a, b) => a.range[0] - b.range[0] || valueAt(order, a.subject) - valueAt(order, b.subject),
    );
  };
}

function isNearWords({ detector }: Detectable): boolean {
  return detector.by === "anchor" && detector.longWord === true;
}

/** State of a subject during one pass over a text. */
interface Visit {
  readonly matcher: Matcher;
  /** End of the last match; no other match is searched inside it. */
  end: number;
}

/** Returns a function that tries the detectors whose anchors may begin at an offset of a text. */
function visitorOf<Subject>(
  text: string,
  matches: Match<Subject>[],
): (at: number, families: readonly Family<Subject>[]) => void {
  const visits = new Map<AnchoredDetector, Visit>();
  return (at, families) => {
    for (const { here, members } of families) {
      here.lastIndex = at;
      if (!here.test(text)) continue;
      for (const { subject, detector } of members) {
        const visit = visits.get(detector) ?? { matcher: detector.open(), end: 0 };
        visits.set(detector, visit);
        const range = at < visit.end ? undefined : visit.matcher(text, at);
        if (range === undefined) continue;
        visit.end = range[1];
        matches.push({ subject, range });
      }
    }
  };
}

function scanRuns<Subject>(
  text: string,
  units: Units,
  { kind, least, seekers }: Runs<Subject>,
  matches: Match<Subject>[],
): void {
  forEachRun(units, kind, least, (run) => {
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

function familiesOf<Subject extends Detectable>(subjects: readonly Subject[]): Family<Subject>[] {
  const members = subjects.flatMap((subject) =>
    subject.detector.by === "anchor" ? [{ subject, detector: subject.detector }] : [],
  );
  const keyOf = ({ detector }: { readonly detector: AnchoredDetector }) =>
    `${detector.ignoreCase} ${detector.anchors.join("|")} ${detector.opening}`;
  return [...groupBy(members, keyOf).values()].map((group) => {
    const { anchors: sources, ignoreCase, opening } = elementAt(group, 0).detector;
    const anchors = sources.map((source) => parseAnchor(source, ignoreCase));
    const here = opening ?? new RegExp(alternation(anchors), ignoreCase ? "iy" : "y");
    return { anchors, ignoreCase, here, members: group };
  });
}

function searchesOf<Subject>(
  families: readonly Family<Subject>[],
  least?: number,
): AnchorSearch<Family<Subject>>[] {
  const anchors = families.flatMap((family) =>
    family.anchors.map((anchor) => ({ anchor, ignoreCase: family.ignoreCase, entry: family })),
  );
  return searchAnchors(anchors, least);
}
