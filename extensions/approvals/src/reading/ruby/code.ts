import type { ReadExpression } from "../expressions.js";
import { LIBRARIES } from "./names.js";
import { parseRuby } from "./parser.js";
import { RubyProgram } from "./program.js";
import { NotReading } from "./tree.js";

const LONGEST = 4000;
/** Options that only choose how lines are read and printed. */
const LINE_OPTIONS = /^-(?:0[0-7]{0,4}|[lanpw])*(?<code>e)?$/;
const SEPARATOR = /^-F[\w,:;|=. \t\\+-]{1,8}$/;
const LIBRARY = /^-r(?<library>\w+)$/;
const OPERAND = /^[\w./][\w./@%+:,= -]*$/;

/**
 * Reads the words of `ruby` with code that only prints what its operands, or files with literal names, contain.
 * @param words - words after the program
 * @param input - text of its standard input; undefined when it is not known
 */
export async function readRuby(words: readonly string[], input?: string): Promise<ReadExpression> {
  if (input !== undefined && /^-?$/.test(words.join(" "))) {
    const read = await readCode(input);
    return read === undefined ? { unknown: "-" } : { words: ["-"], ...read };
  }
  const codes: string[] = [];
  let at = 0;
  for (; words[at]?.startsWith("-") === true && words[at] !== "-"; at += 1) {
    const word = words[at] ?? "";
    if (word === "--") {
      at += 1;
      break;
    }
    if (SEPARATOR.test(word) || LIBRARIES.has(LIBRARY.exec(word)?.groups?.library ?? "")) continue;
    const options = LINE_OPTIONS.exec(word);
    if (options === null) return { unknown: word };
    if (options.groups?.code === undefined) continue;
    at += 1;
    codes.push(words[at] ?? "");
  }
  const paths = words.slice(at);
  const odd = paths.find((path) => !OPERAND.test(path) || path.endsWith(" "));
  if (odd !== undefined) return { unknown: odd };
  const read = codes.length === 0 ? undefined : await readCode(codes.join("\n"));
  if (read === undefined) return { unknown: "-e" };
  return { paths: [...read.paths, ...paths], names: read.names };
}

/** Returns the files that a program reads; undefined when it may do more than print their content. */
async function readCode(
  code: string,
): Promise<{ readonly paths: readonly string[]; readonly names: readonly string[] } | undefined> {
  if (code.trim() === "" || code.length > LONGEST) return undefined;
  if (!/^[\t\n -~\u00A0-\uD7FF]*$/.test(code) || /^(?:#!|__END__)/m.test(code)) return undefined;
  const tree = await parseRuby(code);
  if (tree === undefined) return undefined;
  const program = new RubyProgram();
  try {
    program.read(tree);
  } catch (error) {
    if (error instanceof NotReading) return undefined;
    throw error;
  }
  return { paths: program.files, names: program.names };
}
