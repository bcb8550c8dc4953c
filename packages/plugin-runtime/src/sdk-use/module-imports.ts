import { readFile } from "node:fs/promises";
import { type ImportSpecifier, init, parse } from "es-module-lexer";

/** Import of a module, or a `require`. */
export interface ModuleImport {
  readonly specifier: string;
  /** Names that the code takes from the module, without `default`; empty when they are not known. */
  readonly names: readonly string[];
  /** Line number, from 1. */
  readonly line: number;
  /** True for an import that must succeed before any code of the file runs. */
  readonly isStatic: boolean;
}

const TYPESCRIPT = /\.[cm]?ts$/;
const REQUIRE = /(?:\{([^{}]*)\}\s*=\s*)?\brequire\(\s*(["'])([^"'\n]+)\2\s*\)/g;
/** Compiled form of an import, whose variable is absent where only the module is evaluated. */
const COMPILED =
  /(?:\bvar (\w+) = (?:_interop\w+\()?)?\b(?:require|jitiImport)\(["']([^"'\n]+)["']\)/g;
/** Properties of every module namespace. */
const OF_ANY_MODULE: ReadonlySet<string> = new Set(["default", "then", "__esModule"]);
const NAMED = /\{([^}]*)\}/;
const NAMESPACE = /\*\s*as\s+([\w$]+)/;
const DESTRUCTURED = /\{([^{}]*)\}\s*=\s*(?:await\s+)?\(?$/;

let compiler: ReturnType<typeof import("jiti")["createJiti"]> | undefined;

/**
 * Returns the imports of a file without running it. Imports of types only are left out.
 * @param file - absolute path of a JavaScript or TypeScript file
 * @returns the imports; none for a file that cannot be parsed
 */
export async function importsOf(file: string): Promise<readonly ModuleImport[]> {
  const source = await readFile(file, "utf8");
  if (TYPESCRIPT.test(file)) return compiledImports(source, file);
  await init;
  try {
    const [imports] = parse(source, file);
    return [...esImports(source, imports), ...requires(source)];
  } catch {
    return requires(source);
  }
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
    const used = variable === "" ? [] : code.matchAll(new RegExp(`\\b${variable}\\.(\\w+)`, "g"));
    const names = [...used].map(([, name = ""]) => name).filter((name) => !OF_ANY_MODULE.has(name));
    const line = lineAt(source, Math.max(0, source.indexOf(specifier)));
    const isStatic = staticImportOf(specifier).test(source);
    return { specifier, names: [...new Set(names)], line, isStatic };
  });
}

function esImports(code: string, imports: readonly ImportSpecifier[]): ModuleImport[] {
  const isStatic = ({ d }: ImportSpecifier) => d === -1;
  // A namespace is used only outside the imports.
  const body = imports
    .filter(isStatic)
    .reduceRight((text, { ss, se }) => text.slice(0, ss) + text.slice(se), code);
  return imports.flatMap((found) => {
    if (found.n === undefined) return [];
    const names = isStatic(found)
      ? staticNames(code.slice(found.ss, found.se), body)
      : namesIn(DESTRUCTURED.exec(code.slice(Math.max(0, found.ss - 400), found.ss))?.[1]);
    return [{ specifier: found.n, names, line: lineAt(code, found.ss), isStatic: isStatic(found) }];
  });
}

function staticNames(statement: string, body: string): string[] {
  const clause = statement.slice(0, statement.lastIndexOf("from"));
  const namespace = NAMESPACE.exec(clause)?.[1];
  if (namespace === undefined) return namesIn(NAMED.exec(clause)?.[1]);
  const members = body.matchAll(new RegExp(`\\b${escaped(namespace)}\\.([\\w$]+)`, "g"));
  return [...members].map(([, name = ""]) => name);
}

function requires(code: string): ModuleImport[] {
  return [...code.matchAll(REQUIRE)].map(({ 1: names, 3: specifier = "", index }) => ({
    specifier,
    names: namesIn(names),
    line: lineAt(code, index),
    isStatic: false,
  }));
}

/** Reads the imported names in the braces of an import or of a destructuring. */
function namesIn(text = ""): string[] {
  return text.split(",").flatMap((part) => {
    const name = /^\s*([\w$]+)/.exec(part)?.[1];
    return name === undefined || name === "default" ? [] : [name];
  });
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
