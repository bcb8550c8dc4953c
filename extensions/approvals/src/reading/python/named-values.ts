import { OWN, readArguments } from "./arguments.js";
import { readOpen } from "./calls.js";
import { isKeyword, type PythonCursor } from "./cursor.js";
import { BUILT_INS, EXCEPTIONS, PASSED_BUILT_INS } from "./modules.js";
import { NotReading, NUMBER, type PythonValue, VALUE } from "./values.js";

const NUMERIC = new Set(["len", "sum", "int", "float", "ord", "round", "abs"]);

/**
 * Reads what a name stands for, and the arguments of a built-in function.
 * @param reader - place after the name
 * @param name - name in an expression
 * @throws NotReading when the name is not known
 */
export function readNamed(reader: PythonCursor, name: string): PythonValue {
  if (name === "True" || name === "False" || name === "None") return VALUE;
  if (isKeyword(name)) throw new NotReading(name);
  const known = reader.scope.names.get(name);
  if (known?.isOwn === true && reader.isCall) {
    readArguments(reader, OWN);
    return { grows: true };
  }
  if (known !== undefined) return known;
  if (name === "__name__") return VALUE;
  const { isCall } = reader;
  if (isCall && name === "open") return readOpen(reader);
  if (EXCEPTIONS.has(name)) return { isType: true };
  if (isCall && name === "type") {
    reader.expect("(");
    reader.expression();
    reader.expect(")");
    return { isType: true };
  }
  if (isCall && BUILT_INS.has(name)) {
    readArguments(reader, name);
    return NUMERIC.has(name) ? NUMBER : VALUE;
  }
  if (!PASSED_BUILT_INS.has(name)) throw new NotReading(name);
  return VALUE;
}
