import type { PolicySource } from "./source.js";

/** Codes of problems that make a policy unusable (POL-037). */
export type PolicyProblemCode =
  | "POLICY_ALLOW_AND_ALSO_ALLOW"
  | "POLICY_BAD_ENTRY"
  | "POLICY_BAD_VALUE"
  | "POLICY_DUPLICATE_PROVIDER_KEY"
  | "POLICY_GROUP_CYCLE"
  | "POLICY_NOT_A_LIST"
  | "POLICY_TOO_LARGE"
  | "POLICY_UNKNOWN_KEY"
  | "POLICY_UNKNOWN_PROFILE";

/** Codes of warnings about a valid policy. */
export type PolicyWarningCode =
  | "POLICY_AGENT_ALLOW_IGNORED"
  | "POLICY_AMBIGUOUS_NAME"
  | "POLICY_EMPTY_LIST"
  | "POLICY_PLUGIN_HIDDEN"
  | "POLICY_PROFILE_REPLACED"
  | "POLICY_UNKNOWN_ENTRY";

interface Finding {
  readonly key: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** Description of the problem, with the value that was found. */
  readonly message: string;
  /** Suggested fix. */
  readonly suggestion: string;
}

/** One error of a policy. */
export interface PolicyProblem extends Finding {
  readonly code: PolicyProblemCode;
}

/** A warning, or a notice about a probable mistake. */
export interface PolicyWarning extends Finding {
  readonly code: PolicyWarningCode;
  readonly severity: "warning" | "notice";
  /** Entry that matches nothing, of `POLICY_UNKNOWN_ENTRY`. */
  readonly entry?: string;
  /** Existing entry that is spelled most like it. */
  readonly near?: string;
}

/** Returns the location fields of a finding. */
export function placeOf(source: PolicySource): Pick<Finding, "key" | "file" | "line" | "column"> {
  const { builtIn, ...place } = source;
  return place;
}

/**
 * Formats a problem or warning as one line: `file:line:column key: message; suggestion [CODE]`.
 * @param finding - a problem or warning
 */
export function formatProblem(finding: PolicyProblem | PolicyWarning): string {
  const place = [finding.file, finding.line, finding.column]
    .filter((part) => part !== undefined)
    .join(":");
  const where = place === "" ? finding.key : `${place} ${finding.key}`;
  return `${where}: ${finding.message}; ${finding.suggestion} [${finding.code}]`;
}
