import { defineAhead, readLoops } from "./comprehensions.js";
import type { PythonCursor } from "./cursor.js";
import { NotReading, type PythonValue, VALUE } from "./values.js";

/** Arguments of a call. */
interface GivenArguments {
  readonly first: PythonValue;
  /** Number of arguments by position. */
  readonly count: number;
}

const NAMED_ARGUMENTS = new Set(
  "default delimiter end ensure_ascii errors encoding flags flush indent initial key maxsplit newline recursive reverse separators sep sort_keys start strict width".split(
    " ",
  ),
);
const STREAMS = new Set(["sys.stdout", "sys.stderr"]);

/** Instead of a name: a function or method of the program, whose arguments may have any names. */
export const OWN = "def";

/**
 * Reads the arguments of a call.
 * @param reader - place before their bracket
 * @param called - name of the function or method
 * @throws NotReading when one of them is not allowed there
 */
export function readArguments(reader: PythonCursor, called: string): GivenArguments {
  reader.expect("(");
  defineAhead(reader);
  let first: PythonValue | undefined;
  let count = 0;
  while (!reader.takes(")")) {
    const isNamed = reader.next?.kind === "name" && reader.second?.text === "=";
    if (isNamed && reader.second?.kind === "sign") readNamed(reader, called);
    else {
      const value = readPositional(reader, called);
      first ??= value;
      count += 1;
    }
    if (!reader.takes(",") && reader.next?.text !== ")") throw new NotReading(called);
  }
  return { first: first ?? VALUE, count };
}

/**
 * Returns whether a member of a module is a stream to which a program prints.
 * @param member - name with the module
 */
export function isStream(member: string | undefined): boolean {
  return STREAMS.has(member ?? "");
}

function readNamed(reader: PythonCursor, called: string): void {
  const name = reader.name();
  reader.expect("=");
  const { member } = reader.expression();
  const isOutput = name === "file" && called === "print" && isStream(member);
  const isFine =
    called === OWN ||
    NAMED_ARGUMENTS.has(name) ||
    /^(?:collections|datetime|dict|dataclasses)/.test(called);
  if (!isOutput && !isFine) throw new NotReading(name);
}

function readPositional(reader: PythonCursor, called: string): PythonValue {
  if (reader.takes("*") && called !== "print" && called !== "zip") throw new NotReading("*");
  const { next, second } = reader;
  const value = reader.expression();
  const isOne = reader.next === second;
  if (called === "range" && isOne && (next?.text.length ?? 0) > 6) throw new NotReading("range");
  readLoops(reader);
  return value;
}
