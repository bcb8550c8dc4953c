import { existsSync } from "node:fs";
import { findPackageJSON, isBuiltin } from "node:module";
import { dirname, relative, resolve } from "node:path";
import { errorMessage } from "@openclaw/foundation";
import {
  discoverPlugins,
  type PluginCandidate,
  type PluginFacts,
} from "@openclaw/plugin-discovery";
import { PluginLoadError } from "../errors.js";
import { findEntries } from "../loading/entry-files.js";
import { syntaxErrorIn } from "../loading/syntax-check.js";
import { moduleFileAt } from "./module-files.js";
import { importsOf, type ModuleImport } from "./module-imports.js";

/** Reason for which a load of a plugin would fail. */
export interface ForeseenFailure {
  /** Description of the problem, with the file and line. */
  readonly message: string;
  /** Next step. */
  readonly hint: string;
}

/** Number of problems that a message names. */
const NAMED = 3;
/** Number of files whose imports are read. */
const MAXIMUM_FILES = 200;
const OF_SDK = /^(?:@openclaw|openclaw|clawdbot|moltbot)(?:\/plugin-sdk)?(?=\/|$)/;

/**
 * Finds out why a load of a plugin would fail, without running any of its code: a missing entry, a syntax
 * error in it, or a module or a package that does not exist. A failure that only running the code shows is not found.
 * @param plugin - the plugin as found
 * @returns undefined when nothing is wrong as far as can be seen
 */
export async function foreseeFailure({
  source,
  manifestPath,
  rootDir,
}: Pick<PluginFacts, "source" | "manifestPath" | "rootDir">): Promise<ForeseenFailure | undefined> {
  const path = source === manifestPath ? rootDir : source;
  const { candidates } = discoverPlugins({ extraPaths: [path] });
  for (const candidate of candidates) {
    const failure = await failureOf(candidate);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

async function failureOf(candidate: PluginCandidate): Promise<ForeseenFailure | undefined> {
  const { rootDir } = candidate;
  let files: string[];
  try {
    files = findEntries(candidate).map(({ file }) => file);
  } catch (error) {
    if (!PluginLoadError.isInstance(error)) throw error;
    return { message: errorMessage(error), hint: error.hint };
  }
  for (const file of files.filter((each) => !each.endsWith(".json"))) {
    const place = await syntaxErrorIn(file);
    if (place !== undefined) {
      return {
        message: `it has a syntax error at ${relative(rootDir, place)}`,
        hint: `correct ${place}`,
      };
    }
  }
  const missing = await missingModules(files, rootDir);
  if (missing.length > 0) {
    return {
      message: `modules that it imports do not exist: ${inShort(missing)}`,
      hint: "install the plugin's dependencies, or correct the import",
    };
  }
  return undefined;
}

function inShort(names: readonly string[]): string {
  const more = names.length - NAMED;
  return `${names.slice(0, NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Follows the imports that must succeed before the entry runs; others may be in a `try`. */
async function missingModules(entries: readonly string[], rootDir: string): Promise<string[]> {
  const missing: string[] = [];
  const seen = new Set(entries.filter((file) => !file.endsWith(".json")));
  for (const file of seen) {
    if (seen.size > MAXIMUM_FILES) break;
    for (const found of await importsOf(file)) {
      if (!found.isStatic) continue;
      const next = relativeTarget(found, file, rootDir);
      if (next.file !== undefined) seen.add(next.file);
      if (next.isMissing || isMissingPackage(found, file)) {
        missing.push(`"${found.specifier}" (${relative(rootDir, file)}:${found.line})`);
      }
    }
  }
  return missing;
}

function relativeTarget(
  { specifier }: ModuleImport,
  importer: string,
  rootDir: string,
): { readonly file: string | undefined; readonly isMissing: boolean } {
  if (!/^\.{1,2}\//.test(specifier)) return { file: undefined, isMissing: false };
  const path = resolve(dirname(importer), specifier.replace(/[?#].*$/, ""));
  const file = moduleFileAt(path, rootDir);
  return { file, isMissing: file === undefined && !existsSync(path) };
}

function isMissingPackage({ specifier }: ModuleImport, importer: string): boolean {
  const isPackage = /^@?[a-z0-9~][^:]*$/i.test(specifier);
  if (!isPackage || isBuiltin(specifier) || OF_SDK.test(specifier)) return false;
  const [scope = "", name = ""] = specifier.split("/");
  const packageName = scope.startsWith("@") ? `${scope}/${name}` : scope;
  try {
    return findPackageJSON(packageName, importer) === undefined;
  } catch {
    return true;
  }
}
