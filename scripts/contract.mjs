// Writes docs/contract.md from docs/requirements and the results of the last test run: each requirement with the
// number of passed tests that cite it and their files.
// usage: pnpm contract [--check]   --check changes nothing and fails when the page is stale
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { argv, exit, stderr, stdout } from "node:process";
import { contractPage, passedTests } from "../apps/e2e/src/documentation/contract-page.ts";
import { citedIn, readRequirements } from "../apps/e2e/src/documentation/requirements.ts";

const root = resolve(import.meta.dirname, "..");
const [page, results] = ["docs/contract.md", "test-results.json"].map((file) => join(root, file));

if (!existsSync(results)) {
  stderr.write("test-results.json is missing; run the tests first\n");
  exit(1);
}
const tests = passedTests(JSON.parse(readFileSync(results, "utf8")));
const requirements = readRequirements(root);
const text = contractPage(requirements, tests, citedIn);

if (!argv.includes("--check")) {
  writeFileSync(page, text);
  stdout.write(`docs/contract.md: ${requirements.length} requirements\n`);
} else if (!existsSync(page) || readFileSync(page, "utf8") !== text) {
  stderr.write("docs/contract.md is stale; run `pnpm contract` after the tests and commit it\n");
  exit(1);
} else {
  stdout.write(`docs/contract.md is up to date: ${requirements.length} requirements\n`);
}
