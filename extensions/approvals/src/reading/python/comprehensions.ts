import type { PythonCursor } from "./cursor.js";
import { NotReading, type PythonValue, VALUE } from "./values.js";

/**
 * Reads elements in brackets, or one element and the loops of a comprehension.
 * @param reader - place after the bracket
 */
export function readElements(reader: PythonCursor): PythonValue {
  defineAhead(reader);
  const value = reader.values();
  readLoops(reader);
  return value;
}

/**
 * Reads a dict or a set.
 * @param reader - place after its brace
 */
export function readBraces(reader: PythonCursor): PythonValue {
  if (reader.takes("}")) return VALUE;
  defineAhead(reader);
  let grows = false;
  while (!reader.takes("}")) {
    grows = reader.expression().grows === true || grows;
    if (reader.takes(":")) grows = reader.expression().grows === true || grows;
    readLoops(reader);
    if (!reader.takes(",") && reader.next?.text !== "}") throw new NotReading("}");
  }
  return { grows };
}

/**
 * Reads `for … in … if …` where it follows an element.
 * @param reader - place after the element
 */
export function readLoops(reader: PythonCursor): void {
  while (reader.takes("for")) {
    for (const name of reader.targets()) reader.scope.define(name, VALUE);
    reader.expect("in");
    reader.condition();
    while (reader.takes("if")) reader.condition();
  }
}

/**
 * Adds the names that the loops of a comprehension give values, because they follow the element.
 * @param reader - place before the element
 */
export function defineAhead(reader: PythonCursor): void {
  let depth = 0;
  let isTarget = false;
  for (const { kind, text } of reader.rest) {
    if (kind === "sign" && "([{".includes(text)) depth += 1;
    if (kind === "sign" && ")]}".includes(text)) depth -= 1;
    if (depth < 0) return;
    if (kind === "name" && text === "for") isTarget = depth === 0;
    else if (kind === "name" && text === "in") isTarget = false;
    else if (kind === "name" && isTarget) reader.scope.define(text, VALUE);
  }
}
