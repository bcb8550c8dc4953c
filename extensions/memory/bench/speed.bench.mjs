/**
 * Speed on SQLite with the default embedding model: import, search of 10,000 chunks, and searches during an import.
 * `OPENCLAW_BENCH_CHUNKS=10000,100000` names other sizes. Each time is followed by the processor time of the same work,
 * which is what remains comparable on a busy machine.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cpuUsage, env, memoryUsage } from "node:process";
import { labelled, OWNER, openBenchMemory } from "./labelled-memory.mjs";

const SIZES = (env.OPENCLAW_BENCH_CHUNKS ?? "10000").split(",").map(Number);
const BATCH = 50;
const SEARCHES = 100;
const MIB = 2 ** 20;

const sentences = labelled("documents").flatMap(({ text }) => text.split("\n"));
const queries = labelled("queries").map(({ text }) => text);

for (const size of SIZES) {
  const folder = mkdtempSync(join(tmpdir(), "openclaw-memory-bench-"));
  const { memory, close } = await openBenchMemory({ folder });
  const bench = `${size} chunks`;
  const imported = await timed(async () => {
    const half = size / 2;
    await importChunks(memory, 0, half);
    const before = settledMemory();
    await importChunks(memory, half, size);
    const grown = (settledMemory() - before) / MIB;
    report({ bench, metric: "memory grown in the second half", value: grown, unit: "MiB", n: 1 });
  });
  const rate = { bench, unit: "chunks/s", n: size, better: "higher" };
  report({ ...rate, metric: "import with vectors", value: size / imported.wall, goal: 2000 });
  report({ ...rate, metric: "import per processor second", value: size / imported.processor });

  for (let index = 0; index < 10; index += 1) await search(memory, index);
  const searches = [];
  for (let index = 0; index < SEARCHES; index += 1) {
    searches.push(await timed(() => search(memory, index * 3)));
  }
  reportTimes(bench, "search", searches, 30);

  // One search for each batch, which runs while the batch is written and embedded.
  const during = [];
  for (let start = size; start < size + SEARCHES * BATCH; start += BATCH) {
    const writing = memory.documents.writeAll(OWNER, batch(start));
    during.push(await timed(() => search(memory, start / BATCH)));
    await writing;
  }
  await memory.embeddings.idle();
  report({
    ...{ bench, metric: "search during import p95", unit: "ms", n: during.length, goal: 60 },
    value: percentile(during, "wall", 0.95),
  });
  await close();
  rmSync(folder, { recursive: true, force: true });
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

/** Returns the resident memory without garbage, where the process may collect it. */
function settledMemory() {
  globalThis.gc?.();
  return memoryUsage().rss;
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
  const rounded = Math.round(value * 10) / 10;
  const line = { package: "memory", ...rest, value: rounded, better };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
