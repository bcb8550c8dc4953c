import { createRequire } from "node:module";
import { join, sep } from "node:path";
import { JitiVerdicts } from "./jiti-decisions.js";
import { forgetInJiti, keepCompiled, loadWithJiti } from "./jiti-loader.js";
import { reasonForJiti } from "./jiti-reason.js";
import { claimEntry, installModuleHooks } from "./module-hooks.js";
import { fileUrl, PluginModules } from "./plugin-modules.js";
import { offerSdkModules } from "./sdk-modules.js";

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

/** What a host gives the loader of modules; it counts for the whole process, as modules do. */
export interface ModuleLoadingOptions {
  readonly sdkModules?: ReadonlyMap<string, string>;
  /** Compiled TypeScript is kept in its `cache`; compiled anew in every process when absent. */
  readonly stateDir?: string;
}

/**
 * Tells the loader of modules what the host offers, before the first plugin is loaded.
 * @param options - further parts of the SDK, and where compiled code may be kept
 */
export function prepareModuleLoading({ sdkModules, stateDir }: ModuleLoadingOptions): void {
  if (sdkModules !== undefined) offerSdkModules(sdkModules);
  if (stateDir === undefined || verdicts !== undefined) return;
  keepCompiled(join(stateDir, "cache"));
  verdicts = new JitiVerdicts(join(stateDir, "cache", "jiti-entries.json"));
}

/** Kept for the whole process, like what jiti compiles. */
let verdicts: JitiVerdicts | undefined;

const TYPESCRIPT = /\.[cm]?ts$/;

/** How often plugins were loaded again; makes the addresses of each time differ. */
let reloads = 0;

/**
 * Loads a plugin's entry into the process's one module graph, by Node's own `import()`; TypeScript
 * that Node does not take goes through jiti instead (PLUG-016).
 * @param file - real path of the entry
 * @param rootDir - real path of the plugin's folder
 * @param again - true evaluates the plugin's own modules anew
 * @throws ModuleLoadFailure
 */
export async function loadModule(
  file: string,
  rootDir: string,
  again: boolean,
): Promise<LoadedModule> {
  installModuleHooks();
  if (again) {
    reloads += 1;
    forgetCommonJs(rootDir);
  }
  const modules = new PluginModules(rootDir, again ? String(reloads) : undefined);
  const isTypeScript = TYPESCRIPT.test(file);
  try {
    const known = isTypeScript ? verdicts?.reasonFor(file) : undefined;
    if (known !== undefined) return await throughJiti(file, known, modules);
    try {
      const namespace: unknown = await import(claimEntry(fileUrl(file), modules));
      return { namespace, loader: "native" };
    } catch (cause) {
      const refused = reasonForJiti(cause, rootDir);
      if (refused === undefined) throw new ModuleLoadFailure(cause, modules.reached);
      const loaded = await throughJiti(file, refused, modules);
      if (isTypeScript) verdicts?.note(file, refused);
      return loaded;
    }
  } finally {
    modules.settle();
  }
}

async function throughJiti(
  file: string,
  refused: string,
  { reached }: PluginModules,
): Promise<LoadedModule> {
  try {
    return { namespace: await loadWithJiti(file), loader: "jiti", refused };
  } catch (cause) {
    throw new ModuleLoadFailure(cause, reached);
  }
}

/** CommonJS modules are kept by file, so those of a plugin are dropped before it is loaded again. */
function forgetCommonJs(rootDir: string): void {
  const own = (file: string) =>
    file.startsWith(`${rootDir}${sep}`) && !file.includes(`${sep}node_modules${sep}`);
  const { cache } = createRequire(import.meta.url);
  for (const file of Object.keys(cache)) if (own(file)) delete cache[file];
  forgetInJiti(own);
}
