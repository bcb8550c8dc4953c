import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { version } from "node:process";

/**
 * Writes report.json and report.md.
 * @param folder - folder of the results
 * @param commit - commit that was checked
 * @param scale - part of the amounts of a release
 * @param results - each check with its progress
 */
export function writeReport(folder, commit, scale, results) {
  const [cpu] = cpus();
  const machine = {
    cpu: cpu?.model ?? "unknown",
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: version,
  };
  const checks = results.map(({ check, state }) => ({
    name: check.name,
    requirements: check.requirements,
    result: resultOf(state),
    n: state.done,
    total: state.total,
    unit: check.unit,
    seconds: Math.round(state.ms / 1_000),
    seed: state.seed,
    ...(state.failure !== undefined && { failure: state.failure }),
  }));
  const report = { commit, written: new Date().toISOString(), scale, machine, checks };
  writeFileSync(join(folder, "report.json"), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(join(folder, "report.md"), markdown(report));
  return report;
}

/**
 * Keeps the result of each check that passed with its whole amount, as `NAME.json`.
 * @param folder - folder of the recorded results
 * @param report - report of the run
 */
export function recordResults(folder, { commit, written, machine, checks }) {
  mkdirSync(folder, { recursive: true });
  for (const check of checks) {
    if (check.result !== "passed") continue;
    const result = { ...check, commit, written, machine };
    // Lists in one line, as the formatter of the repository writes them.
    const text = JSON.stringify(result, null, 2).replaceAll(
      /\[\s+([^[\]]*?)\s+\]/g,
      (_, items) => `[${items.replaceAll(/\s+/g, " ")}]`,
    );
    writeFileSync(join(folder, `${check.name}.json`), `${text}\n`);
  }
}

function resultOf({ done, total, failure }) {
  if (failure !== undefined) return "failed";
  return done >= total ? "passed" : "incomplete";
}

function markdown({ commit, written, scale, machine, checks }) {
  const { cpu, cores, memoryGiB, node } = machine;
  const size = scale === 1 ? "" : `\nA trial with ${scale} of the amounts of a release.\n`;
  const rows = checks.map(({ name, requirements, result, n, total, unit, seconds, seed }) => {
    const cells = [
      name,
      requirements.join(", "),
      result,
      `${n} of ${total} ${unit}`,
      seconds,
      seed,
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const failures = checks.flatMap(({ name, failure }) =>
    failure === undefined
      ? []
      : ["", `## ${name}`, "", "```", failure.command, "", failure.problem, "```"],
  );
  return `# Release checks

Commit ${commit}, ${written}, ${cpu}, ${cores} cores, ${memoryGiB} GiB, Node ${node}.
${size}
| check | requirements | result | n | seconds | first seed |
|---|---|---|---|--:|--:|
${rows.join("\n")}
${failures.length === 0 ? "" : `${failures.join("\n")}\n`}`;
}
