import { type Program, parse } from "acorn";
import type { ReadExpression } from "../expressions.js";
import { readExpression } from "./expression.js";
import { NodeScope } from "./scope.js";
import { readStatements } from "./statements.js";
import { NotReading } from "./values.js";

const LONGEST = 4000;
const OPTION = /^(?:-p|--print|-e|--eval|-pe)$/;
/** Options with which node reads a script without running it. */
const CHECK = /^(?:-c|--check)$/;
const MODULE_OPTION = "--input-type=module";

/**
 * Reads the words of `node` with code that only prints values: facts about node, content of files, and what it computes of
 * them; or with a script whose syntax it checks.
 * @param words - words after the program
 */
export function readNode(words: readonly string[]): ReadExpression {
  const [first = "", script = "", ...more] = words;
  if (CHECK.test(first) && /^[\w.][\w./-]*\.[cm]?js$/.test(script) && more.length === 0) {
    return { paths: [script], names: [] };
  }
  const isModule = first === MODULE_OPTION;
  const [option = "", code = "", beyond] = isModule ? words.slice(1) : words;
  if (!OPTION.test(option)) return { unknown: option };
  if (beyond !== undefined) return { unknown: beyond };
  const program = code.length > LONGEST ? undefined : programOf(code, isModule);
  if (program === undefined) return { unknown: option };
  const scope = new NodeScope({ expression: readExpression, statements: readStatements });
  try {
    readStatements(program.body, scope);
  } catch (error) {
    if (error instanceof NotReading) return { unknown: option };
    throw error;
  }
  return { paths: scope.files, names: scope.names };
}

function programOf(code: string, isModule: boolean): Program | undefined {
  try {
    const sourceType = isModule || /^\s*import\b/.test(code) ? "module" : "script";
    return parse(code, { ecmaVersion: "latest", sourceType });
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
