import type { ValueNode } from "@humanwhocodes/momoa";
import { type InexactNumber, inexactNumberProblem, isInexact } from "./inexact-number.js";
import { Json5SyntaxError, type TextPlace } from "./json-syntax-error.js";
import { memberKey, parseJson5Tree } from "./json-tree.js";

export { inexactNumberProblem, isInexact, Json5SyntaxError, type TextPlace };

/** Keys and indexes from the root of a document to one of its values. */
export type ValuePath = readonly (string | number)[];

/** Parsed JSON5 text: its value, and the location of every part of it. */
export interface Json5Document {
  readonly value: unknown;
  /** Numbers that a number of JavaScript does not hold exactly; the value has them rounded. */
  readonly inexact: readonly InexactNumber[];
  /**
   * Returns the location of a value; for a value that the text does not contain, that of the nearest
   * enclosing one.
   * @param path - keys and indexes from the root
   */
  place(path: ValuePath): TextPlace;
  /** Returns true when the text contains a value at a path. */
  has(path: ValuePath): boolean;
}

/** Options of {@link parseJson5}. */
export interface Json5Options {
  /** Accepts numbers beyond 2^53, which are in `inexact`: the caller reports them. */
  readonly allowInexact?: boolean;
}

/**
 * Parses JSON5 and keeps the location of every value. Of a duplicate key, the last one counts.
 * @param text - JSON5; a leading byte order mark is ignored
 * @param options - treatment of numbers that would be rounded, which are errors by default
 * @throws Json5SyntaxError with line and column
 */
export function parseJson5(
  text: string,
  { allowInexact = false }: Json5Options = {},
): Json5Document {
  const source = text.replace(/^\uFEFF/, "");
  const places = new Map<string, TextPlace>();
  const inexact: InexactNumber[] = [];
  const value = evaluate(parseJson5Tree(source).body, [], { source, places, inexact });
  const place = (path: ValuePath): TextPlace => {
    for (let length = path.length; length >= 0; length--) {
      const found = places.get(address(path.slice(0, length)));
      if (found !== undefined) return found;
    }
    return { line: 1, column: 1 };
  };
  const [first] = inexact;
  if (first !== undefined && !allowInexact) {
    const { message, suggestion } = inexactNumberProblem(first.written);
    throw new Json5SyntaxError(`${message}; ${suggestion}`, place(first.path), undefined);
  }
  return { value, inexact, place, has: (path) => places.has(address(path)) };
}

/** Findings that are collected while a document is evaluated. */
interface Evaluation {
  readonly source: string;
  readonly places: Map<string, TextPlace>;
  readonly inexact: InexactNumber[];
}

function evaluate(node: ValueNode, path: ValuePath, evaluation: Evaluation): unknown {
  const { source, places, inexact } = evaluation;
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
          value: evaluate(member.value, memberPath, evaluation),
          enumerable: true,
          configurable: true,
          writable: true,
        });
      }
      return object;
    }
    case "Array":
      return node.elements.map((element, index) =>
        evaluate(element.value, [...path, index], evaluation),
      );
    case "Number":
      if (isInexact(node.value)) inexact.push({ path, written: sourceOf(node, source) });
      return node.value;
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

function sourceOf({ loc: { start, end } }: ValueNode, source: string): string {
  return source.slice(start.offset, end.offset);
}

function placeOf({ loc: { start } }: { readonly loc: { readonly start: TextPlace } }): TextPlace {
  return { line: start.line, column: start.column };
}

function address(path: ValuePath): string {
  return JSON.stringify(path.map(String));
}
