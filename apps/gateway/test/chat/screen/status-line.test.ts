import { stripVTControlCharacters } from "node:util";
import { UsageTotals } from "@openclaw/client/conversation";
import { expect, it } from "vitest";
import { StatusLine } from "../../../src/chat/screen/status-line.js";

function lineOf(usedTokens: number, width = 80): readonly string[] {
  const totals = new UsageTotals();
  totals.use({ usedTokens, windowTokens: 200_000 });
  const line = new StatusLine();
  const { context } = totals;
  line.status = { state: "ready", hint: "/help for commands", facts: ["a/b", "main"], context };
  return line.render(width);
}

it.each([
  [20_000, 10, false],
  [160_000, 80, false],
  [163_000, 82, true],
  [230_000, 115, true],
])(
  "[GW-684] shows %i of 200,000 tokens as %i %%, with a warning colour: %s",
  (used, percent, warns) => {
    for (const width of [40, 80]) {
      const shown = lineOf(used, width).join("\n");
      expect(stripVTControlCharacters(shown)).toContain(`context ${percent} % · a/b · main`);
      expect(shown.includes(`\u001b[33m\u001b[1mcontext ${percent} %`)).toBe(warns);
    }
  },
);

it("[GW-684] shows no share before a model has counted its tokens", () => {
  const line = new StatusLine();
  line.status = { state: "ready", hint: "", facts: ["a/b"] };
  expect(line.render(80).join("")).not.toContain("context");
});

it("[JOB-394] shows the jobs of the conversation above it, at most three one by one", () => {
  const line = new StatusLine();
  const jobs = ["job 1", "job 2", "job 3", "job 4", "job 5"];
  line.status = { state: "ready", hint: "", facts: [], jobs };
  expect(line.render(80).map(stripVTControlCharacters)).toEqual([
    ...["job 1", "job 2", "job 3", "and 2 more jobs"],
    expect.stringMatching(/^ready/),
  ]);
});
