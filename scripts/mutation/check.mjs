import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readRequirements } from "../../apps/e2e/src/documentation/requirements.ts";

/**
 * Returns what keeps a table of mutants from being run: a text that is gone or occurs more than once, a test file that
 * does not exist, a requirement that is not listed, a name that is used twice.
 * @param root - the checkout
 * @param mutants - mutants of the tables
 */
export function tableProblems(root, mutants) {
  const known = new Set(readRequirements(root).map(({ id }) => id));
  const names = new Set();
  return mutants.flatMap(({ name, requirements, file, find, replace, tests }) => {
    const problems = [];
    if (names.has(name)) problems.push("the name is used twice");
    names.add(name);
    const times = existsSync(join(root, file))
      ? readFileSync(join(root, file), "utf8").split(find).length - 1
      : 0;
    if (times !== 1) problems.push(`${file} has its text ${times} times, expected once`);
    if (find === replace) problems.push("it changes nothing");
    for (const id of requirements) if (!known.has(id)) problems.push(`${id} is not a requirement`);
    if (tests.files.length === 0) problems.push("it names no test file");
    for (const path of tests.files) {
      if (!existsSync(join(root, path))) problems.push(`${path} does not exist`);
    }
    return problems.map((problem) => `${name}: ${problem}`);
  });
}
