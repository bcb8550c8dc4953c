import { createRequire } from "node:module";
import { join, sep } from "node:path";
import type { MissingPartUse } from "../missing-parts/missing-part.js";
import { fileUrl } from "./file-url.js";
import { JitiVerdicts } from "./jiti-decisions.js";
import { forgetInJiti, keepCompiled, loadWithJiti } from "./jiti-loader.js";
import { reasonForJiti } from "./jiti-reason.js";
import { claimEntry, installModuleHooks } from "./module-hooks.js";
import { PluginModules } from "./plugin-modules.js";
import { noteLoad } from "./sdk-import.js";
import { offerSdkModules } from "./sdk-modules.js";

/** Loader of a plugin's code: Node, or jiti for TypeScript that Node cannot load. */
export type ModuleLoaderName = "native" | "jiti";

/** Loaded module of a plugin. */
export interface LoadedModule {
  /** Exports of the module. */
  readonly namespace: unknown;
  readonly loader: ModuleLoaderName;
  /** Reason why Node did not load it; set when jiti did. */
  readonly refused?: string;
  /** True when Node read a module twice, because its `package.json` has no `type`. */
  readonly isTypeless?: boolean;
  /** True when a module imports a part of the SDK that this host lacks. */
  readonly hasGaps: boolean;
  /**
   * Gives modules that import the agent of an older host the agent of this one.
   * @param agent - `runtime.agent` of the plugin
   */
  bindAgent(agent: Readonly<Record<string, unknown>> | undefined): void;
  /**
   * Reports each use of a part of the SDK that this host lacks.
   * @param receive - receives the use, before it fails
   */
  watchMissing(receive: (use: MissingPartUse) => void): void;
}

/** Thrown when a module cannot be loaded; holds the cause and the modules loaded until then. */
export class ModuleLoadFailure {
  constructor(
    readonly cause: unknown,
    /** URLs of the plugin's modules in the order in which they were loaded. */
    readonly reached: readonly string[],
  ) {}
}

/** Options of the module loader, which apply to the whole process. */
export interface ModuleLoadingOptions {
  readonly sdkModules?: ReadonlyMap<string, string>;
  /** State folder, whose `cache` stores compiled TypeScript; when absent every process compiles again. */
  readonly stateDir?: string;
}

/**
 * Configures the module loader, before the first plugin is loaded.
 * @param options - additional entry points of the SDK, and the folder for compiled code
 */
export function prepareModuleLoading({ sdkModules, stateDir }: ModuleLoadingOptions): void {
  if (sdkModules !== undefined) offerSdkModules(sdkModules);
  if (stateDir === undefined || verdicts !== undefined) return;
  keepCompiled(join(stateDir, "cache"));
  verdicts = new JitiVerdicts(join(stateDir, "cache", "jiti-entries.json"));
}

/** Kept until the process ends, like the modules. */
let verdicts: JitiVerdicts | undefined;

const TYPESCRIPT = /\.[cm]?ts$/;

/** Number of reloads, which makes the URLs of each reload unique. */
let reloads = 0;

/**
 * Loads a plugin's entry into the module graph of the process with `import()`; TypeScript that Node cannot load is
 * loaded with jiti (PLUG-016).
 * @param file - real path of the entry
 * @param plugin - id, and real path of the plugin's folder
 * @param again - true evaluates the plugin's own modules again
 * @throws ModuleLoadFailure
 */
export async function loadModule(
  file: string,
  { id, rootDir }: { readonly id: string; readonly rootDir: string },
  again: boolean,
): Promise<LoadedModule> {
  installModuleHooks();
  if (again) {
    reloads += 1;
    forgetCommonJs(rootDir);
  }
  const modules = new PluginModules(rootDir, again ? String(reloads) : undefined, id);
  noteLoad(modules);
  const isTypeScript = TYPESCRIPT.test(file);
  try {
    const known = isTypeScript ? verdicts?.reasonFor(file) : undefined;
    if (known !== undefined) return await throughJiti(file, known, modules);
    try {
      const namespace: unknown = await import(claimEntry(fileUrl(file), modules));
      const isTypeless = modules.typeless !== undefined;
      return { namespace, loader: "native", isTypeless, ...linksOf(modules) };
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

function linksOf(
  modules: PluginModules,
): Pick<LoadedModule, "hasGaps" | "bindAgent" | "watchMissing"> {
  return {
    hasGaps: !modules.gaps.isEmpty,
    bindAgent(agent) {
      modules.agent = agent;
    },
    watchMissing(receive) {
      modules.gaps.onUse = receive;
    },
  };
}

async function throughJiti(
  file: string,
  refused: string,
  modules: PluginModules,
): Promise<LoadedModule> {
  try {
    const namespace = await loadWithJiti(file);
    return { namespace, loader: "jiti", refused, ...linksOf(modules) };
  } catch (cause) {
    throw new ModuleLoadFailure(cause, modules.reached);
  }
}

/** Removes a plugin's CommonJS modules from the cache, which is keyed by file, before a reload. */
function forgetCommonJs(rootDir: string): void {
  const own = (file: string) =>
    file.startsWith(`${rootDir}${sep}`) && !file.includes(`${sep}node_modules${sep}`);
  const { cache } = createRequire(import.meta.url);
  for (const file of Object.keys(cache)) if (own(file)) delete cache[file];
  forgetInJiti(own);
}
