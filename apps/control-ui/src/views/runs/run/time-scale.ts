import type { RunSpan } from "@openclaw/protocol";

/** Part of the time of work as which a folded wait is drawn. */
const FOLDED = 0.06;
/** Least part of the time of work from which a wait is folded. */
const LONG = 0.15;

/** Position of times on the line of a run, in percent. */
export interface TimeScale {
  /** Returns the position of a time. */
  at(time: number): number;
  /** Waits that are drawn shorter than they were. */
  readonly folds: readonly { readonly from: number; readonly ms: number }[];
  /** Times of work with a label: milliseconds since the start. */
  readonly ticks: readonly { readonly x: number; readonly ms: number }[];
}

/**
 * Makes the scale of a run. Work keeps its scale; long waits for a person are folded to a fixed width.
 * @param end - end of those that are open, in milliseconds since the epoch
 * @param isFolded - false draws waits in their length
 */
export function timeScale(spans: readonly RunSpan[], end: number, isFolded: boolean): TimeScale {
  const start = Math.min(...spans.map(({ at }) => at));
  const last = Math.max(
    start + 1,
    ...spans.map(({ at, durationMs }) => at + (durationMs ?? Math.max(0, end - at))),
  );
  const waits = merged(
    spans
      .filter(({ kind }) => kind === "approval")
      .map(({ at, durationMs }) => [at, at + (durationMs ?? Math.max(0, end - at))] as const),
  );
  const work = Math.max(1, last - start - sum(waits));
  const folded = isFolded ? waits.filter(([from, to]) => to - from > LONG * work) : [];
  const length = FOLDED * work;
  const total = last - start - sum(folded) + folded.length * length;
  const at = (time: number) => {
    let drawn = time - start;
    for (const [from, to] of folded) {
      if (time <= from) break;
      const within = Math.min(time, to) - from;
      drawn += (within / (to - from)) * length - within;
    }
    return Math.min(100, Math.max(0, (drawn / total) * 100));
  };
  const step = niceStep((last - start - sum(folded)) / 5);
  const ticks: { readonly x: number; readonly ms: number }[] = [];
  for (let ms = 0; ms <= last - start && ticks.length < 40; ms += step) {
    const time = start + ms;
    if (folded.some(([from, to]) => time > from && time < to)) continue;
    ticks.push({ x: at(time), ms });
  }
  return {
    at,
    ticks: ticks.filter(({ x }, index) => index === 0 || x - (ticks[index - 1]?.x ?? 0) > 4),
    folds: folded.map(([from, to]) => ({ from: at(from), ms: to - from })),
  };
}

function merged(
  intervals: readonly (readonly [from: number, to: number])[],
): readonly (readonly [from: number, to: number])[] {
  const result: [number, number][] = [];
  for (const [from, to] of intervals.toSorted(([one], [other]) => one - other)) {
    const last = result.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result.filter(([from, to]) => to > from);
}

function sum(intervals: readonly (readonly [from: number, to: number])[]): number {
  return intervals.reduce((total, [from, to]) => total + to - from, 0);
}

/** A step of 1, 2 or 5 times a power of ten. */
function niceStep(ms: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, ms)));
  return ([1, 2, 5, 10].find((each) => each * power >= ms) ?? 10) * power;
}
