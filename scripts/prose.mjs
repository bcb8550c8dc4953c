// Checks the language of the documentation, docstrings, messages and test titles against the list of phrases in
// apps/e2e/src/prose/phrases.ts.
// usage: pnpm prose [--check] [FILE …]
//   no option  prints each finding with file, line and the word to use; FILE limits it to files that start with it
//   --check    fails when there is a finding
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process, { stdout } from "node:process";
import { parseArgs } from "node:util";
import { findingsIn } from "../apps/e2e/src/prose/findings.ts";
import { codePassages, pagePassages } from "../apps/e2e/src/prose/passage.ts";
import { PHRASES } from "../apps/e2e/src/prose/phrases.ts";
import { proseFiles } from "../apps/e2e/src/prose/prose-files.ts";

const root = resolve(import.meta.dirname, "..");
const { values, positionals } = parseArgs({
  options: { check: { type: "boolean", default: false } },
  allowPositionals: true,
});

const files = proseFiles(root).filter(
  (file) => positionals.length === 0 || positionals.some((start) => file.startsWith(start)),
);
let count = 0;
for (const file of files) {
  for (const { line, kind, found, use } of findingsIn(passagesOf(file), PHRASES)) {
    stdout.write(`${file}:${line} ${kind}: "${found}": ${use}\n`);
    count += 1;
  }
}
if (values.check && count > 0) process.exitCode = 1;

function passagesOf(file) {
  const source = readFileSync(join(root, file), "utf8");
  if (file.endsWith(".md")) return pagePassages(source);
  // Strings of a test are its inputs, and comments are for the readers of one place.
  const kinds = /\/(?:test|bench)\//.test(file)
    ? ["docstring", "title"]
    : ["docstring", "message", "title"];
  return codePassages(file, source).filter(({ kind }) => kinds.includes(kind));
}
