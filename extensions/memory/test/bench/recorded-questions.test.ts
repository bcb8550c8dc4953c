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

// Written by `pnpm bench --record memory/bench/questions`.
const record: { readonly machine: { readonly node: string }; readonly results: readonly Figure[] } =
  JSON.parse(read("bench/recorded/questions.json"));

function figure(metric: string): Figure {
  const found = record.results.find((each) => each.metric === metric);
  if (found === undefined) throw new Error(`the record has no ${metric}`);
  return found;
}

const isMet = ({ value, goal = Number.NaN, better }: Figure) =>
  better === "lower" ? value <= goal : value >= goal;

describe("the recorded quality of memory with held-back queries", () => {
  it.each([
    ["all R@1", 0.5],
    ["all R@5", 0.75],
    ["all R@10", 0.82],
  ])("[MEM-324] reaches the goal of the search: %s", (metric, goal) => {
    expect(figure(metric)).toMatchObject({ goal, n: 138 });
    expect(isMet(figure(metric))).toBe(true);
  });

  it("[MEM-324] reaches the goals of the search before a turn", () => {
    const offered = figure("other words offered");
    const without = figure("without an answer");
    expect(offered).toMatchObject({ goal: 0.5, n: 69 });
    expect(without).toMatchObject({ goal: 0.1, n: 20 });
    expect([isMet(offered), isMet(without)]).toEqual([true, true]);
    const text = read("README.md").replaceAll("\n", " ");
    expect(text).toContain(`${offered.value.toFixed(2)} are offered their note`);
    expect(text).toContain(`of 20 messages without an answer ${without.value * 20} are offered`);
  });

  it.each([
    ["all", "all"],
    ["English, in other words", "English, other words"],
    ["other languages, in other words", "other languages, other words"],
    ["in the words of the note", "own words"],
  ])("[MEM-324] is that of the table: %s", (row, group) => {
    const numbers = [1, 5, 10].map((most) => figure(`${group} R@${most}`));
    const [first] = numbers;
    const cells = [row, first?.n, ...numbers.map(({ value }) => Number(value.toFixed(2)))];
    expect(read("README.md")).toContain(`| ${cells.join(" | ")} |`);
  });
});
