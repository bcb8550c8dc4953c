import { memberKey, parseJson5Tree, type ValueNode } from "@openclaw/foundation/json-tree";
import { PolicyCasesError } from "@openclaw/tool-policy";
import { parseConfigurationDocument } from "../configuration/document.js";
import { ConfigurationError, formatProblem } from "../errors.js";

/** What a case of a file is to expect from now on. */
export interface CaseExpectation {
  /** Index of the case in its file. */
  readonly index: number;
  readonly expect: "allow" | "deny";
  /** Takes the place of the case's `by`, where it has one. */
  readonly by: string;
}

/**
 * Reads a file of policy cases, which is JSON5 (POL-033).
 * @param text - content of the file
 * @param file - its path, for messages
 * @throws PolicyCasesError naming line and column of a syntax error
 */
export function readPolicyCaseFile(text: string, file: string): unknown {
  try {
    return parseConfigurationDocument(text, file).value;
  } catch (error) {
    if (!ConfigurationError.isInstance(error)) throw error;
    throw new PolicyCasesError(error.problems.map(formatProblem));
  }
}

/**
 * Writes what cases are to expect into their file and leaves everything else as it is (POL-033).
 * @param text - content of the file, with the cases that are named
 * @param expectations - new expectations
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
  // From the end, so that the places before stay where they are.
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
