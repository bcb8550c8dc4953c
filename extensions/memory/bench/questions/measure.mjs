/** Measures the search and the search before a turn with queries about notes, and prints a line for each figure. */
import { OWNER } from "../bench-memory.mjs";

const { withoutBackground } = await import("../../src/turns/background.ts");

const LIMIT = 10;
const GOALS = new Map([
  [1, 0.5],
  [5, 0.75],
  [10, 0.82],
]);

/** Share of the queries in other words for which a turn is offered the note, and of those without an answer. */
const OFFERED_GOAL = 0.5;
const WRONG_GOAL = 0.1;

const GROUPS = {
  all: ({ kind }) => kind !== "none",
  "other words": isParaphrase(() => true),
  "English, other words": isParaphrase((language) => language === "en"),
  "other languages, other words": isParaphrase((language) => language !== "en"),
  "own words": ({ kind }) => kind === "words",
};

/**
 * Measures a memory.
 * @param memory - memory with the notes
 * @param queries - rows with a text and the paths of its notes
 */
export async function measure(memory, queries) {
  const found = new Map();
  for (const { text } of queries) {
    found.set(text, await memory.search.search(OWNER, { query: text, limit: LIMIT }));
  }
  const offeredFor = (text) => withoutBackground(found.get(text), text);

  for (const [group, isIn] of Object.entries(GROUPS)) {
    const asked = queries.filter(isIn);
    for (const [most, goal] of GOALS) {
      const answered = asked.filter(({ text, relevant }) => {
        const paths = [...new Set(found.get(text).hits.map(({ path }) => path))];
        return paths.slice(0, most).some((path) => relevant.includes(path));
      });
      const share = answered.length / asked.length;
      const goals = group === "all" ? { goal } : {};
      report("notes", `${group} R@${most}`, share, asked.length, goals);
    }
    const offered = asked.filter(({ text, relevant }) =>
      offeredFor(text).some(({ path }) => relevant.includes(path)),
    );
    const goals = group === "other words" ? { goal: OFFERED_GOAL } : {};
    report("turns", `${group} offered`, offered.length / asked.length, asked.length, goals);
  }
  const unanswerable = queries.filter(({ kind }) => kind === "none");
  const wrong = unanswerable.filter(({ text }) => offeredFor(text).length > 0);
  report("turns", "without an answer", wrong.length / unanswerable.length, unanswerable.length, {
    goal: WRONG_GOAL,
    better: "lower",
  });
}

function isParaphrase(isLanguage) {
  return ({ kind, language }) => kind === "paraphrase" && isLanguage(language);
}

function report(bench, metric, value, n, { goal, better = "higher" } = {}) {
  const rounded = Math.round(value * 1000) / 1000;
  const line = { package: "memory", bench, metric, value: rounded, unit: "", n, goal, better };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
