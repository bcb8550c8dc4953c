// Runs what is too long for a change: the large counts that requirements give to a release. Every check continues where
// it was interrupted; the results are in report.md and report.json of the folder.
// usage: pnpm release-checks [--only NAME]... [--list] [--scale FACTOR] [--seed NUMBER] [--folder DIR] [--table FILE]
//          [--record]
//   --only NAME    runs this check only
//   --list         prints the checks with their amounts and what is done of them
//   --scale 0.001  a trial with a part of each amount
//   --seed NUMBER  first seed of checks that begin; default random
//   --folder DIR   keeps progress and reports; default .release-checks
//   --table FILE   another table of checks than scripts/release-checks/table.mjs
//   --record       keeps the results of checks that passed in a folder `recorded` beside the table
import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { dirname, resolve } from "node:path";
import { argv, exit, stderr, stdout } from "node:process";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { reproduction, runChunk } from "./release-checks/chunk.mjs";
import { Progress } from "./release-checks/progress.mjs";
import { recordResults, writeReport } from "./release-checks/report.mjs";

const root = resolve(import.meta.dirname, "..");
const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    only: { type: "string", multiple: true, default: [] },
    list: { type: "boolean", default: false },
    scale: { type: "string", default: "1" },
    seed: { type: "string" },
    folder: { type: "string", default: resolve(root, ".release-checks") },
    record: { type: "boolean", default: false },
    table: { type: "string", default: resolve(import.meta.dirname, "release-checks/table.mjs") },
  },
});
const table = resolve(values.table);
const scale = Number(values.scale);
if (!(scale > 0 && scale <= 1)) usage(`--scale must be above 0 and at most 1, got ${values.scale}`);
if (values.record && scale < 1) usage("--record needs the whole amounts, without --scale");
const seed = values.seed === undefined ? randomInt(2 ** 30) : Number(values.seed);
if (!Number.isSafeInteger(seed)) usage(`--seed must be a whole number, got ${values.seed}`);

const { CHECKS } = await import(pathToFileURL(table).href);
const unknown = values.only.filter((name) => CHECKS.every((check) => check.name !== name));
if (unknown.length > 0) usage(`no check is named ${unknown.join(", ")}; see --list`);

const folder = resolve(values.folder);
const commit = commitOfCheckout();
const chosen = CHECKS.filter(
  ({ name }) => values.only.length === 0 || values.only.includes(name),
).map((check) => {
  const total = check.total === 1 ? 1 : Math.max(1, Math.round(check.total * scale));
  const scaled = { ...check, total, chunk: Math.min(check.chunk, total) };
  return { check: scaled, progress: new Progress(folder, scaled, commit, seed) };
});

if (values.list) {
  for (const { check, progress } of chosen) {
    const amount = `${progress.state.done} of ${check.total} ${check.unit}`;
    stdout.write(
      `${check.name.padEnd(20)} ${amount.padEnd(30)} ${check.requirements.join(", ")}\n`,
    );
  }
  exit(0);
}

const stopping = new AbortController();
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => stopping.abort());
for (const { check, progress } of chosen) {
  await runCheck(check, progress);
  if (stopping.signal.aborted) break;
}
const results = chosen.map(({ check, progress }) => ({ check, state: progress.state }));
const report = writeReport(folder, commit, scale, results);
const { checks } = report;
if (values.record) recordResults(resolve(dirname(table), "recorded"), report);
for (const { name, result, n, total, unit } of checks) {
  stdout.write(`${result.padEnd(10)} ${name}: ${n} of ${total} ${unit}\n`);
}
stdout.write(`Report: ${folder}/report.md\n`);
exit(checks.every(({ result }) => result === "passed") ? 0 : 1);

/** Runs the chunks of a check that are left, up to the first that fails. */
async function runCheck(check, progress) {
  for (let chunk = progress.next(); chunk !== undefined; chunk = progress.next()) {
    const started = performance.now();
    const problem = await runChunk(root, folder, check, chunk, stopping.signal);
    const ms = Math.round(performance.now() - started);
    if (stopping.signal.aborted) return;
    if (problem !== undefined) {
      progress.fail({ problem, command: reproduction(check, chunk) }, ms);
      stderr.write(`${check.name} failed: ${problem}\n`);
      return;
    }
    progress.pass(chunk, ms);
    stderr.write(`${check.name}: ${progress.state.done} of ${check.total} ${check.unit}\n`);
  }
}

/** Returns the commit, and that files differ from it: then the report proves nothing for a release. */
function commitOfCheckout() {
  const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  const isDirty = git("status", "--porcelain", "--untracked-files=no") !== "";
  return `${git("rev-parse", "HEAD")}${isDirty ? " with changes" : ""}`;
}

function usage(message) {
  stderr.write(`${message}\n`);
  exit(2);
}
