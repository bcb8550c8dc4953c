import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Reads the labelled cases of a file in `test/labelled`.
 * @typeParam Case - shape of a line
 * @param name - name of the file without its ending
 */
export function labelledCases<Case extends { readonly id: string }>(name: string): readonly Case[] {
  const file = fileURLToPath(new URL(`../labelled/${name}.jsonl`, import.meta.url));
  return readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Measured quality of a guard on its labelled cases. */
export interface Quality {
  /** Share of the cases on which it acted that it should act on. */
  readonly precision: number;
  /** Share of the cases that it should act on on which it acted. */
  readonly recall: number;
  /** Cases that it should have acted on. */
  readonly missed: readonly string[];
  /** Cases that it should have left alone. */
  readonly false: readonly string[];
}

/**
 * Measures a guard.
 * @param cases - labelled cases
 * @param isPositive - label of a case
 * @param acts - true when the guard acts on a case as it should
 */
export function qualityOf<Case extends { readonly id: string }>(
  cases: readonly Case[],
  isPositive: (each: Case) => boolean,
  acts: (each: Case) => boolean,
): Quality {
  const acted = cases.filter(acts);
  const found = acted.filter(isPositive);
  const positives = cases.filter(isPositive);
  return {
    precision: found.length / acted.length,
    recall: found.length / positives.length,
    missed: positives.filter((each) => !acted.includes(each)).map(({ id }) => id),
    false: acted.filter((each) => !isPositive(each)).map(({ id }) => id),
  };
}
