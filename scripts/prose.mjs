// Checks the language of the documentation, docstrings, messages and test titles against the list of phrases in
// apps/e2e/src/prose/phrases.ts. scripts/prose-baseline.json records how many findings each file may still have.
// usage: pnpm prose [--check] [--record] [--list] [FILE …]
//   no option  prints the findings by area
//   --check    fails when a file has more findings than recorded
//   --record   lowers the record of each file that has fewer findings; writes the record when there is none
//   --list     prints each finding with file, line and the word to use; FILE limits it to files that start with it
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { exit, stderr, stdout } from "node:process";
import { parseArgs } from "node:util";
import { findingsIn, grownFiles, shrunkFiles } from "../apps/e2e/src/prose/findings.ts";
import { codePassages, pagePassages } from "../apps/e2e/src/prose/passage.ts";
import { PHRASES } from "../apps/e2e/src/prose/phrases.ts";
import { proseFiles } from "../apps/e2e/src/prose/prose-files.ts";

const root = resolve(import.meta.dirname, "..");
const baseline = join(import.meta.dirname, "prose-baseline.json");
const recorded = existsSync(baseline) ? JSON.parse(readFileSync(baseline, "utf8")) : undefined;
const boolean = { type: "boolean", default: false };
const { values, positionals } = parseArgs({
  options: { check: boolean, record: boolean, list: boolean },
  allowPositionals: true,
});

const findings = new Map(
  proseFiles(root)
    .filter((file) => positionals.length === 0 || positionals.some((at) => file.startsWith(at)))
    .map((file) => [file, findingsIn(passagesOf(file), PHRASES)])
    .filter(([, found]) => found.length > 0),
);
const counted = Object.fromEntries([...findings].map(([file, found]) => [file, found.length]));

if (values.list) list();
else if (values.check) check();
else if (values.record) record();
else summary();

function passagesOf(file) {
  const source = readFileSync(join(root, file), "utf8");
  if (file.endsWith(".md")) return pagePassages(source);
  // Strings of a test are its inputs, and comments are for the readers of one place.
  const kinds = /\/(?:test|bench)\//.test(file)
    ? ["docstring", "title"]
    : ["docstring", "message", "title"];
  return codePassages(file, source).filter(({ kind }) => kinds.includes(kind));
}

function list() {
  for (const [file, found] of findings) {
    for (const { line, kind, found: words, use } of found) {
      stdout.write(`${file}:${line} ${kind}: "${words}": ${use}\n`);
    }
  }
}

function check() {
  const grown = grownFiles(recorded ?? {}, counted);
  for (const line of grown) stderr.write(`${line}\n`);
  if (grown.length > 0) {
    stderr.write("`pnpm prose --list FILE` shows each finding with the word to use\n");
    exit(1);
  }
  const shrunk = shrunkFiles(recorded ?? {}, counted).length;
  if (shrunk > 0)
    stdout.write(`${shrunk} files have fewer findings; run \`pnpm prose --record\`\n`);
}

function record() {
  if (positionals.length > 0) {
    stderr.write("--record takes no files\n");
    exit(2);
  }
  const lowered = Object.entries(counted)
    .map(([file, count]) => [
      file,
      recorded === undefined ? count : Math.min(count, recorded[file] ?? 0),
    ])
    .filter(([, count]) => count > 0);
  writeFileSync(baseline, `${JSON.stringify(Object.fromEntries(lowered), null, 2)}\n`);
}

function summary() {
  const areas = new Map();
  for (const [file, { length }] of findings) {
    const area = /^(?:packages|extensions|apps)\/[^/]+|^[^/]+/.exec(file)[0];
    areas.set(area, (areas.get(area) ?? 0) + length);
  }
  const width = Math.max(...[...areas.keys(), "total"].map((area) => area.length));
  for (const [area, count] of areas) stdout.write(`${area.padEnd(width)}  ${count}\n`);
  const total = [...areas.values()].reduce((sum, count) => sum + count, 0);
  stdout.write(`${"total".padEnd(width)}  ${total}\n`);
}
