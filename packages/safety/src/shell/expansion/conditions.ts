import type { Pipeline, Statement, While } from "unbash";
import type { LiteralPipeline } from "../literal/literal-command.js";
import { NotExpandable } from "./expanded-command.js";
import { type LineFields, lineFields } from "./line-fields.js";

/**
 * Returns the negated pipeline without its negation when a condition is one.
 * @param statements - condition of `if`
 */
export function negatedPipeline(statements: readonly Statement[]): Pipeline | undefined {
  const [statement] = statements;
  const command = statement?.command;
  if (statements.length !== 1 || command?.type !== "Pipeline") return undefined;
  return withoutNegation(command);
}

/** Returns a pipeline without its only prefix, a negation; undefined when it has others or none. */
export function withoutNegation(pipeline: Pipeline): Pipeline | undefined {
  const [prefix, ...more] = pipeline.prefixes;
  if (prefix?.type !== "Negation" || more.length > 0) return undefined;
  return { ...pipeline, prefixes: [] };
}

/** Programs that only print their words. */
const PRINTERS = new Set(["echo", "printf", "true"]);

/**
 * Returns whether pipelines of a branch cannot fail.
 * @param pipelines - pipelines of the branch
 */
export function cannotFail([only, ...others]: readonly LiteralPipeline[]): boolean {
  return others.length === 0 && PRINTERS.has(only?.programs.at(-1)?.program ?? "");
}

/**
 * Reads the condition of `while read -r name`.
 * @param loop - as parsed by the grammar
 * @param text - lines that it reads
 * @throws NotExpandable when it has another condition
 */
export function lineLoop({ kind, clause }: While, text: string): LineFields {
  const [statement, ...more] = clause.commands;
  const command = statement?.command;
  if (kind !== "while" || command?.type !== "Command" || more.length > 0) {
    throw new NotExpandable("a loop");
  }
  const words = command.args.map((word) => word.text);
  const [prefix, ...others] = command.prefix;
  // A separator in quotes of one character, or without them.
  const separators = /^IFS=(?:'([^']?)'|"([^"$`\\]?)"|([^\s'"$`\\]?))$/u.exec(
    prefix?.type === "Assignment" ? prefix.text : "",
  );
  const isKnown = others.length === 0 && (prefix === undefined || separators !== null);
  const isRead = command.name?.text === "read" && command.redirects.length === 0;
  if (!isRead || !isKnown) throw new NotExpandable("read");
  const [, single, double, bare] = separators ?? [];
  return lineFields(words, separators === null ? undefined : (single ?? double ?? bare), text);
}
