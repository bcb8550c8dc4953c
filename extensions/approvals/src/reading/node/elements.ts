import type { Expression, SpreadElement } from "acorn";
import { CONSTANTS } from "./names.js";
import type { NodeScope } from "./scope.js";
import { type NodeValue, NotReading, VALUE } from "./values.js";

/** Reads an expression whose value is not a module or a function of one. */
export function readValue(expression: Expression, scope: NodeScope): NodeValue {
  const value = scope.readers.expression(expression, scope);
  if (value.member !== undefined && !CONSTANTS.has(value.member)) {
    throw new NotReading(value.member);
  }
  return value.member === undefined ? value : VALUE;
}

/** Reads an entry of a list or an argument. */
export function readElement(element: Expression | SpreadElement, scope: NodeScope): NodeValue {
  if (element.type !== "SpreadElement") return readValue(element, scope);
  scope.grow();
  readValue(element.argument, scope);
  return VALUE;
}
