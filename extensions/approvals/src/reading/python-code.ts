/** Words with which python prints, or the word that needs approval. */
type PythonWords =
  | {
      /** Words as the program runs: isolated, so that no module of the workspace is imported. */
      readonly words: readonly string[];
      readonly paths: readonly string[];
    }
  | { readonly unknown: string };

/** Ignores the variables of the environment, and imports nothing from the current folder. */
const ISOLATED = "-I";
const TOOL_OPTION = /^--(?:sort-keys|json-lines|no-ensure-ascii|no-indent|compact|tab|indent=\d)$/;
const STRING = /(?<![\w'"])r?(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/g;
/** Replaces each string; code with this character is not read. */
const TEXT = "§";
const IMPORT = /^import [a-z]+(?:, ?[a-z]+)*$/;
const MODULES = new Set(["json", "sys", "platform", "math"]);
const LOAD = /json\.load\((?:open\(§(?:, ?encoding=§)?\)|sys\.stdin)\)/g;
const READ =
  /open\(§(?:, ?encoding=§)?\)\.(?:read|readlines)\(\)|sys\.stdin\.(?:read|readlines)\(\)/g;
/** A value that was read, in an expression. */
const VALUE = "value";
const ASSIGNED = /^(?<name>[a-z][a-z0-9_]{0,15}) ?= ?(?<value>[^=].*)$/;
const PRINTED = /^print\((?<value>.*)\)$/;
const EXPRESSION = /^[\w\s.,:()[\]{}+=§-]*$/;
const NAME = /(?<dot>\.\s*)?(?<![\w§])(?<name>[A-Za-z_]\w*)(?<follows>\s*[(=])?/g;
const CALLED = new Set(
  "list sorted set len str int float bool sum min max any all reversed enumerate type tuple dict round".split(
    " ",
  ),
);
const METHODS = new Set(
  "keys values items get split splitlines join strip lower upper count startswith endswith index title".split(
    " ",
  ),
);
const FACTS = new Set(
  "sys.version sys.version_info sys.platform sys.maxsize platform.system platform.machine platform.python_version math.pi".split(
    " ",
  ),
);
const CONSTANTS = new Set(["None", "True", "False", "or", "and", "not", "in", "if", "else"]);
const NAMED_ARGUMENTS = new Set(["indent", "sort_keys", "ensure_ascii", "sep", "end", "reverse"]);
const LONGEST = 2000;

/**
 * Reads the words of python that print a JSON file, or values of one, of a text or of standard input.
 * @param words - words after the program
 */
export function readPython(words: readonly string[]): PythonWords {
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
  const paths = readCode(code);
  return paths === undefined ? { unknown: "-c" } : { words: [ISOLATED, ...words], paths };
}

/** Returns the files that a program reads; undefined when it may do more than print their content. */
function readCode(code: string): string[] | undefined {
  if (code.length > LONGEST || !/^[\t\n -~]*$/.test(code)) return undefined;
  const paths: string[] = [];
  const texts: string[] = [];
  const bare = code.replace(STRING, (text) => {
    texts.push(text);
    return TEXT;
  });
  const known = new Set<string>();
  let at = 0;
  const withoutReads = (part: string) =>
    part.replace(new RegExp(`${LOAD.source}|${READ.source}`, "g"), VALUE);
  for (const raw of bare.split(/[;\n]/)) {
    const part = raw.trim();
    const own = texts.slice(at, at + (part.match(/§/g)?.length ?? 0));
    at += own.length;
    if (part === "") continue;
    if (IMPORT.test(part)) {
      if (
        part
          .slice(7)
          .split(/, ?/)
          .every((name) => MODULES.has(name))
      )
        continue;
      return undefined;
    }
    const opened = openedFiles(part, own);
    if (opened === undefined) return undefined;
    paths.push(...opened);
    const { name, value = "" } = ASSIGNED.exec(part)?.groups ?? {};
    const printed = PRINTED.exec(part)?.groups?.value;
    if (name !== undefined && CALLED.has(name)) return undefined;
    if (name === undefined && printed === undefined) return undefined;
    if (!isExpression(withoutReads(printed ?? value), known)) return undefined;
    if (name !== undefined) known.add(name);
  }
  return paths;
}

/** Returns the names of the files that a part opens; undefined when one is not certain. */
function openedFiles(part: string, texts: readonly string[]): string[] | undefined {
  const found: string[] = [];
  for (const { index } of part.matchAll(/open\(§/g)) {
    const text = texts[part.slice(0, index).match(/§/g)?.length ?? 0] ?? "";
    const path = /^['"]([^'"\\]+)['"]$/.exec(text)?.[1];
    if (path === undefined) return undefined;
    found.push(path);
  }
  return found;
}

/** Returns whether an expression only combines and shows values. */
function isExpression(text: string, known: ReadonlySet<string>): boolean {
  if (!EXPRESSION.test(text)) return false;
  const rest = text
    .replaceAll("json.dumps(", "str(")
    .replace(/\b(?:sys|platform|math)\.\w+/g, (fact) => (FACTS.has(fact) ? TEXT : fact));
  for (const { groups = {} } of rest.matchAll(NAME)) {
    const { dot, name = "", follows = "" } = groups;
    const isFine =
      dot === undefined
        ? name === VALUE ||
          known.has(name) ||
          CONSTANTS.has(name) ||
          (follows.trim() === "(" ? CALLED.has(name) : NAMED_ARGUMENTS.has(name))
        : METHODS.has(name);
    if (!isFine) return false;
  }
  return true;
}
