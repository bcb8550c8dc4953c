import type { PythonCursor } from "./cursor.js";
import { DECORATORS, EXCEPTIONS, SPECIAL_METHODS, TYPES } from "./modules.js";
import type { PythonScope } from "./scope.js";
import type { PythonToken } from "./tokens.js";
import { NotReading, VALUE } from "./values.js";

/**
 * Adds the functions, classes and attributes that a program defines, because code before a definition may use it.
 * @param lines - parts of each line, after the part with its indentation
 * @param scope - receives them
 * @throws NotReading when one of them has another meaning
 */
export function defineAll(
  lines: readonly { readonly indent: number; readonly tokens: readonly PythonToken[] }[],
  scope: PythonScope,
): void {
  let blocks: { readonly indent: number; readonly isClass: boolean }[] = [];
  for (const { indent, tokens } of lines) {
    blocks = blocks.filter((block) => block.indent < indent);
    const [first, second, third, fourth] = tokens;
    const isInClass = blocks.at(-1)?.isClass === true;
    if (first?.kind === "name" && (first.text === "def" || first.text === "class")) {
      const name = second?.text ?? "";
      const isClass = first.text === "class";
      if (!isInClass) scope.defineOwn(name);
      else if (isClass) throw new NotReading(name);
      else if (!SPECIAL_METHODS.has(name)) scope.addAttribute(name);
      blocks.push({ indent, isClass });
    } else if (isInClass && first?.kind === "name" && /^[:=]$/.test(second?.text ?? "")) {
      scope.addAttribute(first.text);
    } else if (first?.kind === "name" && second?.text === "." && isChange(fourth)) {
      scope.addAttribute(third?.text ?? "");
    }
  }
}

function isChange(token: PythonToken | undefined): boolean {
  return token?.kind === "sign" && /^(?:=|[-+]=|:)$/.test(token.text);
}

/**
 * Reads the name, parameters and annotations of a function.
 * @param reader - place after `def`
 */
export function readFunctionHead(reader: PythonCursor): void {
  // Its meaning is known already.
  reader.skip();
  reader.expect("(");
  while (!reader.takes(")")) {
    if (!reader.takes("**")) reader.takes("*");
    if (reader.next?.kind === "name") {
      reader.scope.define(reader.name(), VALUE);
      if (reader.takes(":")) readAnnotation(reader);
      if (reader.takes("=")) reader.expression();
    }
    if (!reader.takes(",") && reader.next?.text !== ")") throw new NotReading("def");
  }
  if (reader.takes("->")) readAnnotation(reader);
}

/**
 * Reads the name and the classes above a class.
 * @param reader - place after `class`
 */
export function readClassHead(reader: PythonCursor): void {
  reader.skip();
  if (!reader.takes("(")) return;
  while (!reader.takes(")")) {
    const name = reader.name();
    const isOwn = reader.scope.names.get(name)?.isOwn === true;
    if (!isOwn && name !== "object" && !EXCEPTIONS.has(name)) throw new NotReading(name);
    if (!reader.takes(",") && reader.next?.text !== ")") throw new NotReading("class");
  }
}

/**
 * Reads a type, which consists of names, brackets and bars, so that nothing is called.
 * @param reader - place before the type
 */
export function readAnnotation(reader: PythonCursor): void {
  let depth = 0;
  for (let { next } = reader; next !== undefined; { next } = reader) {
    const { kind, text } = next;
    if (depth === 0 && kind === "sign" && /^[=:,)]$/.test(text)) return;
    if (kind === "name") {
      const isKnown = TYPES.has(text) || reader.scope.names.has(text) || reader.follows(".");
      if (!isKnown || text.startsWith("_")) throw new NotReading(text);
    } else if (kind !== "sign" || !/^[[\],|.]$/.test(text)) throw new NotReading("a type");
    if (text === "[") depth += 1;
    if (text === "]") depth -= 1;
    reader.skip();
  }
}

/**
 * Reads a decorator that only adds methods without effects, or keeps results.
 * @param reader - place after `@`
 */
export function readDecorator(reader: PythonCursor): void {
  let name = reader.name();
  const { member } = reader.scope.names.get(name) ?? {};
  name = member ?? name;
  while (reader.takes(".")) name += `.${reader.name()}`;
  if (!DECORATORS.has(name)) throw new NotReading(name);
  if (!reader.takes("(")) return;
  while (!reader.takes(")")) {
    reader.name();
    reader.expect("=");
    const { next } = reader;
    const isPlain = next?.kind === "number" || /^(?:True|False|None)$/.test(next?.text ?? "");
    if (!isPlain) throw new NotReading(name);
    reader.skip();
    reader.takes(",");
  }
}
