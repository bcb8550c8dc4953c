import type { SyntaxNode } from "unbash";
import type { ShellFeature } from "../grammar/parsed-command.js";

/**
 * What a node uses that can run code or set variables without a command that says so.
 * @param node - of the grammar
 */
export function featureOf(node: SyntaxNode): ShellFeature | undefined {
  switch (node.type) {
    case "ArithmeticExpansion":
    case "ArithmeticCommand":
    case "ArithmeticFor":
      return "arithmetic";
    case "Assignment":
      // The index of an array is arithmetic.
      return node.index === undefined ? undefined : "arithmetic";
    case "TestCommand":
      return "test";
    case "ParameterExpansion":
      return node.prefix === "!" || node.index !== undefined || node.operation !== undefined
        ? "parameter-operation"
        : undefined;
    case "ProcessSubstitution":
      return "process-substitution";
    default:
      return undefined;
  }
}

/**
 * Whether an arithmetic expression holds parentheses without partner, as a `case` inside it does; Bash
 * then reads `$((` as a substitution and runs what the inner commands print.
 */
export function isAmbiguousArithmetic(node: SyntaxNode): boolean {
  if (node.type !== "ArithmeticExpansion" && node.type !== "ArithmeticCommand") return false;
  const text = node.type === "ArithmeticExpansion" ? node.text : node.body;
  return text.split("(").length !== text.split(")").length;
}
