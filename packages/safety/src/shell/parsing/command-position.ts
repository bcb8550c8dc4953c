import type { SyntaxNode } from "unbash";
import type { CommandPosition } from "../grammar/parsed-command.js";

const POSITIONS: ReadonlyMap<SyntaxNode["type"], CommandPosition> = new Map([
  ["Subshell", "subshell"],
  ["If", "condition"],
  ["Case", "condition"],
  ["For", "loop"],
  ["ArithmeticFor", "loop"],
  ["Select", "loop"],
  ["While", "loop"],
  ["Function", "function"],
]);

/**
 * Returns the position of the commands inside a node.
 * @param node - node of the grammar
 * @param around - position of the node itself
 */
export function positionIn({ type }: SyntaxNode, around: CommandPosition): CommandPosition {
  return POSITIONS.get(type) ?? around;
}
