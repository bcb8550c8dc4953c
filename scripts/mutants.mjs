// Removes one guard at a time from a copy of the checkout and runs the tests that must notice it. A mutant is one such
// removal; the tables in `scripts/mutants` name them. The checkout itself is never changed.
// usage: pnpm mutants [--only NAME]... [--report FILE] [--resume] [--check] [--list]
//   --only NAME    runs the mutants whose name contains NAME
//   --report FILE  writes the results as JSON; default node_modules/.cache/mutants.json
//   --resume       keeps the results of the report that were found in the same tree
//   --check        runs no test: every text to replace occurs exactly once, every test file exists
//   --list         prints the names
import { resolve } from "node:path";
import { exit, stderr, stdout } from "node:process";
import { parseArgs } from "node:util";
import { MUTANTS } from "./mutants/table.mjs";
import { tableProblems } from "./mutation/check.mjs";
import { copyCheckout } from "./mutation/checkout-copy.mjs";
import { Report, resultTable } from "./mutation/report.mjs";
import { TestRunner } from "./mutation/test-run.mjs";

const root = resolve(import.meta.dirname, "..");
const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] },
    report: { type: "string", default: "node_modules/.cache/mutants.json" },
    resume: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});

const unknown = values.only
  .filter((part) => MUTANTS.every(({ name }) => !name.includes(part)))
  .map((part) => `no mutant is named ${part}`);
if (unknown.length > 0) fail(2, unknown);
const chosen = MUTANTS.filter(
  ({ name }) => values.only.length === 0 || values.only.some((part) => name.includes(part)),
);
if (values.list) {
  stdout.write(chosen.map(({ name }) => `${name}\n`).join(""));
  exit(0);
}
const problems = tableProblems(root, chosen);
if (problems.length > 0) fail(1, problems);
if (values.check) {
  stdout.write(`${chosen.length} mutants fit the sources\n`);
  exit(0);
}

process.once("SIGINT", () => exit(130));
process.once("SIGTERM", () => exit(143));
process.env.CI = "1";
const copy = copyCheckout(root);
process.once("exit", () => copy.remove());
process.chdir(copy.folder);
const report = Report.open(resolve(root, values.report), copy.digest, values.resume);
const missing = chosen.filter((mutant) => report.resultOf(mutant) === undefined);
const projects = [...new Set(missing.map(({ tests }) => tests.project))];
const runner = new TestRunner(copy.folder, projects);
await requireGreen(missing);
for (const [index, mutant] of missing.entries()) {
  const { name, file, find, replace, tests } = mutant;
  const began = performance.now();
  const restore = copy.change(file, (text) => text.replace(find, () => replace));
  runner.changed(file);
  const result = await runner.run(tests);
  restore();
  runner.changed(file);
  const ms = Math.round(performance.now() - began);
  report.add(mutant, { ...result, ms });
  stdout.write(`${index + 1}/${missing.length} ${name}: ${result.status} (${ms} ms)\n`);
}
await runner.close();
const results = chosen.map((mutant) => ({ ...mutant, ...report.resultOf(mutant) }));
stdout.write(`\n${resultTable(results)}`);
const alive = results.filter(({ status }) => status !== "killed");
stdout.write(
  alive.length === 0
    ? `${results.length} mutants, every one noticed\n`
    : `${results.length} mutants, ${alive.length} not noticed: ${alive.map(({ name }) => name).join(", ")}\n`,
);
exit(alive.length === 0 ? 0 : 1);

/** A test that fails without a mutant would notice every mutant. */
async function requireGreen(mutants) {
  for (const project of projects) {
    const files = mutants.flatMap(({ tests }) => (tests.project === project ? tests.files : []));
    for (const file of new Set(files)) {
      const { status, noticedBy } = await runner.run({ project, files: [file] });
      if (status !== "survived") fail(1, [`${file} fails without a mutant: ${noticedBy}`]);
    }
  }
}

function fail(status, lines) {
  stderr.write(lines.map((line) => `${line}\n`).join(""));
  exit(status);
}
