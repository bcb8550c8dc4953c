/**
 * Runs the retrieval part of LongMemEval (https://github.com/xiaowu0162/LongMemEval), whose data you download yourself:
 *
 *   node extensions/memory/bench/longmemeval/run.mjs longmemeval_s_cleaned.json [--queries 50]
 *
 * Each conversation is a document with its date. A query searches its own conversations, and a conversation is
 * found when one of its chunks is. Queries without an answer count as false answers when they have a hit. The files
 * `oracle` and `s` fit into memory; `m` has 2.7 GB and does not.
 */
import { argv, exit, stderr, stdout } from "node:process";
import { parseArgs } from "node:util";
import { readQueries } from "./queries.mjs";

const LIMIT = 50;
const FIRST = [5, 10];

const { values, positionals } = parseArgs({
  args: argv.slice(2),
  allowPositionals: true,
  options: { queries: { type: "string" } },
});
const [file] = positionals;
if (file === undefined) {
  stderr.write(
    "usage: node bench/longmemeval/run.mjs <file of LongMemEval> [--queries <number>]\n",
  );
  exit(2);
}

try {
  await run(readQueries(file).slice(0, countOf(values.queries)));
} catch (error) {
  stderr.write(`${error.message}\n`);
  exit(1);
}

async function run(queries) {
  // A file with another form is reported before the model is loaded.
  const bench = await import("../bench-memory.mjs");
  const { withoutBackground } = await import("../../src/turns/background.ts");
  const found = new Map();
  for (const [index, query] of queries.entries()) {
    stderr.write(`\r${index + 1} of ${queries.length} queries`);
    found.set(query.id, await sessionsFor(query, { ...bench, withoutBackground }));
  }
  stderr.write("\n");
  const answerable = queries.filter(({ hasAnswer }) => hasAnswer);
  const kinds = new Map([["all", answerable]]);
  for (const query of answerable) {
    kinds.set(query.type, [...(kinds.get(query.type) ?? []), query]);
  }
  for (const [kind, asked] of kinds) {
    if (asked.length === 0) continue;
    const mean = (measure) =>
      asked.reduce((sum, { id, relevant }) => sum + measure(found.get(id).sessions, relevant), 0) /
      asked.length;
    for (const count of FIRST) {
      const hitsOf = (sessions, relevant) =>
        relevant.filter((each) => sessions.slice(0, count).includes(each)).length;
      print(
        `${kind} any of ${count}`,
        mean((...of) => (hitsOf(...of) > 0 ? 1 : 0)),
        asked,
      );
      print(
        `${kind} all of ${count}`,
        mean((sessions, relevant) => (hitsOf(sessions, relevant) === relevant.length ? 1 : 0)),
        asked,
      );
    }
    print(`${kind} MRR`, mean(reciprocalRank), asked);
  }
  const unanswerable = queries.filter(({ hasAnswer }) => !hasAnswer);
  if (unanswerable.length === 0) return;
  const wrong = unanswerable.filter(({ id }) => found.get(id).isOffered).length;
  print("false answers", wrong / unanswerable.length, unanswerable, "lower");
}

/** Returns the conversations that a search finds, best first, and whether a turn is offered any of them. */
async function sessionsFor({ text, sessions }, { OWNER, openBenchMemory, withoutBackground }) {
  const { memory, close } = await openBenchMemory();
  try {
    const writes = sessions.map(({ day, text: content }, index) => ({
      path: `sessions/${index}.md`,
      content,
      eventDate: day,
    }));
    await memory.documents.writeAll(OWNER, writes);
    await memory.embeddings.idle();
    const found = await memory.search.search(OWNER, { query: text, limit: LIMIT });
    const places = found.hits.map(({ path }) => Number(/\d+/.exec(path)?.[0]));
    return {
      sessions: [...new Set(places)].map((place) => sessions[place].id),
      // What the search before a turn would bring into it.
      isOffered: withoutBackground(found, text).length > 0,
    };
  } finally {
    await close();
  }
}

function reciprocalRank(sessions, relevant) {
  const first = sessions.findIndex((each) => relevant.includes(each));
  return first === -1 ? 0 : 1 / (first + 1);
}

function countOf(text = "Infinity") {
  const count = Number(text);
  if (count >= 1) return count;
  throw new Error(`--queries: expected a number from 1, got ${text}`);
}

function print(metric, value, asked, better = "higher") {
  const rounded = Math.round(value * 1000) / 1000;
  const line = { package: "memory", bench: "longmemeval", metric, value: rounded, unit: "" };
  stdout.write(`${JSON.stringify({ ...line, n: asked.length, better })}\n`);
}
