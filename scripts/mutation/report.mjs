import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Results by mutant, written after each, so that an interrupted run can resume. */
export class Report {
  #file;
  #tree;
  #results;

  /**
   * Opens a report for the results of a tree.
   * @param file - JSON file, which is overwritten
   * @param tree - digest of the tree
   * @param resumes - keeps earlier results of the same tree
   */
  static open(file, tree, resumes) {
    const earlier = resumes && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
    return new Report(file, tree, earlier.tree === tree ? earlier.results : []);
  }

  constructor(file, tree, results) {
    this.#file = file;
    this.#tree = tree;
    this.#results = new Map(results.map((result) => [result.key, result]));
  }

  /** Returns the result of a mutant; undefined when it was not run in this tree, or was another one. */
  resultOf(mutant) {
    return this.#results.get(keyOf(mutant));
  }

  add(mutant, result) {
    const { name, requirements, file } = mutant;
    const key = keyOf(mutant);
    this.#results.set(key, { key, name, requirements, file, ...result });
    mkdirSync(dirname(this.#file), { recursive: true });
    const content = { tree: this.#tree, results: [...this.#results.values()] };
    writeFileSync(this.#file, `${JSON.stringify(content, null, 2)}\n`);
  }
}

function keyOf(mutant) {
  return createHash("sha256").update(JSON.stringify(mutant)).digest("hex");
}

/**
 * Returns a table of results for a terminal.
 * @param results - mutants with their results
 */
export function resultTable(results) {
  const rows = results.map(({ name, requirements, status, noticedBy = "" }) => [
    status,
    name,
    requirements.join(" "),
    noticedBy.split("\n")[0].slice(0, 100),
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "))
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}
