import type { ValueNode } from "@humanwhocodes/momoa";
import { Json5SyntaxError, type TextPlace } from "./json-syntax-error.js";
import { memberKey, parseJson5Tree } from "./json-tree.js";

export { Json5SyntaxError, type TextPlace };

/** Keys and indexes from the root of a document to one of its values. */
export type ValuePath = readonly (string | number)[];

/** Parsed JSON5 text: its value, and the location of every part of it. */
export interface Json5Document {
  readonly value: unknown;
  /**
   * Returns the location of a value; for a value that the text does not contain, that of the nearest
   * enclosing one.
   * @param path - keys and indexes from the root
   */
  place(path: ValuePath): TextPlace;
  /** Returns true when the text contains a value at a path. */
  has(path: ValuePath): boolean;
}

/**
 * Parses JSON5 and keeps the location of every value. Of a duplicate key, the last one counts.
 * @param text - JSON5; a leading byte order mark is ignored
 * @throws Json5SyntaxError with line and column
 */
export function parseJson5(text: string): Json5Document {
  const places = new Map<string, TextPlace>();
  const value = evaluate(parseJson5Tree(text.replace(/^\uFEFF/, "")).body, [], places);
  return {
    value,
    has: (path) => places.has(address(path)),
    place(path) {
      for (let length = path.length; length >= 0; length--) {
        const found = places.get(address(path.slice(0, length)));
        if (found !== undefined) return found;
      }
      return { line: 1, column: 1 };
    },
  };
}

function evaluate(node: ValueNode, path: ValuePath, places: Map<string, TextPlace>): unknown {
  if (!places.has(address(path))) places.set(address(path), placeOf(node));
  switch (node.type) {
    case "Object": {
      const object: Record<string, unknown> = {};
      // An earlier member with the same key is not evaluated and has no location.
      const members = new Map(node.members.map((member) => [memberKey(member), member]));
      for (const [key, member] of members) {
        const memberPath = [...path, key];
        places.set(address(memberPath), placeOf(member.name));
        // A key named __proto__ must become a normal property.
        Object.defineProperty(object, key, {
          value: evaluate(member.value, memberPath, places),
          enumerable: true,
          configurable: true,
          writable: true,
        });
      }
      return object;
    }
    case "Array":
      return node.elements.map((element, index) =>
        evaluate(element.value, [...path, index], places),
      );
    case "Null":
      return null;
    case "NaN":
      return Number.NaN;
    case "Infinity":
      return node.sign === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    default:
      return node.value;
  }
}

function placeOf({ loc: { start } }: { readonly loc: { readonly start: TextPlace } }): TextPlace {
  return { line: start.line, column: start.column };
}

function address(path: ValuePath): string {
  return JSON.stringify(path.map(String));
}
