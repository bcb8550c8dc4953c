import { now } from "../../state/clock.js";
import type { ListedRun } from "../../state/runs.js";
import { text } from "./messages.js";

/** Gap between two bars, in percent of the strip. */
const GAP = 1;
/** Smallest width of a bar, in percent of the strip. */
const LEAST = 1;

/** What a run did in its newest steps, one bar for each, as long as it took. */
export function StepStrip({ run: { recentSteps = [] } }: { run: ListedRun }) {
  const bars = barsOf(recentSteps, now.value);
  if (bars.length === 0) return null;
  return (
    <svg class="strip" role="img" aria-label={text.recentSteps(recentSteps.length)}>
      {bars.map(({ at, left, width, name }) => (
        <rect key={at} class={name} x={`${left}%`} width={`${width}%`} height="8" />
      ))}
    </svg>
  );
}

interface Bar {
  readonly at: number;
  readonly name: string;
  readonly left: number;
  readonly width: number;
}

/** Classes of the bars of steps that begin something; the other steps end it. */
const NAMES: Readonly<Record<string, string>> = {
  "model-requested": "b",
  "tool-intended": "b tool",
  "approval-asked": "b wait",
};

function barsOf(steps: NonNullable<ListedRun["recentSteps"]>, end: number): readonly Bar[] {
  const begun = steps.flatMap(({ kind, at }, index) => {
    const name = NAMES[kind];
    const until = steps[index + 1]?.at;
    return name === undefined ? [] : [{ at, until, name }];
  });
  const total = begun.reduce((sum, { at, until = end }) => sum + Math.max(0, until - at), 0);
  const room = 100 - GAP * (begun.length - 1) - LEAST * begun.length;
  let left = 0;
  return begun.map(({ at, until, name }) => {
    const share = total === 0 ? 1 / begun.length : Math.max(0, (until ?? end) - at) / total;
    const width = LEAST + room * share;
    const bar = { at, left, width, name: until === undefined ? `${name} live` : name };
    left += width + GAP;
    return bar;
  });
}
