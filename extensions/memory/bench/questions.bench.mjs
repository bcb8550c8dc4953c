/**
 * Quality of the search and of the search before a turn, with the questions that nothing was tuned with. Only a run of
 * this file reads them.
 */
import { OWNER } from "./bench-memory.mjs";
import { openQuestionMemory, rowsOf } from "./questions/memory.mjs";

const { recall } = await import("../src/turns/recall.ts");

const LIMIT = 50;
const RECALL = { maxTokens: 2000, inGroups: false, hasLimit: false };
const REQUESTER = { senderIsOwner: true };

const questions = rowsOf("held-back");
const GROUPS = {
  all: ({ kind }) => kind !== "none",
  "English, other words": isParaphrase((language) => language === "en"),
  "other languages, other words": isParaphrase((language) => language !== "en"),
  "own words": ({ kind }) => kind === "words",
};

for (const [bench, options, goals] of [
  ["notes", {}, { "R@1": 0.5, "R@5": 0.75, "R@10": 0.82 }],
  ["notes between the guides", { withGuides: true }, {}],
]) {
  const { memory, close } = await openQuestionMemory(options);
  const ranks = new Map();
  for (const { text, relevant } of questions) {
    const { hits } = await memory.search.search(OWNER, { query: text, limit: LIMIT });
    const paths = [...new Set(hits.map(({ path }) => path))];
    ranks.set(
      text,
      paths.findIndex((path) => relevant.includes(path)),
    );
  }
  for (const [group, isIn] of Object.entries(GROUPS)) {
    const asked = questions.filter(isIn);
    for (const most of [1, 5, 10]) {
      const found = asked.filter(({ text }) => ranks.get(text) >= 0 && ranks.get(text) < most);
      const metric = `R@${most}`;
      const goal = group === "all" ? goals[metric] : undefined;
      report(bench, `${group} ${metric}`, found.length / asked.length, asked.length, { goal });
    }
  }
  if (bench === "notes") await measureRecall(memory);
  await close();
}

/** Measures what the search before a turn offers. */
async function measureRecall(memory) {
  const offered = new Map();
  for (const { text } of questions) {
    const request = { query: text, limit: 10, agentId: OWNER.agent, requester: REQUESTER };
    offered.set(text, await recall(memory.search, request, RECALL));
  }
  const bench = "recall of a turn";
  for (const [group, isIn] of Object.entries(GROUPS)) {
    const asked = questions.filter(isIn);
    const found = asked.filter(({ text, relevant }) =>
      offered.get(text).some(({ source }) => relevant.includes(source)),
    );
    report(bench, `${group} found`, found.length / asked.length, asked.length);
  }
  const none = questions.filter(({ kind }) => kind === "none");
  const wrong = none.filter(({ text }) => offered.get(text).length > 0);
  report(bench, "without an answer, offered something", wrong.length / none.length, none.length, {
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
