import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Requirement, requirementsOf } from "./requirements.js";

/** Page with the reasons of the open clauses, relative to the root of the repository. */
const OPEN_CLAUSES_PAGE = "docs/project/open-clauses.md";

/** Words of a known limit by which a requirement does not hold whole. */
const OPEN =
  /\bnot (?:yet|built|met|supported|covered|\w+ yet)\b|\bdue (?:later|with)\b|\bfollows? (?:with|when)\b|\bthere (?:is|are) no\b|\bdoes not exist\b|\bexceptions?:|\bbelongs to the release\b|\bexists? yet\b|\bnot (?:\w+ )?by anything yet\b|\bhave no \w+ yet\b|\bnot served\b|\brecorded yet\b/i;

/** Reason of an open clause. */
export interface OpenClause {
  readonly id: string;
  /** Loss of its user until it is closed. */
  readonly loss: string;
  /** Feature or run that closes it. */
  readonly closedBy: string;
}

/**
 * Returns the requirements whose known limits say that something is not built, not met or different.
 * @param requirements - all requirements
 */
export function openRequirements(requirements: readonly Requirement[]): readonly Requirement[] {
  return requirements.filter(({ limits }) => OPEN.test(limits));
}

/**
 * Returns the committed reasons.
 * @param root - folder of the repository, absolute
 * @throws Error when a row is malformed or an ID is used twice
 */
export function readOpenClauses(root: string): readonly OpenClause[] {
  const text = readFileSync(join(root, OPEN_CLAUSES_PAGE), "utf8");
  return requirementsOf("open-clauses", text).map(({ id, sentence, limits }) => ({
    id,
    loss: sentence,
    closedBy: limits,
  }));
}
