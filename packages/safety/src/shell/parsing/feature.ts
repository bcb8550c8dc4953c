import type { SyntaxNode } from "unbash";
import type { ShellFeature } from "../grammar/parsed-command.js";

/**
 * Returns the feature of a node that can run code or set variables without a simple command.
 * @param node - node of the grammar
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
 * Returns whether an arithmetic expression contains unbalanced parentheses, for example from a
 * `case` inside it; Bash then reads `$((` as a substitution and runs the output of the inner
 * commands.
 */
export function isAmbiguousArithmetic(node: SyntaxNode): boolean {
  if (node.type !== "ArithmeticExpansion" && node.type !== "ArithmeticCommand") return false;
  const text = node.type === "ArithmeticExpansion" ? node.text : node.body;
  return text.split("(").length !== text.split(")").length;
}
