import { isStream, OWN, readArguments } from "./arguments.js";
import { readCall } from "./calls.js";
import type { PythonCursor } from "./cursor.js";
import { checkTemplate } from "./formats.js";
import { ATTRIBUTES, CONSTANTS, METHODS } from "./modules.js";
import { NotReading, type PythonValue, VALUE } from "./values.js";

/**
 * Reads the subscripts, members and calls that follow a value.
 * @param reader - place after the value
 */
export function readMembers(reader: PythonCursor, start: PythonValue): PythonValue {
  let value = start;
  for (;;) {
    if (reader.takes("[")) {
      if (isPartOfModule(value)) throw new NotReading("[");
      readSubscript(reader);
      value = value.grows === true ? { grows: true } : VALUE;
    } else if (reader.takes(".")) value = readMember(reader, value, reader.name());
    else if (reader.isCall) {
      // A value that is called could be anything.
      if (value.member === undefined) throw new NotReading("a call of a value");
      value = readCall(reader, value.member);
    } else break;
  }
  if (isPartOfModule(value)) throw new NotReading(value.member);
  return value;
}

/** Returns whether a value is a module or one of its functions, which are not values by themselves. */
function isPartOfModule(value: PythonValue): value is PythonValue & { readonly member: string } {
  return value.member !== undefined && !CONSTANTS.has(value.member);
}

function readSubscript(reader: PythonCursor): void {
  for (;;) {
    if (reader.takes("]")) return;
    if (!reader.takes(":") && !reader.takes(",")) reader.expression();
  }
}

function readMember(reader: PythonCursor, value: PythonValue, name: string): PythonValue {
  const { isCall } = reader;
  if (isPartOfModule(value)) {
    const member = `${value.member}.${name}`;
    return isCall ? readCall(reader, member) : { member };
  }
  if (isStream(value.member)) {
    if (!isCall || (name !== "write" && name !== "flush")) throw new NotReading(name);
    readArguments(reader, name);
    return VALUE;
  }
  if (isCall) return readMethod(reader, value, name);
  if (value.isType === true && name === "__name__") return VALUE;
  const isMethod = name === "get" || name === "lower" || name === "upper" || name === "strip";
  const isKnown = ATTRIBUTES.has(name) || reader.scope.attributes.has(name);
  if (!isKnown && !isMethod) throw new NotReading(name);
  return VALUE;
}

function readMethod(reader: PythonCursor, value: PythonValue, name: string): PythonValue {
  const { scope } = reader;
  const { path } = value;
  if (path !== undefined && /^read_(?:text|bytes)$/.test(name)) {
    scope.reads(path, value);
    readArguments(reader, name);
    return VALUE;
  }
  if (path !== undefined && /^(?:r?glob|iterdir)$/.test(name)) {
    const pattern = readArguments(reader, name).first;
    const text = name === "iterdir" ? "" : pattern.text;
    if (text === undefined || /\.\.|^[/~]/.test(text)) throw new NotReading(name);
    return VALUE;
  }
  // Properties of a path that the code has computed.
  if (path === undefined && /^(?:exists|is_dir|is_file|stat)$/.test(name)) scope.isComputed = true;
  if (name === "format" && value.text !== undefined) {
    checkTemplate(value.text);
    readArguments(reader, "format");
    return { grows: true };
  }
  // A method of a class of the program, or one of the language with the same name.
  if (scope.attributes.has(name) && !METHODS.has(name)) {
    readArguments(reader, OWN);
    return { grows: true };
  }
  if (name === "replace" || name === "copy") scope.hasReplaced = true;
  else if (/^[rl]just$|^center$|^zfill$/.test(name)) {
    const width = reader.second;
    if (width?.kind !== "number" || width.text.length > 3) throw new NotReading(name);
  } else if (name !== "copy" && !METHODS.has(name)) throw new NotReading(name);
  readArguments(reader, scope.attributes.has(name) ? OWN : name);
  const isLonger = /^(?:join|replace|sub|update|extend)$/.test(name);
  return { grows: isLonger || value.grows === true, isNumber: name === "count" };
}
