// Runs the tests of packages whose lines and branches must all be covered, and fails when one is not.
// usage: pnpm coverage [--record]
// --record writes packages/<name>/coverage.recorded.json, which a test compares with the sources.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { argv, exit, stderr, stdout } from "node:process";
import { sourcesDigest } from "../apps/e2e/src/repository/sources-digest.ts";

const PACKAGES = ["packages/tool-policy"];
const KINDS = ["lines", "branches"];
const MAX_TEST_MS = 600_000;

const root = resolve(import.meta.dirname, "..");
let failures = 0;
for (const dir of PACKAGES) {
  const { total, ...files } = measure(dir);
  const counts = Object.fromEntries(
    KINDS.map((kind) => [kind, { covered: total[kind].covered, total: total[kind].total }]),
  );
  const shown = KINDS.map((kind) => `${counts[kind].covered} of ${counts[kind].total} ${kind}`);
  stdout.write(`${dir}: ${shown.join(", ")}\n`);
  for (const [file, of] of Object.entries(files)) {
    const missing = KINDS.filter((kind) => of[kind].covered < of[kind].total);
    if (missing.length === 0) continue;
    failures += 1;
    stderr.write(`${file}: not all ${missing.join(" and ")} are covered\n`);
  }
  if (failures === 0 && argv.includes("--record")) {
    const recorded = { sources: sourcesDigest(join(root, dir)), ...counts };
    writeFileSync(
      join(root, dir, "coverage.recorded.json"),
      `${JSON.stringify(recorded, null, 2)}\n`,
    );
  }
}
exit(failures === 0 ? 0 : 1);

/** Returns the summary of coverage by file, after all tests of the package passed. */
function measure(dir) {
  const folder = mkdtempSync(join(tmpdir(), "openclaw-coverage-"));
  try {
    const options = [
      "reporter=json-summary",
      `include=${dir}/src/**`,
      `reportsDirectory=${folder}`,
    ];
    const { status } = spawnSync(
      join(root, "node_modules/.bin/vitest"),
      [
        ...["run", "--project", "packages", dir, "--reporter=dot"],
        // Counting makes the slowest tests several times slower.
        `--testTimeout=${MAX_TEST_MS}`,
        ...["--coverage", ...options.map((option) => `--coverage.${option}`)],
      ],
      { cwd: root, stdio: ["ignore", "ignore", "inherit"] },
    );
    if (status !== 0) throw new Error(`the tests of ${dir} failed with status ${status}`);
    return JSON.parse(readFileSync(join(folder, "coverage-summary.json"), "utf8"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
