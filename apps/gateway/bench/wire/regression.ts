/** A result of the benchmark of turns over HTTP, measured or recorded. */
export interface WireFigure {
  readonly bench: string;
  readonly metric: string;
  readonly value: number;
}

/** The figure that is compared: it depends on the machine less than any other. */
export const RATIO = "turns, ratio to the floor";

/** Share of the recorded ratio that is reached when nothing became slower. */
const ENOUGH = 0.9;

/**
 * Returns a sentence for each durability whose turns became more than a tenth slower than recorded, in units of the
 * requests without a gateway of the same run.
 * @param measured - ratios of this run
 * @param recorded - results of `pnpm bench --record wire-turn`
 * @throws Error when a ratio was never recorded
 */
export function regressions(
  measured: readonly WireFigure[],
  recorded: readonly WireFigure[],
): readonly string[] {
  return measured.flatMap(({ bench, metric, value }) => {
    const before = recorded.find((figure) => figure.bench === bench && figure.metric === metric);
    if (before === undefined) {
      throw new Error(`"${bench}" has no recorded ratio; run pnpm bench --record wire-turn`);
    }
    const limit = before.value * ENOUGH;
    if (value >= limit) return [];
    const figures = [value, before.value, limit].map((each) => Number(each.toPrecision(3)));
    return [`${bench}: ${figures[0]} of the floor, recorded ${figures[1]}, allowed ${figures[2]}`];
  });
}
