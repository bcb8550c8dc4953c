import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A named import or re-export from a package of the workspace. */
const STATEMENT = /^(import|export) (type )?\{([^}]*)\} from "(@openclaw\/[^"]+)";/gm;
const REEXPORT = /^export (type )?\{([^}]*)\} from "([^"]+)";/gm;
const CONDITION = "openclaw-source";

/**
 * A plugin of esbuild that imports names from the files that define them, instead of from the index of their package.
 * esbuild divides a bundle by what a file imports, not by what it uses of it: with an index between them, a command
 * that needs one function of a package would load all of it.
 * @param {string} root - root of the checkout
 * @param {Readonly<Record<string, string>>} dependencies - packages that are not part of the bundle
 */
export function leafImports(root, dependencies) {
  /** Exports of index files: file and original name, by exported name. */
  const indexes = new Map();

  /** Returns the source file of `@openclaw/name` or `@openclaw/name/subpath`. */
  const sourceOf = (specifier) => {
    const [, name, subpath = ""] = /^@openclaw\/([^/]+)(\/.+)?$/.exec(specifier) ?? [];
    if (name === undefined || `@openclaw/${name}` in dependencies) return undefined;
    const folder = join(root, "packages", name);
    if (!existsSync(join(folder, "package.json"))) return undefined;
    const { exports = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = exports[`.${subpath}`]?.[CONDITION] ?? patternTarget(exports, subpath.slice(1));
    return file && join(folder, file);
  };

  const exportsOf = (file) => {
    const known = indexes.get(file);
    if (known !== undefined) return known;
    const found = new Map();
    indexes.set(file, found);
    for (const [, , names, specifier] of readFileSync(file, "utf8").matchAll(REEXPORT)) {
      const target = specifier.startsWith(".")
        ? join(dirname(file), specifier.replace(/\.js$/, ".ts"))
        : sourceOf(specifier);
      if (target === undefined) continue;
      for (const { name, as } of namesIn(names)) found.set(as, { file: target, name });
    }
    return found;
  };

  /** Returns the file that defines a name, through all index files. */
  const definitionOf = (file, name) => {
    const next = exportsOf(file).get(name);
    return next === undefined ? { file, name } : definitionOf(next.file, next.name);
  };

  const rewrite = (statement, kind, isType, names, specifier) => {
    const index = sourceOf(specifier);
    if (isType !== undefined || index === undefined) return statement;
    const imports = namesIn(names).flatMap(({ name, as, isType: isTypeName }) => {
      if (isTypeName) return [];
      const found = definitionOf(index, name);
      const path = JSON.stringify(found.file);
      return [`${kind} { ${found.name} as ${as} } from ${path};`];
    });
    // The same number of lines, for source maps.
    return imports.join(" ") + "\n".repeat(statement.split("\n").length - 1);
  };

  return {
    name: "leaf-imports",
    setup(build) {
      build.onLoad({ filter: /\/(?:packages|apps)\/[^/]+\/src\/.*\.ts$/ }, async ({ path }) => ({
        contents: (await readFile(path, "utf8")).replace(STATEMENT, rewrite),
        loader: "ts",
      }));
    },
  };
}

/** Returns the source file of a subpath that a pattern such as `./sdk/*` offers. */
function patternTarget(exports, subpath) {
  for (const [pattern, target] of Object.entries(exports)) {
    const before = /^\.\/(.*)\*$/.exec(pattern)?.[1];
    if (before === undefined || !subpath.startsWith(before)) continue;
    return target[CONDITION].replace("*", subpath.slice(before.length));
  }
  return undefined;
}

function namesIn(list) {
  return list
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, "")
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "")
    .map((each) => {
      const [, type, name, as = name] = /^(type )?(\S+)(?: as (\S+))?$/.exec(each) ?? [];
      return { name, as, isType: type !== undefined };
    });
}
