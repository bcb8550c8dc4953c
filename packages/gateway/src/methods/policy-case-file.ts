import {
  ConfigurationError,
  formatProblem,
  parseConfigurationDocument,
} from "@openclaw/configuration";
import { memberKey, parseJson5Tree, type ValueNode } from "@openclaw/foundation/json-tree";
import { PolicyCasesError } from "@openclaw/tool-policy";

/** New expectation of a case in a file. */
export interface CaseExpectation {
  /** Index of the case in its file. */
  readonly index: number;
  readonly expect: "allow" | "deny";
  /** Replaces the case's `by`, if it has one. */
  readonly by: string;
}

/**
 * Parses a file of policy cases in JSON5 (POL-033).
 * @param text - content of the file
 * @param file - path of the file, for messages
 * @throws PolicyCasesError with line and column of a syntax error
 */
export function readPolicyCaseFile(text: string, file: string): unknown {
  try {
    const { value, problems } = parseConfigurationDocument(text, file);
    if (problems.length > 0) throw new ConfigurationError(problems);
    return value;
  } catch (error) {
    if (!ConfigurationError.isInstance(error)) throw error;
    throw new PolicyCasesError(error.problems.map(formatProblem));
  }
}

/**
 * Writes new expectations of cases into their file and leaves everything else unchanged (POL-033).
 * @param text - content of the file
 * @param expectations - new expectations of cases in the file
 * @returns the new text
 */
export function writeExpectations(text: string, expectations: readonly CaseExpectation[]): string {
  const { body } = parseJson5Tree(text);
  const cases = memberOf(body, "cases");
  const edits = expectations.flatMap(({ index, expect, by }) => {
    const written = cases?.type === "Array" ? cases.elements[index]?.value : undefined;
    const places = [
      [memberOf(written, "expect"), expect],
      [memberOf(written, "by"), by],
    ] as const;
    return places.flatMap(([node, value]) =>
      node?.range === undefined ? [] : [{ range: node.range, value: JSON.stringify(value) }],
    );
  });
  // Edit from the end, so that earlier offsets stay valid.
  edits.sort((a, b) => b.range[0] - a.range[0]);
  return edits.reduce(
    (result, { range: [start, end], value }) => result.slice(0, start) + value + result.slice(end),
    text,
  );
}

function memberOf(node: ValueNode | undefined, name: string): ValueNode | undefined {
  if (node?.type !== "Object") return undefined;
  return node.members.find((member) => memberKey(member) === name)?.value;
}
