/**
 * Quality of the search with the half of the labelled set that the ranking was not tuned with: full text, vectors, both,
 * and minisearch over the same documents.
 */
import MiniSearch from "minisearch";
import { fillLabelled, labelled, OWNER, openBenchMemory } from "./labelled-memory.mjs";

const LIMIT = 10;
const queries = labelled("queries").filter(({ split }) => split === "report");
const answerable = queries.filter(({ kind }) => kind !== "none");

const { memory, close } = await openBenchMemory();
const idOf = await fillLabelled(memory);
const search = async ({ text, from, to }, more = {}) => {
  const { hits } = await memory.search.search(OWNER, {
    query: text,
    limit: LIMIT,
    from,
    to,
    ...more,
  });
  return hits.map(({ path }) => idOf.get(path));
};
const plain = await openBenchMemory({ withVectors: false });
const plainIdOf = await fillLabelled(plain.memory);
const linked = await openBenchMemory();
await fillLabelled(linked.memory, { withLinks: true });

const mini = new MiniSearch({ fields: ["path", "text", "date"], idField: "id" });
mini.addAll(
  labelled("documents").map(({ id, path, text, date = "" }) => ({ id, path, text, date })),
);

const searches = {
  "full text": async ({ text, from, to }) => {
    const { hits } = await plain.memory.search.search(OWNER, {
      query: text,
      limit: LIMIT,
      from,
      to,
    });
    return hits.map(({ path }) => plainIdOf.get(path));
  },
  vectors: (query) =>
    search(query, { ranking: { vectorShare: 1, minimumCoverage: 2, recency: 0 } }),
  hybrid: (query) => search(query),
  "hybrid with links": async ({ text, from, to }) => {
    const { hits } = await linked.memory.search.search(OWNER, {
      query: text,
      limit: LIMIT,
      from,
      to,
    });
    return hits.map(({ path }) => idOf.get(path));
  },
  minisearch: async ({ text }) =>
    mini
      .search(text)
      .slice(0, LIMIT)
      .map(({ id }) => id),
};

for (const [name, find] of Object.entries(searches)) {
  const results = new Map();
  for (const query of queries) results.set(query.id, await find(query));
  const kinds = new Map([["all", answerable]]);
  for (const query of answerable) kinds.set(query.kind, [...(kinds.get(query.kind) ?? []), query]);
  for (const [kind, asked] of kinds) {
    const of = (measure) =>
      asked.reduce((sum, query) => sum + measure(results.get(query.id), query.relevant), 0) /
      asked.length;
    const report = (metric, value) =>
      print(name, `${kind} ${metric}`, value, asked.length, "higher");
    report(
      "R@1",
      of((found, relevant) => recallAt(found, relevant, 1)),
    );
    report(
      "R@5",
      of((found, relevant) => recallAt(found, relevant, 5)),
    );
    report("MRR", of(reciprocalRank));
    report("nDCG@10", of(gain));
  }
  const unanswerable = queries.filter(({ kind }) => kind === "none");
  const wrong = unanswerable.filter(({ id }) => results.get(id).length > 0).length;
  print(name, "false answers", wrong / unanswerable.length, unanswerable.length, "lower");
}
for (const each of [{ close }, plain, linked]) await each.close();

function print(bench, metric, value, n, better) {
  const rounded = Math.round(value * 1000) / 1000;
  process.stdout.write(
    `${JSON.stringify({ package: "memory", bench, metric, value: rounded, unit: "", n, better })}\n`,
  );
}

/** Share of the relevant documents among the first ones, of as many as could be there. */
function recallAt(found, relevant, count) {
  const hits = found.slice(0, count).filter((id) => relevant.includes(id)).length;
  return hits / Math.min(count, relevant.length);
}

function reciprocalRank(found, relevant) {
  const first = found.findIndex((id) => relevant.includes(id));
  return first === -1 ? 0 : 1 / (first + 1);
}

function gain(found, relevant) {
  const discounted = (count, isRelevant) => {
    let sum = 0;
    for (let index = 0; index < count; index += 1) {
      if (isRelevant(index)) sum += 1 / Math.log2(index + 2);
    }
    return sum;
  };
  const best = discounted(Math.min(LIMIT, relevant.length), () => true);
  return discounted(found.length, (index) => relevant.includes(found[index])) / best;
}
