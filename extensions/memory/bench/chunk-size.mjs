/**
 * Quality of the search by chunk size, as a Markdown table, with the half of the labelled set for tuning. The set has
 * short documents, so 100 at a time are joined to one of about 1,260 words. An answer counts as found when its sentence
 * is in the text that a recall adds to a turn: hits, best first, until 2,000 tokens.
 *
 *   node extensions/memory/bench/chunk-size.mjs
 */
import { labelled, OWNER, openBenchMemory } from "./bench-memory.mjs";

const SIZES = [25, 50, 75, 100, 125, 200, 400, 800];
const OVERLAPS = [0, 0.15, 0.3];
const JOINED = 100;
const LIMIT = 10;
const BUDGET = 2000;
const CHARACTERS_PER_TOKEN = 4;

const documents = labelled("documents");
const textOf = new Map(documents.map(({ id, text }) => [id, normal(text)]));
// Joined documents have no date.
const queries = labelled("queries").filter(
  ({ split, kind }) => split === "tune" && kind !== "time",
);
const answerable = queries.filter(({ kind }) => kind !== "none");
const unanswerable = queries.filter(({ kind }) => kind === "none");

process.stdout.write(
  "| words | overlap | chunks | first hit | in 2,000 tokens | paraphrases in 2,000 tokens | tokens | false answers |\n",
);
process.stdout.write("|--:|--:|--:|--:|--:|--:|--:|--:|\n");
for (const size of SIZES) {
  for (const overlap of size === 100 ? OVERLAPS : [0.15]) {
    process.stdout.write(
      `${row(await measured({ size, overlap, minimum: Math.min(50, size / 4) }))}\n`,
    );
  }
}

async function measured(chunker) {
  const { memory, close } = await openBenchMemory({ chunker });
  for (let start = 0; start < documents.length; start += JOINED) {
    const content = documents
      .slice(start, start + JOINED)
      .map(({ text }) => text)
      .join("\n");
    await memory.documents.write(OWNER, { path: `joined/${start / JOINED}.md`, content });
  }
  await memory.embeddings.idle();
  const found = new Map();
  for (const { id, text } of queries) {
    const { hits } = await memory.search.search(OWNER, { query: text, limit: LIMIT });
    found.set(id, withinBudget(hits.map((hit) => hit.text)));
  }
  const { chunks } = await memory.embeddings.status();
  await close();
  const share = (asked, shown) =>
    mean(
      asked.map(({ id, relevant }) => {
        const text = normal(shown(found.get(id)).join(" "));
        const seen = relevant.filter((each) => text.includes(textOf.get(each)));
        return seen.length / relevant.length;
      }),
    );
  const all = (texts) => texts;
  return {
    ...chunker,
    chunks,
    first: share(answerable, (texts) => texts.slice(0, 1)),
    inBudget: share(answerable, all),
    paraphrases: share(
      answerable.filter(({ kind }) => kind === "paraphrase"),
      all,
    ),
    tokens: mean(answerable.map(({ id }) => found.get(id).join("").length / CHARACTERS_PER_TOKEN)),
    wrong: mean(unanswerable.map(({ id }) => (found.get(id).length > 0 ? 1 : 0))),
  };
}

function withinBudget(texts) {
  const kept = [];
  let left = BUDGET * CHARACTERS_PER_TOKEN;
  for (const text of texts) {
    if (left <= 0) break;
    kept.push(text.slice(0, left));
    left -= text.length;
  }
  return kept;
}

function row({ size, overlap, chunks, first, inBudget, paraphrases, tokens, wrong }) {
  const shares = [first, inBudget, paraphrases].map((value) => value.toFixed(2));
  return `| ${[size, overlap, chunks, ...shares, Math.round(tokens), wrong.toFixed(2)].join(" | ")} |`;
}

function normal(text) {
  return text.replaceAll(/\s+/g, " ").trim();
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
