import { readFileSync } from "node:fs";

/** Result of a benchmark, as `pnpm bench --record` writes it. */
export interface RecordedFigure {
  readonly package: string;
  readonly bench: string;
  readonly metric: string;
  readonly value: number;
  readonly unit: string;
  /** Number of measurements. */
  readonly n: number;
  readonly goal?: number;
  readonly better: "lower" | "higher";
}

/** Results of one benchmark file, and where they were measured. */
export interface RecordedBenchmark {
  /** Day of the measurement. */
  readonly recorded: string;
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly memoryGiB: number;
    readonly node: string;
  };
  readonly results: readonly RecordedFigure[];
}

/**
 * Reads the committed results of a benchmark. A test compares these with a goal instead of measuring, because its
 * result must not depend on the speed of the machine that runs it.
 *
 * @param file - `bench/recorded/<name>.json` of a package
 */
export function recordedBenchmark(file: URL): RecordedBenchmark {
  return JSON.parse(readFileSync(file, "utf8")) as RecordedBenchmark;
}

/**
 * Returns one recorded result.
 *
 * @throws when the benchmark has no such result, or more than one
 */
export function recordedFigure(
  { results }: RecordedBenchmark,
  bench: string,
  metric: string,
): RecordedFigure {
  const found = results.filter((each) => each.bench === bench && each.metric === metric);
  const [figure] = found;
  if (figure === undefined || found.length > 1) {
    throw new Error(`expected one recorded result "${bench}", "${metric}", got ${found.length}`);
  }
  return figure;
}

/** Returns whether a recorded result reaches its goal; undefined when it has none. */
export function reachesGoal({ value, goal, better }: RecordedFigure): boolean | undefined {
  if (goal === undefined) return undefined;
  return better === "lower" ? value <= goal : value >= goal;
}
