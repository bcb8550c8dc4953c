import { findPackageJSON } from "node:module";
import { fileURLToPath } from "node:url";
import { currentPlugin } from "../faults/plugin-scope.js";
import type { SdkUse } from "../missing-parts/sdk-gaps.js";
import { isGuardedAt, membersOf } from "../sdk-use/module-imports.js";
import { fileUrl } from "./file-url.js";
import { isOlderInternal, olderInternals } from "./older-internals.js";
import { loadAround, loadOf } from "./sdk-import.js";
import { loadSdkModule, resolveSdkModule, sdkModules } from "./sdk-modules.js";
import { sharedDependency } from "./shared-dependency.js";

/** Compiled form of an import: `var _sdk = await jitiImport("openclaw/plugin-sdk")`. */
const COMPILED_IMPORT =
  /\bvar (\w+) = (_interop\w+\()?(await jitiImport|require)\("((?:@?openclaw|clawdbot|moltbot)\/plugin-sdk[^"]*)"\)/g;

/** Properties of every module namespace. */
const OF_ANY_MODULE: ReadonlySet<string> = new Set(["then", "__esModule"]);

/** Start of the specifier of an entry point with the names that a module takes from it, then the path of the module. */
const WITH_NAMES = "openclaw-sdk:";

/**
 * Adds to each import of the SDK the names that the module takes, so that it gets values for those that this host lacks.
 * All names are added, because the compiled code is stored and another version of the host may read it.
 * @param code - module compiled by jiti, without imports of types
 * @param file - absolute path of the module
 */
export function withSdkNames(code: string, file: string): string {
  return withSharedDependencies(code, file).replaceAll(
    COMPILED_IMPORT,
    (statement, variable: string, interop = "", load: string, specifier: string, at: number) => {
      if (isGuardedAt(code, at)) return statement;
      const names = membersOf(variable, code).filter((name) => !OF_ANY_MODULE.has(name));
      const key = JSON.stringify(`${WITH_NAMES}${specifier} ${names.join(",")} `);
      return `var ${variable} = ${interop}${load}(${key} + __filename)`;
    },
  );
}

/** Imports of packages by compiled code. */
const COMPILED_PACKAGE = /\b(jitiImport|require)\("((?:@sinclair\/)?typebox(?:\/[^"]*)?)"\)/g;

/** Points imports of a package that the plugin lacks and the host shares to the host's copy. */
function withSharedDependencies(code: string, file: string): string {
  return code.replaceAll(COMPILED_PACKAGE, (statement, load: string, specifier: string) => {
    if (isInstalled(specifier, file)) return statement;
    const shared = sharedDependency(specifier);
    return shared === undefined ? statement : `${load}(${JSON.stringify(fileURLToPath(shared))})`;
  });
}

function isInstalled(specifier: string, file: string): boolean {
  try {
    return findPackageJSON(specifier, fileUrl(file)) !== undefined;
  } catch {
    return false;
  }
}

/**
 * Returns the entry points of the SDK for jiti, which has a separate module graph: each is loaded on first use, into
 * Node's module graph, so that only one copy exists (PLUG-017).
 */
export function virtualSdk(): Record<string, unknown> {
  return new Proxy<Record<string, unknown>>(
    {},
    {
      has: (_, key) =>
        typeof key === "string" &&
        (key.startsWith(WITH_NAMES) || sdkModules().has(key) || isOlderInternal(key)),
      get(_, key) {
        if (typeof key !== "string") return undefined;
        if (key.startsWith(WITH_NAMES)) return namesOf(key);
        if (isOlderInternal(key)) return internalsOf(key);
        const url = resolveSdkModule(key);
        return url === undefined ? undefined : loadSdkModule(url);
      },
    },
  );
}

function namesOf(key: string): object {
  const [specifier = "", list = "", ...path] = key.slice(WITH_NAMES.length).split(" ");
  const file = fileUrl(path.join(" "));
  const names = list === "" ? [] : list.split(",");
  const url = resolveSdkModule(specifier);
  const exports = url === undefined ? {} : loadSdkModule(url);
  const missing = names.filter((name) => !(name in exports));
  const modules = loadAround(file);
  if (modules === undefined || (missing.length === 0 && url !== undefined)) return exports;
  const use: SdkUse = { specifier, names, importer: modules.pathOf(file) };
  return { ...exports, ...modules.gaps.valuesOf(use, missing, Object.keys(exports)) };
}

function internalsOf(specifier: string): object {
  const modules = loadOf(currentPlugin());
  return modules === undefined ? {} : olderInternals(specifier, modules);
}
