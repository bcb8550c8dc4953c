import { SdkPartMissingError } from "../errors.js";
import { createStandIn } from "../missing-parts/stand-in-modules.js";
import type { PluginModules } from "./plugin-modules.js";

/**
 * Modules of hosts of older versions that plugins import by a path out of their folder, because the SDK did not have the
 * agent yet.
 */
const INTERNALS = /^\.\.\/.*(?:\/agents\/pi-embedded-runner|\/extensionAPI)\.[jt]s$/;

/** Functions of these modules that `runtime.agent` has under the same name. */
const FUNCTIONS = ["runEmbeddedPiAgent", "resolveAgentDir", "resolveAgentWorkspaceDir"] as const;

type AgentFunction = (...args: readonly unknown[]) => unknown;

/**
 * Returns true for an import of an internal module of an older host.
 * @param specifier - specifier in an import of a plugin
 */
export function isOlderInternal(specifier: string): boolean {
  return INTERNALS.test(specifier);
}

/**
 * Returns the exports of an internal module of an older host: each calls the function of the same name of the plugin's
 * `runtime.agent` (PLUG-143).
 * @param specifier - specifier in the import
 */
export function olderInternals(
  specifier: string,
  modules: PluginModules,
): Readonly<Record<string, AgentFunction>> {
  const functions = FUNCTIONS.map((name) => {
    const call: AgentFunction = (...args) => {
      const found: unknown = modules.agent?.[name];
      if (typeof found === "function") return found(...args);
      const { pluginId } = modules;
      throw new SdkPartMissingError({
        ...{ pluginId, specifier, name, importer: "a module of the plugin", nearest: undefined },
      });
    };
    return [name, call] as const;
  });
  return Object.fromEntries(functions);
}

/**
 * Returns the URL of a module with these exports.
 * @param specifier - specifier in the import
 */
export function olderInternalsUrl(specifier: string, modules: PluginModules): string {
  return createStandIn(undefined, false, olderInternals(specifier, modules));
}
