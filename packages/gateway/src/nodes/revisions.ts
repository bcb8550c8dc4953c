import type { LoadedConfiguration } from "@openclaw/configuration";
import { canonicalJson, sha256 } from "@openclaw/foundation";
import type { PluginGeneration } from "@openclaw/plugin-runtime";

/** Length of a revision in hexadecimal digits. */
const DIGITS = 16;

/**
 * Returns a hash of the configuration, which is the same on two hosts with equal configurations. Where a host listens is
 * not part of it.
 * @param configuration - configuration in force
 */
export function configurationRevision({ value }: Pick<LoadedConfiguration, "value">): string {
  const { port: _port, bind: _bind, ...gateway } = value.gateway ?? {};
  return sha256(canonicalJson({ ...value, gateway })).slice(0, DIGITS);
}

/**
 * Returns a hash of the plugins that are on, which is the same on two hosts with the same plugins in the same versions.
 * @param generation - the loaded plugins
 */
export function pluginRevision({ plugins }: Pick<PluginGeneration, "plugins">): string {
  const on = plugins
    .filter(({ status }) => status !== "disabled")
    .map(({ id, version = "", status }) => `${id}@${version} ${status}`);
  return sha256(on.sort().join("\n")).slice(0, DIGITS);
}
