// Compares the contract with the repository: rows without a requirement of the same ID, and names of rows, such as
// methods, settings, commands and fields, that nothing in the repository has. Differences need a reason in
// docs/requirements/differences.json.
// usage: pnpm contract-rows [FOLDER]   FOLDER has the pages of the contract, and its rows are recorded; without it the
//                                      recorded rows of docs/requirements/rows.json are compared
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { argv, exit, stdout } from "node:process";
import {
  acceptedDifferences,
  compareRows,
  idleReasons,
  ROWS_FILE,
  readContractRows,
  recordedRows,
  repositoryText,
  unexplained,
} from "../apps/e2e/src/documentation/contract-rows.ts";
import { readRequirements } from "../apps/e2e/src/documentation/requirements.ts";

const root = resolve(import.meta.dirname, "..");
const [folder] = argv.slice(2);
const rows = folder === undefined ? recordedRows(root) : readContractRows(resolve(folder));
if (folder !== undefined) {
  const lines = Object.entries(rows).map(
    ([id, names]) => `  ${JSON.stringify(id)}: ${JSON.stringify(names).replaceAll(",", ", ")}`,
  );
  writeFileSync(join(root, ROWS_FILE), `{\n${lines.join(",\n")}\n}\n`);
}
const found = compareRows(rows, readRequirements(root), repositoryText(root));
const accepted = acceptedDifferences(root);
const problems = [
  ...unexplained(found, accepted),
  ...idleReasons(found, accepted).map(
    (reason) => `${reason}: remove its reason, which explains nothing`,
  ),
];
for (const problem of problems) stdout.write(`${problem}\n`);
stdout.write(`${Object.keys(rows).length} rows, ${problems.length} problems\n`);
exit(problems.length === 0 ? 0 : 1);
