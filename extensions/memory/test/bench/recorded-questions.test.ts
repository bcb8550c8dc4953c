import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

interface Figure {
  readonly metric: string;
  readonly value: number;
  readonly n: number;
  readonly goal?: number;
  readonly better: "lower" | "higher";
}

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");

// Written by `pnpm bench --record memory/bench/questions memory/bench/fresh`.
const records: Readonly<Record<string, { readonly results: readonly Figure[] }>> = {
  questions: JSON.parse(read("bench/recorded/questions.json")),
  fresh: JSON.parse(read("bench/recorded/fresh.json")),
};

function figure(set: string, metric: string): Figure {
  const found = records[set]?.results.find((each) => each.metric === metric);
  if (found === undefined) throw new Error(`the record of ${set} has no ${metric}`);
  return found;
}

const isMet = ({ value, goal = Number.NaN, better }: Figure) =>
  better === "lower" ? value <= goal : value >= goal;

const rounded = ({ value }: Figure) => Number(value.toFixed(2));

describe.each([
  ["questions", 20],
  ["fresh", 70],
])("the recorded quality of memory with the queries of %s", (set, unanswered) => {
  it.each([
    ["all R@1", 0.5],
    ["all R@5", 0.75],
    ["all R@10", 0.82],
  ])("[MEM-324] reaches the goal of the search: %s", (metric, goal) => {
    expect(figure(set, metric)).toMatchObject({ goal, n: 138 });
    expect(isMet(figure(set, metric))).toBe(true);
  });

  it("[MEM-324] reaches the goals of the search before a turn", () => {
    const offered = figure(set, "other words offered");
    const without = figure(set, "without an answer");
    expect(offered).toMatchObject({ goal: 0.5, n: 69 });
    expect(without).toMatchObject({ goal: 0.1, n: unanswered });
    expect([isMet(offered), isMet(without)]).toEqual([true, true]);
    const text = read("README.md").replaceAll("\n", " ");
    const count = Math.round(without.value * unanswered);
    expect(text).toContain(
      `${offered.value.toFixed(2)} are offered their note, and of ${unanswered} messages without an answer ${count} are offered`,
    );
  });
});

describe("the table of the README", () => {
  const ROWS = [
    ["all", "all"],
    ["English, in other words", "English, other words"],
    ["other languages, in other words", "other languages, other words"],
    ["in the words of the note", "own words"],
  ] as const;

  it.each(ROWS)("[MEM-324] has the recorded figures: %s", (row, group) => {
    const numbers = [1, 5, 10].map((most) => figure("questions", `${group} R@${most}`));
    const cells = [row, numbers[0]?.n, ...numbers.map(rounded)];
    expect(read("README.md")).toContain(`| ${cells.join(" | ")} |`);
  });

  it.each(ROWS)("[MEM-324] has the recorded figures of fresh notes: %s", (row, group) => {
    const numbers = [1, 5, 10].map((most) => figure("fresh", `${group} R@${most}`));
    const offered = rounded(figure("fresh", `${group} offered`));
    const cells = [row, numbers[0]?.n, ...numbers.map(rounded), offered];
    expect(read("README.md")).toContain(`| ${cells.join(" | ")} |`);
  });
});
