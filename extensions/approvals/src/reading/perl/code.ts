import type { ReadExpression } from "../expressions.js";
import { NotReading } from "./cursor.js";
import { FEATURES } from "./names.js";
import { importNames, PerlProgram } from "./program.js";

const LONGEST = 4000;
/** Options that only choose how lines are read and printed. */
const LINE_OPTIONS = /^-(?:0[0-7]{0,4}|[lanpw])*(?<code>[eE])?$/;
const SEPARATOR = /^-F[\w,:;|=. \t\\+-]{1,8}$/;
const MODULE = /^-M(?<module>[A-Za-z][\w:]*)(?:=(?<names>\w+(?:,\w+)*))?$/;
const ENCODING = /^-C(?:S|SD|SDA|SA)$/;
/** A name that `<>` opens as it is: no pipe, no direction, no space at its ends, no option. */
const OPERAND = /^[\w./][\w./@%+:,= -]*$/;
/**
 * References by name end the program, and what comes from outside cannot name a file that is written. Modules are not
 * loaded from the current folder.
 */
const BOUNDS = ["-T", "-Mstrict=refs"];

/**
 * Reads the words of `perl` with code that only prints what its operands, or files that it opens by literal names, contain.
 * @param words - words after the program
 * @param input - text of its standard input; undefined when it is not known
 */
export function readPerl(words: readonly string[], input?: string): ReadExpression {
  if (input !== undefined && /^-?$/.test(words.join(" "))) {
    const files = filesOf(input, false, new Set());
    return files === undefined ? { unknown: "-" } : { words: [...BOUNDS, "-"], paths: files };
  }
  const imported = new Set<string>();
  const codes: string[] = [];
  let isLoop = false;
  let at = 0;
  for (; words[at]?.startsWith("-") === true && words[at] !== "-"; at += 1) {
    const word = words[at] ?? "";
    if (word === "--") {
      at += 1;
      break;
    }
    if (SEPARATOR.test(word)) isLoop = true;
    else if (!ENCODING.test(word) && !isImport(word, imported)) {
      const options = LINE_OPTIONS.exec(word);
      if (options === null) return { unknown: word };
      isLoop ||= /[anp]/.test(word);
      if (options.groups?.code === "E") for (const name of FEATURES) imported.add(name);
      if (options.groups?.code !== undefined) {
        at += 1;
        codes.push(words[at] ?? "");
      }
    }
  }
  const paths = words.slice(at);
  const odd = paths.find((path) => !OPERAND.test(path) || path.endsWith(" "));
  if (odd !== undefined) return { unknown: odd };
  const files = codes.length === 0 ? undefined : filesOf(codes.join("\n"), isLoop, imported);
  if (files === undefined) return { unknown: "-e" };
  return { words: [...BOUNDS, ...words], paths: [...files, ...paths] };
}

function isImport(word: string, imported: Set<string>): boolean {
  const { module, names } = MODULE.exec(word)?.groups ?? {};
  if (module === undefined) return false;
  try {
    importNames(module, names?.split(","), imported);
    return true;
  } catch (error) {
    if (error instanceof NotReading) return false;
    throw error;
  }
}

/** Returns the files that a program opens; undefined when it may do more than print their content. */
function filesOf(
  code: string,
  isLoop: boolean,
  imported: Set<string>,
): readonly string[] | undefined {
  if (code.trim() === "" || code.length > LONGEST) return undefined;
  if (!/^[\t\n -~\u00A0-\uD7FF]*$/.test(code) || /^=[A-Za-z]/m.test(code)) return undefined;
  const program = new PerlProgram(code, imported);
  try {
    program.read(isLoop);
  } catch (error) {
    if (error instanceof NotReading) return undefined;
    throw error;
  }
  return program.files;
}
