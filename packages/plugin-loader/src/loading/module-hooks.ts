import { lstatSync } from "node:fs";
import { registerHooks } from "node:module";
import { standInSource } from "../missing-parts/stand-in-modules.js";
import { isCommonJsAtHeart, OwnRequireError, withCommonJsNames } from "./commonjs-detection.js";
import { isOlderInternal, olderInternalsUrl } from "./older-internals.js";
import type { PluginModules } from "./plugin-modules.js";
import { resolveSdkImport } from "./sdk-import.js";
import { sdkNameOf } from "./sdk-modules.js";
import { sharedDependency } from "./shared-dependency.js";
import { withoutTypelessWarning } from "./typeless-module.js";

/** Query parameter in the URL of a reloaded module and of its imports from the same folder. */
const RELOAD = "openclaw-reload";

/** Plugin of each module. Modules stay in memory until the process ends, and so do these entries. */
const owners = new Map<string, PluginModules>();
const entries = new Set<string>();
let installed = false;

/**
 * Installs module hooks in Node that resolve the SDK to the host's copy, treat a plugin's TypeScript as ES modules, and
 * evaluate the modules of a plugin again when it is reloaded. Runs once per process, because Node cannot remove such
 * hooks; they serve all runtimes.
 */
export function installModuleHooks(): void {
  if (installed) return;
  installed = true;
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL } = context;
      const owner = parentURL === undefined ? undefined : owners.get(parentURL);
      if (sdkNameOf(specifier) !== undefined) {
        const url = resolveSdkImport(specifier, parentURL, owner);
        return { url, format: "module", shortCircuit: true };
      }
      if (owner === undefined) {
        // The URL of an entry was made from its real path and needs no resolution.
        return entries.has(specifier)
          ? { url: specifier, ...formatOf(specifier), shortCircuit: true }
          : next(specifier, context);
      }
      const sibling = siblingOf(specifier, parentURL);
      const resolved = sibling ?? resolveOwn(specifier, owner, () => next(specifier, context));
      if (!owner.owns(resolved.url)) return resolved;
      const url = claim(resolved.url, owner);
      return { ...resolved, url, ...formatOf(url) };
    },
    load(url, context, next) {
      const owner = owners.get(url);
      if (owner === undefined) {
        const source = standInSource(url);
        return source === undefined
          ? next(url, context)
          : { format: "module", source, shortCircuit: true };
      }
      const loaded = withoutTypelessWarning(
        () => next(url, context),
        () => owner.noteTypeless(url),
      );
      if (loaded.format === "module-typescript" && isCommonJsAtHeart(loaded.source)) {
        throw new OwnRequireError(url);
      }
      if (loaded.format === "module") {
        const source = withCommonJsNames(loaded.source);
        if (source !== undefined) return { ...loaded, source };
      }
      return loaded;
    },
  });
}

/** Resolves an import of a plugin's module, also one that only hosts of older versions could resolve. */
function resolveOwn<Resolved>(specifier: string, owner: PluginModules, next: () => Resolved) {
  try {
    return next();
  } catch (error) {
    const url = isOlderInternal(specifier)
      ? olderInternalsUrl(specifier, owner)
      : sharedDependency(specifier);
    if (url === undefined) throw error;
    return { url, format: "module", shortCircuit: true } as const;
  }
}

/**
 * Registers a plugin's entry with the hooks.
 * @param url - URL of the entry's real path
 * @returns the URL to import
 */
export function claimEntry(url: string, owner: PluginModules): string {
  const claimed = claim(url, owner);
  entries.add(claimed);
  return claimed;
}

function claim(address: string, owner: PluginModules): string {
  const url = owner.mark === undefined ? address : `${address}?${RELOAD}=${owner.mark}`;
  owner.reach(url);
  owners.set(url, owner);
  return url;
}

const SIBLING = /^\.\/[\w-][\w.-]*\.m?[jt]s$/;

/**
 * Resolves the import of a file in the same folder, the most frequent import within a plugin, at a third of Node's cost:
 * the folder is already a real path, so it only checks that the file exists and is not a link. Node resolves everything
 * else.
 */
function siblingOf(specifier: string, parentUrl = "") {
  if (!SIBLING.test(specifier)) return undefined;
  const url = parentUrl.slice(0, parentUrl.lastIndexOf("/")) + specifier.slice(1);
  return lstatSync(url.slice("file://".length), { throwIfNoEntry: false })?.isFile() === true
    ? { url, shortCircuit: true }
    : undefined;
}

/**
 * Node decides by the package or the source whether a `.ts` file is an ES module, which costs a second parse. Plugins are
 * ES modules; a CommonJS plugin fails at its first `require` or `exports`.
 */
function formatOf(url: string): { format?: "module-typescript" } {
  return /\.ts(?:\?|$)/.test(url) ? { format: "module-typescript" } : {};
}
