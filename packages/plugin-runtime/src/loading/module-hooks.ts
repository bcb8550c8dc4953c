import { lstatSync } from "node:fs";
import { registerHooks } from "node:module";
import { isCommonJsAtHeart, OwnRequireError } from "./commonjs-detection.js";
import type { PluginModules } from "./plugin-modules.js";
import { resolveSdkModule } from "./sdk-modules.js";

/** Marks the address of a module that was loaded again, and of all it imports from its own folder. */
const RELOAD = "openclaw-reload";

/** The plugin that each module belongs to; modules stay for as long as the process, and so do these. */
const owners = new Map<string, PluginModules>();
const entries = new Set<string>();
let installed = false;

/**
 * Makes Node give every plugin the host's one copy of the SDK, take a plugin's TypeScript for ES
 * modules, and evaluate a plugin's own modules again when it is loaded again. Once per process: Node
 * keeps such hooks for good, and one set serves all runtimes.
 */
export function installModuleHooks(): void {
  if (installed) return;
  installed = true;
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL } = context;
      const sdk = resolveSdkModule(specifier, parentURL);
      if (sdk !== undefined) return { url: sdk, format: "module", shortCircuit: true };
      const owner = parentURL === undefined ? undefined : owners.get(parentURL);
      if (owner === undefined) {
        // The address of an entry was made from its real path, so there is nothing to look up.
        return entries.has(specifier)
          ? { url: specifier, ...formatOf(specifier), shortCircuit: true }
          : next(specifier, context);
      }
      const sibling = siblingOf(specifier, parentURL);
      const resolved = sibling ?? next(specifier, context);
      if (!owner.owns(resolved.url)) return resolved;
      const url = claim(resolved.url, owner);
      return { ...resolved, url, ...formatOf(url) };
    },
    load(url, context, next) {
      const loaded = next(url, context);
      if (loaded.format === "module-typescript" && owners.has(url)) {
        if (isCommonJsAtHeart(loaded.source)) throw new OwnRequireError(url);
      }
      return loaded;
    },
  });
}

/**
 * Makes a plugin's entry known to the hooks.
 * @param url - address of the entry's real path
 * @param owner - the plugin
 * @returns the address to import
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
 * Resolves the import of a file that lies beside the importing one, which is what most imports within
 * a plugin are, at a third of the cost: the folder is a real path already, so that the file has only to
 * be there and to be no link. Anything else is left to Node.
 */
function siblingOf(specifier: string, parentUrl = "") {
  if (!SIBLING.test(specifier)) return undefined;
  const url = parentUrl.slice(0, parentUrl.lastIndexOf("/")) + specifier.slice(1);
  return lstatSync(url.slice("file://".length), { throwIfNoEntry: false })?.isFile() === true
    ? { url, shortCircuit: true }
    : undefined;
}

/**
 * What a `.ts` file is depends on its package or else on its text, which costs Node a second parse.
 * Plugins are written as ES modules; one that is not fails at its first `require` or `exports`.
 */
function formatOf(url: string): { format?: "module-typescript" } {
  return /\.ts(?:\?|$)/.test(url) ? { format: "module-typescript" } : {};
}
