// Runs every benchmark of the workspace and prints one table, or with --json one object.
// A benchmark is a file <package>/bench/*.bench.mjs that runs on built code and prints one JSON object
// a line: { package, bench, metric, value, unit, n, floor?, goal?, better: "lower" | "higher" }.
// usage: pnpm bench [--json] [--record ...] [name ...]   a name picks the files whose path contains it
// Every other flag is passed on: --record lets a benchmark that keeps its results write them beside itself.
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { argv, exit, stderr, stdout, version } from "node:process";

const args = argv.slice(2);
const asJson = args.includes("--json");
const names = args.filter((arg) => !arg.startsWith("--"));
const flags = args.filter((arg) => arg.startsWith("--") && arg !== "--json");
const files = globSync("{packages,extensions,apps}/*/bench/*.bench.mjs")
  .filter((file) => names.length === 0 || names.some((name) => file.includes(name)))
  .sort();

const results = [];
let failures = 0;
for (const file of files) {
  stderr.write(`running ${file}\n`);
  const run = spawnSync(process.execPath, ["--expose-gc", file, ...flags], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 64 * 1024 * 1024,
  });
  if (run.status !== 0) {
    failures += 1;
    stderr.write(`${file} failed with status ${run.status}\n`);
  }
  for (const line of run.stdout.split("\n")) {
    if (line.startsWith("{")) results.push(JSON.parse(line));
  }
}

const [cpu] = cpus();
const machine = {
  cpu: cpu?.model ?? "unknown",
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: version,
};
if (asJson) {
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
