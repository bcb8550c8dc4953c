import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns what keeps a commit from being released: every check of the table must have passed for it with its whole amount.
 * @param folder - folder of the results
 * @param checks - rows of the table
 * @param commit - commit that is about to be released
 */
export function releaseProblems(folder, checks, commit) {
  const file = join(folder, "report.json");
  if (!existsSync(file)) return [`${file} does not exist`];
  const report = JSON.parse(readFileSync(file, "utf8"));
  if (report.commit !== commit) return [`${file} is of ${report.commit}, not of ${commit}`];
  return checks.flatMap(({ name, total, unit }) => {
    const found = report.checks.find((each) => each.name === name);
    if (found === undefined) return [`${name} was not run`];
    if (found.result !== "passed") return [`${name} is ${found.result}`];
    return found.n < total ? [`${name} ran ${found.n} of ${total} ${unit}`] : [];
  });
}
