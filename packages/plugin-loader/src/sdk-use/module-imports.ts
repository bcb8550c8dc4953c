import { readFile } from "node:fs/promises";
import { type ImportSpecifier, initSync, parse } from "es-module-lexer";

/** Import of a module, or a `require`. */
export interface ModuleImport {
  readonly specifier: string;
  /** Names that the code takes from the module, without `default`; empty when they are not known. */
  readonly names: readonly string[];
  /** Line number, from 1. */
  readonly line: number;
  /** True for an import that must succeed before any code of the file runs. */
  readonly isStatic: boolean;
  /** True when the default export is imported. */
  readonly hasDefault: boolean;
  /** True when the code handles the failure of the import, or a name that is absent. */
  readonly isGuarded: boolean;
}

const TYPESCRIPT = /\.[cm]?ts$/;
/** Call of `require`. It begins with a plain word, which engines find in large files without trying each position. */
const REQUIRE = /require\d*\(\s*(["'])([^"'\n]+)\1\s*\)/g;
/** Text before the word in a call that is not the one of another object. */
const BEFORE_REQUIRE = /(?<![.\w$])(?:__)?$/;
/** Variable, or end of the names in braces, that receives the module of a call. */
const RECEIVER = /(\}|[\w$]+)\s*=\s*(?:[\w$]+\()?(?:__)?$/;
/** Maximum number of characters between a call and the end of its receiver, which is longer than any variable. */
const LONGEST_RECEIVER = 300;
/** Maximum number of characters before an import in which its names are looked for. */
const LONGEST_CLAUSE = 10_000;
/** Compiled form of an import, whose variable is absent where only the module is evaluated. */
const COMPILED =
  /(?:\bvar (\w+) = (?:_interop\w+\()?)?\b(?:require|jitiImport)\(["']([^"'\n]+)["']\)/g;
const PLAIN_IMPORT = /(?:^|[;}\n])import\s*\{([^{}]*)\}\s*from\s*$/;
const QUOTES: ReadonlySet<string> = new Set(['"', "'"]);
const NAMED_MODULE = /\bspecifier:\s*["'](\.{1,2}\/[^"'\n]+)["']/g;
/** Properties of every module namespace. */
const OF_ANY_MODULE: ReadonlySet<string> = new Set(["default", "then", "__esModule"]);
const NAMED = /\{([^}]*)\}/;
const NAMESPACE = /\*\s*as\s+([\w$]+)/;
const DESTRUCTURED = /\{([^{}]*)\}\s*=\s*(?:await\s+)?\(?$/;
/** Start of a block whose failure is handled, with nothing but statements between it and the import. */
const IN_TRY = /\btry\s*\{[^{}]*$/;

let compiler: ReturnType<typeof import("jiti")["createJiti"]> | undefined;

/**
 * Returns the imports of a file without running it. Imports of types only are left out.
 * @param file - absolute path of a JavaScript or TypeScript file
 * @returns the imports; none for a file that cannot be parsed
 */
export async function importsOf(file: string): Promise<readonly ModuleImport[]> {
  const source = await readFile(file, "utf8");
  if (TYPESCRIPT.test(file)) return compiledImports(source, file);
  return importsIn(source);
}

/**
 * Returns the imports in the source of a module. In TypeScript, types that are imported without the word `type` count as
 * names.
 * @param source - source of a JavaScript or TypeScript file
 */
export function importsIn(source: string): readonly ModuleImport[] {
  initSync();
  try {
    const [imports] = parse(source);
    return [...esImports(source, imports), ...requires(source), ...named(source)];
  } catch {
    return [...requires(source), ...named(source)];
  }
}

/** Modules that an entry names for `defineBundledChannelEntry`, which loads them. */
function named(source: string): ModuleImport[] {
  return [...source.matchAll(NAMED_MODULE)].map(({ 1: specifier = "", index }) => ({
    ...{ specifier, names: [], line: lineAt(source, index) },
    ...{ isStatic: false, hasDefault: false, isGuarded: false },
  }));
}

/** Imports of a compiled file: types are gone, and every use of a name has the variable of its module. */
async function compiledImports(source: string, file: string): Promise<ModuleImport[]> {
  const { createJiti } = await import("jiti");
  compiler ??= createJiti(import.meta.url, { fsCache: false });
  let code: string;
  try {
    code = compiler.transform({ source, filename: file, ts: true });
  } catch {
    return requires(source);
  }
  return [...code.matchAll(COMPILED)].map(({ 1: variable = "", 2: specifier = "" }) => {
    const used = variable === "" ? [] : membersOf(variable, code);
    const names = used.filter((name) => !OF_ANY_MODULE.has(name));
    const line = lineAt(source, Math.max(0, source.indexOf(specifier)));
    const isStatic = staticImportOf(specifier).test(source);
    const hasDefault = used.includes("default");
    return { specifier, names, line, isStatic, hasDefault, isGuarded: false };
  });
}

/**
 * Returns the names of imports in their most frequent form, `import { a, b } from "…"`, without the cost of a parse.
 * @param source - source of a module
 * @param specifier - imported module
 * @returns undefined when the source has another form of it
 */
export function plainNames(source: string, specifier: string): readonly string[] | undefined {
  const names = new Set<string>();
  let isImported = false;
  let at = -1;
  while (true) {
    at = source.indexOf(specifier, at + 1);
    if (at === -1) return isImported ? [...names] : undefined;
    // Otherwise it is text, or the beginning of a longer specifier.
    const isQuoted =
      QUOTES.has(source.charAt(at - 1)) && QUOTES.has(source.charAt(at + specifier.length));
    if (!isQuoted) continue;
    const before = source.slice(Math.max(0, at - 1 - LONGEST_CLAUSE), at - 1);
    const clause = PLAIN_IMPORT.exec(before)?.[1];
    if (clause === undefined || /\bdefault\b/.test(clause)) return undefined;
    for (const name of namesIn(clause)) names.add(name);
    isImported = true;
  }
}

function esImports(code: string, imports: readonly ImportSpecifier[]): ModuleImport[] {
  const isStatic = ({ d }: ImportSpecifier) => d === -1;
  // A namespace is used only outside the imports.
  const body = imports
    .filter(isStatic)
    .reduceRight((text, { ss, se }) => text.slice(0, ss) + text.slice(se), code);
  return imports.flatMap((found): ModuleImport[] => {
    const { n: specifier, ss, se } = found;
    if (specifier === undefined) return [];
    const line = lineAt(code, ss);
    if (!isStatic(found)) {
      const before = code.slice(Math.max(0, ss - 400), ss);
      const names = namesIn(DESTRUCTURED.exec(before)?.[1]);
      const isGuarded = true;
      return [{ specifier, names, line, isStatic: false, hasDefault: false, isGuarded }];
    }
    const statement = code.slice(ss, se);
    if (/^(?:im|ex)port\s+type\b(?!\s*(?:,|from\b))/.test(statement)) return [];
    const clause = statement.slice(0, statement.lastIndexOf("from"));
    const hasDefault = /^import\s*[\w$]/.test(clause) || /\{[^}]*\bdefault\b/.test(clause);
    const names = staticNames(clause, body);
    return [{ specifier, names, line, isStatic: true, hasDefault, isGuarded: false }];
  });
}

function staticNames(clause: string, body: string): string[] {
  const namespace = NAMESPACE.exec(clause)?.[1];
  if (namespace === undefined) return namesIn(NAMED.exec(clause)?.[1]);
  return membersOf(namespace, body).filter((name) => !isTested(name, namespace, body));
}

function requires(code: string): ModuleImport[] {
  return [...code.matchAll(REQUIRE)]
    .filter(({ index: at }) => BEFORE_REQUIRE.test(code.slice(Math.max(0, at - 3), at)))
    .map(({ 2: specifier = "", index: at }) => {
      const { index, destructured, variable } = receiverAt(code, at);
      const taken =
        variable === undefined
          ? namesIn(destructured).filter((name) => !isTested(name, undefined, code))
          : membersOf(variable, code).filter((name) => !isTested(name, variable, code));
      return {
        specifier,
        names: taken.filter((name) => !OF_ANY_MODULE.has(name)),
        line: lineAt(code, index),
        isStatic: false,
        hasDefault: taken.includes("default"),
        isGuarded: isGuardedAt(code, index),
      };
    });
}

/** Receiver of the module that a call returns. */
interface Receiver {
  /** Position of the receiver; of the call when there is none. */
  readonly index: number;
  readonly variable?: string | undefined;
  /** Names in the braces of a destructuring. */
  readonly destructured?: string | undefined;
}

function receiverAt(code: string, call: number): Receiver {
  const from = Math.max(0, call - LONGEST_RECEIVER);
  const found = RECEIVER.exec(code.slice(from, call));
  if (found === null) return { index: call };
  const index = from + found.index;
  if (found[1] !== "}") return { index, variable: found[1] };
  const open = code.lastIndexOf("{", index);
  const destructured = code.slice(open + 1, index);
  // Braces within braces are no list of names.
  return open === -1 || destructured.includes("}")
    ? { index: call }
    : { index: open, destructured };
}

/**
 * Returns true for a position in a `try` block.
 * @param code - source of a module
 * @param index - position in it
 */
export function isGuardedAt(code: string, index: number): boolean {
  return IN_TRY.test(code.slice(Math.max(0, index - 400), index));
}

/**
 * Returns the members that code reads from a variable.
 * @param code - source of a module
 */
export function membersOf(variable: string, code: string): string[] {
  const found = code.matchAll(
    new RegExp(String.raw`(?<![.\w$])${escaped(variable)}\.([\w$]+)`, "g"),
  );
  return [...new Set([...found].map(([, name = ""]) => name))];
}

/** Returns true when code looks whether a name exists, so that it must be `undefined` when it does not. */
function isTested(name: string, variable: string | undefined, code: string): boolean {
  const target = variable === undefined ? escaped(name) : escaped(`${variable}.${name}`);
  return new RegExp(
    String.raw`\btypeof\s+${target}(?![\w$])|(?<![.\w$])${target}\s*(?:\?\.|&&|\|\||\?\?|[!=]==?|\?(?!\.))|(?:if\s*\(\s*|!)${target}\s*\)`,
  ).test(code);
}

/** Reads the imported names in the braces of an import or of a destructuring. */
function namesIn(text = ""): string[] {
  return withoutComments(text)
    .split(",")
    .flatMap((part) => {
      if (/^\s*type\s+(?!as\b)[\w$]/.test(part)) return [];
      const name = /^\s*([\w$]+)/.exec(part)?.[1];
      return name === undefined || name === "default" ? [] : [name];
    });
}

function withoutComments(text: string): string {
  return text.includes("/") ? text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, "") : text;
}

/** Compiled code has static and dynamic imports in one form, so that the source decides. */
function staticImportOf(specifier: string): RegExp {
  return new RegExp(
    String.raw`^\s*(?:import|export)\b(?!\s+type\b)[^;(]*["']${escaped(specifier)}["']`,
    "m",
  );
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

function lineAt(code: string, index: number): number {
  return code.slice(0, index).split("\n").length;
}
