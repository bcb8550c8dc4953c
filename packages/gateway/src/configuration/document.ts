import { type MemberNode, parse, type ValueNode } from "@humanwhocodes/momoa";
import { ConfigurationError } from "../errors.js";

/** Place of a value in a configuration file; both counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A configuration file after parsing: its value, and where every part of it stands. */
export interface ConfigurationDocument {
  readonly file: string;
  readonly value: unknown;
  /**
   * Where a value stands; the nearest enclosing value when it is not in the file.
   * @param path - keys and indexes from the root
   */
  place(path: readonly (string | number)[]): Place;
  /** Whether the file itself has a value there. */
  has(path: readonly (string | number)[]): boolean;
}

/**
 * Parses JSON5 and keeps every value's place.
 * @param text - content of the file
 * @param file - its path, for messages
 * @throws ConfigurationError naming line and column of a syntax error
 */
export function parseConfigurationDocument(text: string, file: string): ConfigurationDocument {
  const places = new Map<string, Place>();
  const value = evaluate(parseBody(text, file), [], places);
  const place = (path: readonly (string | number)[]): Place => {
    for (let length = path.length; length >= 0; length--) {
      const found = places.get(address(path.slice(0, length)));
      if (found !== undefined) return found;
    }
    return { line: 1, column: 1 };
  };
  return { file, value, place, has: (path) => places.has(address(path)) };
}

function parseBody(text: string, file: string): ValueNode {
  try {
    return parse(text.replace(/^\uFEFF/, ""), { mode: "json5" }).body;
  } catch (error) {
    const { message, line, column } = describeSyntaxError(error, text);
    throw new ConfigurationError([
      {
        key: "",
        message,
        file,
        line,
        column,
        suggestion: "the file is JSON5: check quotes, commas and brackets",
      },
    ]);
  }
}

function describeSyntaxError(error: unknown, text: string): Place & { message: string } {
  const { line = 1, column = 1 } = error as Partial<Place>;
  const message = error instanceof Error ? error.message : String(error);
  const words = message.replace(/\s*\(\d+:\d+\)$/, "").replace(/\.$/, "");
  const isPlaced = line > 1 || column > 1 || !words.startsWith("Unexpected end of input");
  if (isPlaced) return { message: words, line, column };
  const lines = text.split("\n");
  return { message: words, line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

function evaluate(node: ValueNode, path: (string | number)[], places: Map<string, Place>): unknown {
  if (!places.has(address(path))) places.set(address(path), placeOf(node));
  switch (node.type) {
    case "Object": {
      const object: Record<string, unknown> = {};
      // Of a key written twice the last one counts, so the other is not evaluated and has no place.
      const members = new Map(node.members.map((member) => [nameOf(member), member]));
      for (const [key, member] of members) {
        const memberPath = [...path, key];
        places.set(address(memberPath), placeOf(member.name));
        // A key named __proto__ must become a key like any other.
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

function placeOf({ loc: { start } }: { loc: { start: Place } }): Place {
  return { line: start.line, column: start.column };
}

function nameOf({ name }: MemberNode): string {
  return name.type === "Identifier" ? name.name : name.value;
}

function address(path: readonly (string | number)[]): string {
  return JSON.stringify(path.map(String));
}
