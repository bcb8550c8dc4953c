import type { TimelineRow } from "../run/timeline-rows.js";

/** Step of two runs, or of one of them. */
export interface AlignedStep {
  readonly key: string;
  readonly first?: TimelineRow | undefined;
  readonly second?: TimelineRow | undefined;
  /** Difference of the second; `same` where only the time does. */
  readonly change: "same" | "content" | "status" | "added" | "gone";
}

/**
 * Aligns the steps of two runs: the longest common sequence of steps with the same kind and name.
 * @param first - steps of a run
 * @param second - steps of another one
 */
export function alignedSteps(
  first: readonly TimelineRow[],
  second: readonly TimelineRow[],
): readonly AlignedStep[] {
  const names = (rows: readonly TimelineRow[]) =>
    rows.map(({ kind, name, depth }) => `${kind} ${depth} ${kind === "run" ? "" : name}`);
  const [one, other] = [names(first), names(second)];
  const width = other.length + 1;
  // Length of the longest common sequence of what is left of both.
  const common = new Uint16Array((one.length + 1) * width);
  for (let a = one.length - 1; a >= 0; a -= 1) {
    for (let b = other.length - 1; b >= 0; b -= 1) {
      common[a * width + b] =
        one[a] === other[b]
          ? (common[(a + 1) * width + b + 1] ?? 0) + 1
          : Math.max(common[(a + 1) * width + b] ?? 0, common[a * width + b + 1] ?? 0);
    }
  }
  const steps: AlignedStep[] = [];
  let [a, b] = [0, 0];
  while (a < one.length || b < other.length) {
    const [rowA, rowB] = [first[a], second[b]];
    if (rowA !== undefined && rowB !== undefined && one[a] === other[b]) {
      steps.push({
        key: `${rowA.key} ${rowB.key}`,
        ...{ first: rowA, second: rowB, change: changeOf(rowA, rowB) },
      });
      a += 1;
      b += 1;
    } else if (
      rowB === undefined ||
      (rowA !== undefined && (common[(a + 1) * width + b] ?? 0) >= (common[a * width + b + 1] ?? 0))
    ) {
      steps.push({ key: `a${rowA?.key}`, first: rowA, change: "gone" });
      a += 1;
    } else {
      steps.push({ key: `b${rowB.key}`, second: rowB, change: "added" });
      b += 1;
    }
  }
  return steps;
}

function changeOf(first: TimelineRow, second: TimelineRow): AlignedStep["change"] {
  if (first.status !== second.status) return "status";
  return first.note === second.note ? "same" : "content";
}
