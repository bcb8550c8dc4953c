/**
 * Speed on SQLite, with the default embedding model: import, search of 10,000 and 100,000 chunks, and searches during an
 * import. `OPENCLAW_BENCH_CHUNKS` names other sizes.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env, memoryUsage } from "node:process";
import { labelled, OWNER, openBenchMemory } from "./labelled-memory.mjs";

const SIZES = (env.OPENCLAW_BENCH_CHUNKS ?? "10000,100000").split(",").map(Number);
const BATCH = 50;
const SEARCHES = 100;

const sentences = labelled("documents").flatMap(({ text }) => text.split("\n"));
const queries = labelled("queries").map(({ text }) => text);

for (const size of SIZES) {
  const folder = mkdtempSync(join(tmpdir(), "openclaw-memory-bench-"));
  const { memory, close } = await openBenchMemory({ folder });
  const startedAt = performance.now();
  let peak = 0;
  for (let start = 0; start < size / 2; start += BATCH) {
    await memory.documents.writeAll(OWNER, batch(start));
    peak = Math.max(peak, memoryUsage().rss);
  }
  const half = memoryUsage().rss;
  // Searches while the second half is imported.
  const during = [];
  let isImporting = true;
  const searching = (async () => {
    for (let index = 0; isImporting; index += 1) during.push(await timed(index));
  })();
  for (let start = Math.floor(size / 2); start < size; start += BATCH) {
    await memory.documents.writeAll(OWNER, batch(start));
    await new Promise((resume) => setImmediate(resume));
  }
  await memory.embeddings.idle();
  isImporting = false;
  await searching;
  const seconds = (performance.now() - startedAt) / 1000;
  const name = `${size} chunks`;
  report(name, "import with vectors", size / seconds, "chunks/s", 1, "higher", 2000);
  report(
    name,
    "search during import p95",
    percentile(during, 0.95),
    "ms",
    during.length,
    "lower",
    60,
  );
  report(
    name,
    "memory grown in the second half",
    (memoryUsage().rss - half) / 2 ** 20,
    "MiB",
    1,
    "lower",
  );
  for (let index = 0; index < 10; index += 1) await timed(index);
  const times = [];
  for (let index = 0; index < SEARCHES; index += 1) times.push(await timed(index * 3));
  report(name, "search p50", percentile(times, 0.5), "ms", times.length, "lower");
  report(name, "search p95", percentile(times, 0.95), "ms", times.length, "lower", 30);
  await close();
  rmSync(folder, { recursive: true, force: true });

  async function timed(index) {
    const begin = performance.now();
    await memory.search.search(OWNER, { query: queries[index % queries.length] });
    return performance.now() - begin;
  }
}

/** Documents of about 30 words, each of one chunk. */
function batch(start) {
  return Array.from({ length: BATCH }, (_, offset) => {
    const number = start + offset;
    const content = [0, 1, 2]
      .map((part) => sentences[(number * 7 + part * 131) % sentences.length])
      .join(" ");
    return { path: `bench/${number}.md`, content: `${content} Entry ${number}.` };
  });
}

function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function report(bench, metric, value, unit, n, better, goal) {
  const rounded = Math.round(value * 10) / 10;
  const line = {
    package: "memory",
    bench,
    metric,
    value: rounded,
    unit,
    n,
    better,
    ...(goal === undefined ? {} : { goal }),
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
