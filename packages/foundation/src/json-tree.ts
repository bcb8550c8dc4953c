import {
  type DocumentNode,
  type MemberNode,
  type ObjectNode,
  parse,
  type ValueNode,
} from "@humanwhocodes/momoa";
import { errorMessage } from "./error-message.js";
import { Json5SyntaxError, type TextPlace } from "./json-syntax-error.js";

export type { DocumentNode, ObjectNode, ValueNode };

/**
 * Parses JSON5 into a syntax tree with the range of each node, for edits that keep the rest of the text
 * unchanged.
 * @param text - JSON5; offsets in the tree count its UTF-16 code units
 * @throws Json5SyntaxError with line and column
 */
export function parseJson5Tree(text: string): DocumentNode {
  try {
    // The parser never ends at a string whose escape is cut off by the end of the text; a line break ends the escape.
    return parse(text.endsWith("\\") ? `${text}\n` : text, { mode: "json5", ranges: true });
  } catch (error) {
    const { problem, ...place } = describe(error, text);
    throw new Json5SyntaxError(problem, place, error);
  }
}

/** Returns the key of an object's member, which may be written with or without quotes. */
export function memberKey({ name }: MemberNode): string {
  return name.type === "Identifier" ? name.name : name.value;
}

function describe(error: unknown, text: string): TextPlace & { readonly problem: string } {
  const { line = 1, column = 1 } = error as Partial<TextPlace>;
  const problem = errorMessage(error)
    .replace(/\s*\(\d+:\d+\)$/, "")
    .replace(/\.$/, "");
  const isPlaced = line > 1 || column > 1 || !problem.startsWith("Unexpected end of input");
  if (isPlaced) return { problem, line, column };
  const lines = text.split("\n");
  return { problem, line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}
