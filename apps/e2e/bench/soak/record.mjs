import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";

/**
 * Keeps figures in the form in which `pnpm bench --record` keeps those of a benchmark.
 * @param name - name of the file
 * @param results - figures
 */
export function recordFigures(name, results) {
  const folder = join(import.meta.dirname, "../recorded");
  mkdirSync(folder, { recursive: true });
  const [cpu] = cpus();
  const machine = {
    cpu: cpu?.model ?? "unknown",
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
  const recorded = new Date().toISOString().slice(0, 10);
  writeFileSync(
    join(folder, `${name}.json`),
    `${JSON.stringify({ recorded, machine, results }, null, 2)}\n`,
  );
}
