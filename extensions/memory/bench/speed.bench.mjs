/**
 * Speed on SQLite with the default embedding model: import, searches of 10,000 and 100,000 chunks, and searches during an
 * import. `OPENCLAW_BENCH_CHUNKS=10000` names other sizes. Each time is followed by the processor time of the same work,
 * which is what remains comparable on a busy machine. Of sizes that have codes, searches are measured without and with
 * them.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cpuUsage, env, memoryUsage } from "node:process";
import { labelled, OWNER, openBenchMemory } from "./bench-memory.mjs";

const { CodeBlocks, DEFAULT_CODE_SIZES } = await import("../src/embeddings/code-blocks.ts");
const { nearest } = await import("../src/search/vector-search.ts");

const SIZES = (env.OPENCLAW_BENCH_CHUNKS ?? "10000,100000").split(",").map(Number);
const WITHOUT_CODES = { ...DEFAULT_CODE_SIZES, from: Number.MAX_SAFE_INTEGER };
const BATCH = 50;
const SEARCHES = 100;
const NEAREST = 50;
const MIB = 2 ** 20;

const sentences = labelled("documents").flatMap(({ text }) => text.split("\n"));
const queries = labelled("queries").map(({ text }) => text);

for (const size of SIZES) {
  const folder = mkdtempSync(join(tmpdir(), "openclaw-memory-bench-"));
  const isCoded = size >= DEFAULT_CODE_SIZES.from;
  const bench = `${size} chunks`;
  const plain = await openBenchMemory({ folder, codeSizes: WITHOUT_CODES });
  const imported = await timed(async () => {
    await importChunks(plain.memory, 0, size / 2);
    const before = settledMemory();
    await importChunks(plain.memory, size / 2, size);
    const grown = (settledMemory() - before) / MIB;
    report({
      bench,
      metric: "memory grown in the second half",
      value: grown,
      unit: "MiB",
      n: 1,
      goal: 16,
    });
  });
  const rate = { bench, unit: "chunks/s", n: size, better: "higher" };
  report({ ...rate, metric: "import with vectors", value: size / imported.wall, goal: 2000 });
  report({ ...rate, metric: "import per processor second", value: size / imported.processor });
  await measureSearches(
    plain.memory,
    bench,
    isCoded ? "search without codes" : "search",
    isCoded ? undefined : 30,
  );
  const exact = await measureNearest(
    plain.memory,
    bench,
    isCoded ? "vectors without codes" : "vectors",
  );
  if (!isCoded) await measureDuringImport(plain.memory, bench, size);
  await plain.close();
  if (isCoded) {
    const coded = await openBenchMemory({ folder });
    const packed = await timed(async () => {
      coded.memory.embeddings.start();
      await coded.memory.embeddings.idle();
    });
    report({ bench, metric: "making codes", value: packed.wall * 1000, unit: "ms", n: 1 });
    await measureSearches(coded.memory, bench, "search", 30);
    const found = await measureNearest(coded.memory, bench, "vectors");
    const same = found.map(
      (chunks, query) => chunks.filter((chunk) => exact[query].includes(chunk)).length,
    );
    const recall = same.reduce((sum, count) => sum + count, 0) / (NEAREST * found.length);
    report({
      bench,
      metric: `recall of ${NEAREST}`,
      value: recall,
      unit: "",
      n: found.length,
      goal: 0.99,
      better: "higher",
    });
    await coded.close();
  }
  rmSync(folder, { recursive: true, force: true });
}

async function measureSearches(memory, bench, name, goal) {
  for (let index = 0; index < 10; index += 1) await search(memory, index);
  const searches = [];
  for (let index = 0; index < SEARCHES; index += 1) {
    searches.push(await timed(() => search(memory, index * 3)));
  }
  reportTimes(bench, name, searches, goal);
}

/** Measures the vector search alone; returns the chunks that it found for each query. */
async function measureNearest(memory, bench, name) {
  const owner = await memory.documents.ownerId(OWNER);
  const codes = new CodeBlocks(memory.database);
  const { signal } = new AbortController();
  const times = [];
  const found = [];
  for (let index = 0; index < SEARCHES; index += 1) {
    const query = await memory.embeddings.embedQuery(queries[(index * 3) % queries.length], signal);
    const filter = { sql: "", params: [] };
    times.push(
      await timed(async () => {
        const chunks = await nearest(memory.database, {
          query,
          owner,
          filter,
          limit: NEAREST,
          codes,
        });
        found.push(chunks.map(({ chunk }) => chunk));
      }),
    );
  }
  reportTimes(bench, name, times);
  return found;
}

/** One search for each batch, which runs while the batch is written and embedded. */
async function measureDuringImport(memory, bench, size) {
  const during = [];
  for (let start = size; start < size + SEARCHES * BATCH; start += BATCH) {
    const writing = memory.documents.writeAll(OWNER, batch(start));
    during.push(await timed(() => search(memory, start / BATCH)));
    await writing;
  }
  await memory.embeddings.idle();
  reportTimes(bench, "search during import", during, 60);
}

async function importChunks(memory, from, to) {
  for (let start = from; start < to; start += BATCH) {
    await memory.documents.writeAll(OWNER, batch(start));
  }
  await memory.embeddings.idle();
}

async function search(memory, index) {
  await memory.search.search(OWNER, { query: queries[index % queries.length] });
}

/** Returns the seconds that work took, and those of the processor. */
async function timed(work) {
  const usedBefore = cpuUsage();
  const begin = performance.now();
  await work();
  const wall = (performance.now() - begin) / 1000;
  const { user, system } = cpuUsage(usedBefore);
  return { wall, processor: (user + system) / 1e6 };
}

/**
 * Returns the memory that is in use, without garbage where the process may collect it. The free part of the heap is left
 * out: V8 doubles the space for new objects once during a long import, whatever it stores.
 */
function settledMemory() {
  globalThis.gc?.();
  const { rss, heapTotal, heapUsed } = memoryUsage();
  return rss - (heapTotal - heapUsed);
}

function reportTimes(bench, name, times, goal) {
  const time = { bench, unit: "ms", n: times.length };
  report({ ...time, metric: `${name} p50`, value: percentile(times, "wall", 0.5) });
  report({ ...time, metric: `${name} p95`, value: percentile(times, "wall", 0.95), goal });
  report({
    ...{ ...time, metric: `${name} p95, processor time` },
    value: percentile(times, "processor", 0.95),
  });
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

/** Returns a percentile of times in milliseconds. */
function percentile(times, clock, share) {
  const sorted = times.map((time) => time[clock] * 1000).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function report({ value, better = "lower", ...rest }) {
  const rounded = Math.round(value * 1000) / 1000;
  const line = { package: "memory", ...rest, value: rounded, better };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
