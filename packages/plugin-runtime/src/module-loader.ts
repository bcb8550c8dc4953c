import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { installModuleHooks, reloadedUrl, watchModules } from "./module-hooks.js";
import { sdkModules } from "./sdk-modules.js";

/** What loaded a plugin's code: Node itself, or jiti where Node refuses the TypeScript. */
export type ModuleLoaderName = "native" | "jiti";

/** A plugin's module. */
export interface LoadedModule {
  /** Its exports. */
  readonly namespace: unknown;
  readonly loader: ModuleLoaderName;
  /** Why Node did not load it; set when jiti did. */
  readonly refused?: string;
}

/** The module could not be loaded; what Node or the module itself threw, and what had been loaded. */
export class ModuleLoadFailure {
  constructor(
    readonly cause: unknown,
    /** Addresses of the plugin's modules that had been reached, the last one last. */
    readonly reached: readonly string[],
  ) {}
}

/**
 * Loads a plugin's entry into the process's one module graph, by Node's own `import()`; TypeScript
 * that Node does not strip goes through jiti instead (PLUG-016).
 * @param file - absolute path of the entry
 * @param rootDir - the plugin's folder
 * @param again - true evaluates the plugin's own modules anew
 * @throws ModuleLoadFailure
 */
export async function loadModule(
  file: string,
  rootDir: string,
  again: boolean,
): Promise<LoadedModule> {
  installModuleHooks();
  const rootUrl = pathToFileURL(`${rootDir}/`).href;
  const url = pathToFileURL(file).href;
  const watch = watchModules(rootUrl);
  if (again) forget(createRequire(import.meta.url).cache, rootDir);
  try {
    const namespace: unknown = await import(again ? reloadedUrl(url, rootUrl) : url);
    return { namespace, loader: "native" };
  } catch (cause) {
    const refused = needsJiti(cause, rootDir);
    if (refused === undefined) throw new ModuleLoadFailure(cause, watch.urls);
    try {
      return { namespace: await loadWithJiti(file, rootDir, again), loader: "jiti", refused };
    } catch (jitiCause) {
      throw new ModuleLoadFailure(jitiCause, watch.urls);
    }
  } finally {
    watch.stop();
  }
}

const REFUSED_TYPESCRIPT = new Map([
  ["ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX", "it uses TypeScript syntax that Node does not strip"],
  ["ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING", "it is TypeScript below node_modules"],
  ["ERR_UNKNOWN_FILE_EXTENSION", "Node does not know the extension of one of its files"],
]);

/** Why jiti should be asked; undefined when it could not do better than Node. */
function needsJiti(cause: unknown, rootDir: string): string | undefined {
  if (typeof cause !== "object" || cause === null || !("code" in cause)) return undefined;
  const refused = REFUSED_TYPESCRIPT.get(String(cause.code));
  if (refused !== undefined) return refused;
  if (cause.code !== "ERR_MODULE_NOT_FOUND" && cause.code !== "ERR_UNSUPPORTED_DIR_IMPORT") {
    return undefined;
  }
  if (!("url" in cause) || typeof cause.url !== "string") return undefined;
  const missing = fileURLToPath(cause.url);
  if (!missing.startsWith(rootDir)) return undefined;
  return sourcesOf(missing).some((source) => existsSync(source))
    ? "it imports a file of its own without its real extension"
    : undefined;
}

/** Files that an author may have meant by a path that does not exist. */
function sourcesOf(missing: string): string[] {
  const bases = [missing, missing.replace(/\.([cm]?)js$/, "")];
  const extensions = ["ts", "mts", "cts", "tsx", "js", "mjs", "cjs"];
  return bases.flatMap((base) =>
    extensions.flatMap((extension) => [`${base}.${extension}`, `${base}/index.${extension}`]),
  );
}

type Jiti = ReturnType<typeof import("jiti")["createJiti"]>;
let jiti: Promise<Jiti> | undefined;

async function loadWithJiti(file: string, rootDir: string, again: boolean): Promise<unknown> {
  jiti ??= createProcessJiti();
  const instance = await jiti;
  if (again) forget(instance.cache, rootDir);
  return instance.import(file);
}

/** jiti has a module graph of its own; listing the SDK as virtual modules keeps the SDK one. */
async function createProcessJiti(): Promise<Jiti> {
  const { createJiti } = await import("jiti");
  const virtualModules: Record<string, Record<string, unknown>> = {};
  for (const [specifier, url] of sdkModules()) virtualModules[specifier] = await import(url);
  return createJiti(import.meta.url, { interopDefault: false, tryNative: false, virtualModules });
}

/** CommonJS modules are kept by file, so those of a plugin are dropped before it is loaded again. */
function forget(cache: Record<string, unknown>, rootDir: string): void {
  for (const file of Object.keys(cache)) {
    const own = file.startsWith(`${rootDir}${sep}`) && !file.includes(`${sep}node_modules${sep}`);
    if (own) delete cache[file];
  }
}
