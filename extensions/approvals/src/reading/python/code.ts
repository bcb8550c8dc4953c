import { NotReading, PythonReader, PythonScope } from "./expression.js";
import { MODULES } from "./modules.js";
import { type PythonToken, pythonTokens } from "./tokens.js";

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
const COMPOUND = new Set(["for", "if", "elif", "else", "with", "try", "except", "finally"]);

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
  // `replace` of a path renames its file.
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

interface Block {
  readonly indent: number;
  readonly isLoop: boolean;
  /** Names that had values before a loop. */
  readonly before: ReadonlySet<string>;
}

/** Reads the statements of a program. */
class ProgramReader {
  readonly #scope: PythonScope;
  #blocks: Block[] = [];

  constructor(scope: PythonScope) {
    this.#scope = scope;
  }

  read(tokens: readonly PythonToken[]): void {
    let line: PythonToken[] = [];
    let indent = 0;
    const end = () => {
      if (line.length > 0) this.#line(line, indent);
      line = [];
    };
    for (const token of tokens) {
      if (token.kind === "line") {
        end();
        indent = token.indent ?? 0;
      } else line.push(token);
    }
    end();
  }

  #line(tokens: readonly PythonToken[], indent: number): void {
    this.#blocks = this.#blocks.filter((block) => block.indent < indent);
    const reader = new PythonReader(tokens, this.#scope);
    const before = new Set(this.#scope.names.keys());
    if (COMPOUND.has(reader.next?.text ?? "") && reader.next?.kind === "name") {
      const isLoop = this.#beginning(reader);
      reader.expect(":");
      this.#blocks.push({ indent, isLoop, before });
      if (reader.isDone) return;
    }
    for (;;) {
      this.#statement(reader);
      if (!reader.takes(";")) break;
      if (reader.isDone) return;
    }
    if (!reader.isDone) throw new NotReading("a statement");
  }

  /** Reads the beginning of a block, and returns whether it is a loop. */
  #beginning(reader: PythonReader): boolean {
    if (reader.takes("for")) {
      for (const name of reader.targets()) reader.define(name, {});
      reader.expect("in");
      reader.values();
      return true;
    }
    if (reader.takes("if") || reader.takes("elif")) reader.expression();
    else if (reader.takes("with")) {
      do {
        reader.expression();
        if (reader.takes("as")) reader.define(reader.name(), {});
      } while (reader.takes(","));
    } else if (reader.takes("except")) {
      if (reader.next?.text !== ":") reader.expression();
      if (reader.takes("as")) reader.define(reader.name(), {});
    } else if (!reader.takes("else") && !reader.takes("try")) reader.expect("finally");
    return false;
  }

  #statement(reader: PythonReader): void {
    if (reader.takes("pass") || reader.takes("break") || reader.takes("continue")) return;
    if (reader.takes("import")) this.#imports(reader);
    else if (reader.takes("from")) this.#importsFrom(reader);
    else {
      const names = reader.assigned();
      if (names !== undefined) this.#assign(names, reader);
      else this.#valueOrChange(reader);
    }
  }

  /** Reads an expression, or a change of a name or an entry. */
  #valueOrChange(reader: PythonReader): void {
    reader.values();
    const isEntry = reader.follows("]");
    if (reader.takes("+=") || reader.takes("-=")) {
      const added = reader.expression();
      const isFine = added.isNumber === true || (!this.#isLoop && added.text !== undefined);
      if (!isFine) throw new NotReading("+=");
    } else if (isEntry && reader.takes("=")) {
      if (reader.values().grows === true && this.#isLoop) throw new NotReading("=");
    }
  }

  #assign(names: readonly string[], reader: PythonReader): void {
    const value = reader.values();
    if (reader.takes("=")) throw new NotReading("=");
    const loop = this.#blocks.findLast(({ isLoop }) => isLoop);
    for (const name of names) {
      // A text that becomes longer in each round could take all memory.
      if (value.grows === true && loop?.before.has(name) === true) throw new NotReading(name);
      const { grows = false } = value;
      reader.define(name, names.length === 1 ? value : { grows });
    }
  }

  get #isLoop(): boolean {
    return this.#blocks.some(({ isLoop }) => isLoop);
  }

  #imports(reader: PythonReader): void {
    do {
      let module = reader.name();
      const [root] = [module];
      while (reader.takes(".")) module += `.${reader.name()}`;
      if (!MODULES.has(module)) throw new NotReading(module);
      const alias = reader.takes("as") ? reader.name() : undefined;
      this.#scope.names.set(alias ?? root, { member: alias === undefined ? root : module });
    } while (reader.takes(","));
  }

  #importsFrom(reader: PythonReader): void {
    let module = reader.name();
    while (reader.takes(".")) module += `.${reader.name()}`;
    if (!MODULES.has(module)) throw new NotReading(module);
    reader.expect("import");
    do {
      const name = reader.name();
      const alias = reader.takes("as") ? reader.name() : name;
      this.#scope.names.set(alias, { member: `${module}.${name}` });
    } while (reader.takes(","));
  }
}
