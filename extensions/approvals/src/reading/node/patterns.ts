import type { Pattern } from "acorn";
import { readValue } from "./elements.js";
import { HIDDEN } from "./names.js";
import type { NodeScope } from "./scope.js";
import { type NodeValue, NotReading, VALUE } from "./values.js";

/**
 * Defines the names of a pattern.
 * @param value - value whose parts, or which itself, get the names
 * @throws NotReading when a key is computed or reaches more than a value
 */
export function definePattern(pattern: Pattern, value: NodeValue, scope: NodeScope): void {
  switch (pattern.type) {
    case "Identifier":
      scope.define(pattern.name, value);
      return;
    case "AssignmentPattern":
      if (value.member !== undefined) throw new NotReading("a default");
      readValue(pattern.right, scope);
      definePattern(pattern.left, VALUE, scope);
      return;
    case "ArrayPattern":
      if (value.member !== undefined) throw new NotReading("a list");
      for (const element of pattern.elements) {
        if (element) definePattern(element, VALUE, scope);
      }
      return;
    case "RestElement":
      if (value.member !== undefined) throw new NotReading("the rest");
      definePattern(pattern.argument, VALUE, scope);
      return;
    case "ObjectPattern":
      for (const property of pattern.properties) {
        if (property.type === "RestElement") {
          definePattern(property, value, scope);
          continue;
        }
        const { key, computed } = property;
        const name = key.type === "Identifier" ? key.name : undefined;
        if (computed || name === undefined || HIDDEN.has(name)) throw new NotReading("a key");
        const own = value.member === undefined ? VALUE : { member: `${value.member}.${name}` };
        definePattern(property.value, own, scope);
      }
      return;
    default:
      throw new NotReading(pattern.type);
  }
}
