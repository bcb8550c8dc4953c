// Runs every benchmark of the workspace and prints one table, or with --json one object.
// A benchmark is a file <package>/bench/*.bench.mjs that runs on built code and prints one JSON object
// a line: { package, bench, metric, value, unit, n, floor?, goal?, better: "lower" | "higher" }.
// usage: pnpm bench [--json] [--record] [name ...]   a name selects the files whose path contains it
// --record writes the results of each file to bench/recorded/<name>.json beside it, with the machine and the day.
// Tests compare these records with the goals of the requirements;
// `node scripts/reference.mjs` lists them in docs/reference/benchmarks.md.
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { basename, dirname, join } from "node:path";
import { argv, exit, stderr, stdout, version } from "node:process";
import { parseArgs } from "node:util";

const { values, positionals: names } = parseArgs({
  args: argv.slice(2),
  allowPositionals: true,
  options: { json: { type: "boolean" }, record: { type: "boolean" } },
});
const files = globSync("{packages,extensions,apps}/*/bench/*.bench.mjs")
  .filter((file) => names.length === 0 || names.some((name) => file.includes(name)))
  .sort();

const [cpu] = cpus();
const machine = {
  cpu: cpu?.model ?? "unknown",
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: version,
};
const results = [];
let failures = 0;
for (const file of files) {
  stderr.write(`running ${file}\n`);
  const run = spawnSync(process.execPath, ["--expose-gc", file], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 64 * 1024 * 1024,
  });
  const printed = run.stdout.split("\n").filter((line) => line.startsWith("{"));
  const found = printed.flatMap((line) => figureOf(line));
  results.push(...found);
  if (run.status !== 0) {
    failures += 1;
    stderr.write(`${file} failed with status ${run.status}\n`);
  } else if (found.length < printed.length) {
    failures += 1;
    stderr.write(`${file} failed: it prints something else than one JSON object a line\n`);
  } else if (values.record && found.length > 0) {
    record(file, found);
  }
}

if (values.json) {
  stdout.write(`${JSON.stringify({ machine, results }, null, 2)}\n`);
} else {
  stdout.write(
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, Node ${machine.node}\n\n`,
  );
  const rows = [["package", "bench", "metric", "value", "goal", "n"]];
  for (const { package: name, bench, metric, value, unit, goal, better, n } of results) {
    const sign = better === "lower" ? "≤" : "≥";
    rows.push([
      name,
      bench,
      metric,
      `${round(value)} ${unit}`,
      goal === undefined ? "" : `${sign} ${goal}`,
      String(n),
    ]);
  }
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows) {
    stdout.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join("  ")
        .trimEnd()}\n`,
    );
  }
}
exit(failures === 0 ? 0 : 1);

function round(value) {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}

function figureOf(line) {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

function record(file, found) {
  const folder = join(dirname(file), "recorded");
  mkdirSync(folder, { recursive: true });
  const recorded = new Date().toISOString().slice(0, 10);
  const text = JSON.stringify({ recorded, machine, results: found }, null, 2);
  writeFileSync(join(folder, `${basename(file, ".bench.mjs")}.json`), `${text}\n`);
}
