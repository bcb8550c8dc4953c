import { PythonScope } from "./scope.js";
import { ProgramReader } from "./statements.js";
import { type PythonToken, pythonTokens } from "./tokens.js";
import { NotReading } from "./values.js";

/** Words with which python prints, or the word that needs approval. */
type PythonWords =
  | {
      /** Words as the program runs: isolated, so that no module of the workspace is imported. */
      readonly words: readonly string[];
      readonly paths: readonly string[];
      /** Files and folders of which it shows names or properties. */
      readonly names?: readonly string[];
    }
  | { readonly unknown: string };

/** Ignores the variables of the environment, and imports nothing from the current folder. */
const ISOLATED = "-I";
const TOOL_OPTION = /^--(?:sort-keys|json-lines|no-ensure-ascii|no-indent|compact|tab|indent=\d)$/;
const LONGEST = 4000;
/** Strings of which a path that leads out could be made. */
const LEADS_OUT = /^[/~]|\.\./;
/** Names with which code could make a path of something that is not a literal. */
const PATH_MAKERS = new Set(
  "argv b64decode chr decode dirname executable format getcwd linesep normpath open parent parents parse_qs read_bytes read_text replace sep split stdin strftime sub unescape unquote urlparse".split(
    " ",
  ),
);

/**
 * Reads the words of python that only print what the files of its code, or its standard input, contain.
 * @param words - words after the program
 * @param input - text of its standard input; undefined when it is not known
 */
export function readPython(words: readonly string[], input?: string): PythonWords {
  if (input !== undefined && /^-?$/.test(words.join(" "))) {
    const read = readCode(input);
    return read === undefined ? { unknown: "-" } : { words: [ISOLATED, "-"], ...read };
  }
  const [option = "", code = "", ...more] = words;
  if (option === "-m" && code === "json.tool") {
    const files = more.filter((word) => !TOOL_OPTION.test(word));
    const [file, second] = files;
    // It would write to a second file.
    const wrong = second ?? (file !== undefined && /^-./.test(file) ? file : undefined);
    if (wrong !== undefined) return { unknown: wrong };
    return { words: [ISOLATED, ...words], paths: files };
  }
  if (option !== "-c" || more.length > 0) return { unknown: option };
  const read = readCode(code);
  return read === undefined ? { unknown: "-c" } : { words: [ISOLATED, ...words], ...read };
}

/** Returns the files that a program reads; undefined when it may do more than print their content. */
function readCode(
  code: string,
): { readonly paths: readonly string[]; readonly names: readonly string[] } | undefined {
  if (code.length > LONGEST || !/^[\t\n -~\u00A0-\uD7FF]*$/.test(code)) return undefined;
  const tokens = pythonTokens(code);
  if (tokens === undefined) return undefined;
  const scope = new PythonScope();
  try {
    new ProgramReader(scope).read(tokens);
  } catch (error) {
    if (error instanceof NotReading) return undefined;
    throw error;
  }
  // `replace` of a path renames its file, and `copy` copies it.
  if (scope.hasPaths && scope.hasReplaced) return undefined;
  if (scope.isComputed && mayLeadOut(scope, tokens)) return undefined;
  return { paths: scope.files, names: scope.folders };
}

/** Returns whether the code could make a path outside of the folders that it lists. */
function mayLeadOut({ texts }: PythonScope, tokens: readonly PythonToken[]): boolean {
  if (texts.some((text) => LEADS_OUT.test(text))) return true;
  const isDotted = texts.includes(".");
  return tokens.some(({ kind, text }, at) => {
    if (kind === "sign") return text === "+" || text === "%";
    if (kind === "format") return isDotted;
    if (kind !== "name") return false;
    if (text === "join") return tokens[at - 2]?.text !== "path";
    return PATH_MAKERS.has(text);
  });
}
