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
/** A file that is opened for reading, or standard input. */
const OPENED = /\bopen\(§(?:, ?encoding=§)?\)|\bsys\.stdin\b/g;
/** A value that was read, in an expression. */
const VALUE = "value";
const ASSIGNED = /^(?<name>[a-z][a-z0-9_]{0,15}) ?(?<adds>\+)?= ?(?<value>[^=].*)$/;
const COUNTED = /^(?:\d{1,9}|len\(\w+\))$/;
const PRINTED = /^print\((?<value>.*)\)$|^(?<list>\[print\(.*\])$/;
/** Beginning of a block, with the statement behind it in the same line. */
const BLOCK =
  /^(?:(?:for (?<names>[a-z_][\w, ]*) in|if|elif) (?<value>[^:]*(?:\[[^\]]*\][^:]*)*)|with value as (?<file>[a-z]\w{0,15})|else):\s*(?<rest>.*)$/;
const NAMES = /^[a-z_]\w{0,15}(?:, ?[a-z_]\w{0,15})*$/;
const LOOP = /\bfor (?<names>[a-z_][\w, ]*?) in\b/g;
/** One repetition of a text, at most 999 times. */
const REPEATED = /^(?<before>[^*]*?) ?\* ?\d{1,3}(?![\w.*])(?<after>[^*]*)$/;
const EXPRESSION = /^[\w\s.,:()[\]{}+=<>!/§-]*$/;
/** A formatted string whose fields are simple. */
const FORMATTED = /(?<![\w'"])f(?:'([^'\\\n]*)'|"([^"\\\n]*)")/g;
const FIELD = /\{([\w.,()[\]'"§ +-]+)(?::[<>^]?,?\d{0,2}(?:\.\d)?[dfsx]?)?\}/g;
const NAME = /(?<dot>\.\s*)?(?<![\w§])(?<name>[A-Za-z_]\w*)(?<follows>\s*[(=])?/g;
const CALLED = new Set(
  "list sorted set len str int float bool sum min max any all reversed enumerate type tuple dict round zip print".split(
    " ",
  ),
);
const METHODS = new Set(
  "keys values items get split splitlines join strip rstrip lstrip lower upper count startswith endswith index title read readlines readline".split(
    " ",
  ),
);
const FACTS = new Set(
  "sys.version sys.version_info sys.platform sys.maxsize platform.system platform.machine platform.python_version math.pi".split(
    " ",
  ),
);
const CONSTANTS = new Set([
  "None",
  "True",
  "False",
  "or",
  "and",
  "not",
  "in",
  "is",
  "if",
  "else",
  "for",
]);
const NAMED_ARGUMENTS = new Set(["indent", "sort_keys", "ensure_ascii", "sep", "end", "reverse"]);
const LONGEST = 2000;

/**
 * Reads the words of python that print a JSON file, or values of one, of a text or of standard input.
 * @param words - words after the program
 * @param input - text of its standard input; undefined when it is not known
 */
export function readPython(words: readonly string[], input?: string): PythonWords {
  if (input !== undefined && /^-?$/.test(words.join(" "))) {
    const paths = readCode(input);
    return paths === undefined ? { unknown: "-" } : { words: [ISOLATED, "-"], paths };
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
  const paths = readCode(code);
  return paths === undefined ? { unknown: "-c" } : { words: [ISOLATED, ...words], paths };
}

/** Returns the files that a program reads; undefined when it may do more than print their content. */
function readCode(code: string): string[] | undefined {
  if (code.length > LONGEST || !/^[\t\n -~]*$/.test(code)) return undefined;
  const paths: string[] = [];
  const texts: string[] = [];
  const bare = withoutFormats(code).replace(STRING, (text) => {
    texts.push(text);
    return TEXT;
  });
  const known = new Set<string>();
  let at = 0;
  for (const raw of bare.split(/[;\n]/)) {
    let part = raw.replace(/#.*$/, "").trim();
    const own = texts.slice(at, at + (raw.match(/§/g)?.length ?? 0));
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
    part = part.replace(OPENED, VALUE).replace(REPEATED, "$<before>$<after>");
    const rest = afterBlock(part, known);
    if (rest === undefined) return undefined;
    if (rest !== "" && !isStatement(rest, known)) return undefined;
  }
  return paths;
}

/** Returns the statement behind the beginning of a block, or the part itself; undefined when the block may do more. */
function afterBlock(part: string, known: Set<string>): string | undefined {
  const { names, value, file, rest } = BLOCK.exec(part)?.groups ?? {};
  if (rest === undefined) return part;
  if (value !== undefined && !isExpression(value, known)) return undefined;
  return addNames(names ?? file, known) ? rest : undefined;
}

function isStatement(part: string, known: Set<string>): boolean {
  const { name, adds, value } = ASSIGNED.exec(part)?.groups ?? {};
  // A text or list that grows in a loop could take all memory.
  if (adds !== undefined && !COUNTED.test(value ?? "")) return false;
  const { value: printed, list } = PRINTED.exec(part)?.groups ?? {};
  const expression = printed ?? list ?? value;
  if (expression === undefined || !isExpression(expression, known)) return false;
  return addNames(name, known);
}

/** Adds names that the code gives values; returns false for one that has another meaning. */
function addNames(names: string | undefined, known: Set<string>): boolean {
  if (names === undefined) return true;
  if (!NAMES.test(names)) return false;
  for (const name of names.split(/, ?/)) {
    if (CALLED.has(name) || CONSTANTS.has(name) || MODULES.has(name)) return false;
    known.add(name);
  }
  return true;
}

/** Replaces formatted strings by calls with the values that they show; others stay and are not read. */
function withoutFormats(code: string): string {
  return code.replace(FORMATTED, (text, ...found: unknown[]) => {
    const [single, double] = found;
    const format = String(single ?? double ?? "").replaceAll(/\{\{|\}\}/g, "");
    const values: string[] = [];
    const rest = format.replace(FIELD, (_, value: string) => {
      values.push(value);
      return "";
    });
    return /[{}]/.test(rest) ? text : `str(${values.join(", ")})`;
  });
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
function isExpression(text: string, known: Set<string>): boolean {
  if (!EXPRESSION.test(text)) return false;
  for (const { groups } of text.matchAll(LOOP)) {
    if (!addNames(groups?.names, known)) return false;
  }
  const rest = text
    .replace(/\bjson\.(?:dumps?|loads?)\(/g, (call) => (call === "json.dump(" ? call : "str("))
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
