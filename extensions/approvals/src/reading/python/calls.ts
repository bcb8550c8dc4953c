import { readArguments } from "./arguments.js";
import type { PythonCursor } from "./cursor.js";
import { FOLDER_READERS, FUNCTIONS } from "./modules.js";
import { NotReading, type PythonValue, VALUE } from "./values.js";

/**
 * Reads the call of a function of a module.
 * @param reader - place before its arguments
 * @param member - name of the function with its module
 * @throws NotReading when it is not known to only compute a value
 */
export function readCall(reader: PythonCursor, member: string): PythonValue {
  const [first = "", second = ""] = member.split(".");
  const module = FUNCTIONS.has(`${first}.${second}`) ? `${first}.${second}` : first;
  const name = member.slice(module.length + 1);
  if (FOLDER_READERS.has(member)) return readFolder(reader, member);
  if (FUNCTIONS.get(module)?.has(name) !== true) throw new NotReading(member);
  readArguments(reader, member);
  return { isNumber: member === "time.time", grows: member === "re.sub" };
}

/**
 * Reads `open` of a file whose name is a literal, for reading.
 * @param reader - place before its arguments
 */
export function readOpen(reader: PythonCursor): PythonValue {
  reader.expect("(");
  const value = reader.expression();
  if (value.text === undefined) throw new NotReading("open");
  reader.scope.reads(value.text, value);
  while (reader.takes(",")) {
    const { next } = reader;
    if (next?.kind === "name") {
      if (!/^(?:encoding|errors|newline)$/.test(reader.name())) throw new NotReading("open");
      reader.expect("=");
      if (reader.next?.kind !== "text") throw new NotReading("open");
    } else if (next?.kind !== "text" || !/^r[bt]?$/.test(next.text)) throw new NotReading("open");
    reader.skip();
  }
  reader.expect(")");
  return VALUE;
}

/** Reads the call of a function that shows names or properties of files. */
function readFolder(reader: PythonCursor, member: string): PythonValue {
  const { scope, second } = reader;
  if (second?.text === ")" && second.kind === "sign" && /^os\.(?:listdir|walk)$/.test(member)) {
    reader.expect("(");
    reader.expect(")");
    return VALUE;
  }
  const { first, count } = readArguments(reader, member);
  const { text } = first;
  // A further part of a path could be absolute.
  if (count !== 1) throw new NotReading(member);
  if (first.origin !== undefined) scope.pathNames.add(first.origin);
  if (member.startsWith("glob.")) {
    const end = text?.search(/[*?[]/) ?? -1;
    const isDeep = text === undefined || text.slice(Math.max(end, 0)).includes("/");
    if (isDeep && end !== -1) throw new NotReading(member);
    if (text === undefined) throw new NotReading(member);
    scope.folders.push(end === -1 ? text : folderOf(text.slice(0, end)));
    return VALUE;
  }
  if (text !== undefined) scope.folders.push(text);
  else if (member.startsWith("os.path.")) scope.isComputed = true;
  else throw new NotReading(member);
  if (member !== "pathlib.Path") return { isNumber: /size$|time$/.test(member) };
  scope.hasPaths = true;
  return text === undefined ? VALUE : { path: text };
}

function folderOf(start: string): string {
  const end = start.lastIndexOf("/");
  return end === -1 ? "." : start.slice(0, Math.max(end, 1));
}
