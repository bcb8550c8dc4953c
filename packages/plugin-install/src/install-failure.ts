import { PluginInstallRefusedError, PluginSourceError } from "./errors.js";
import type { InstallRecord } from "./install-records.js";
import type { StagedPlugin } from "./source.js";

/**
 * Returns the error of a failed install with the names that the operator knows: the folder into which the plugin was
 * unpacked is gone when the error is read, so its paths become relative (PLUG-460).
 * @param error - thrown value
 * @param staged - the plugin in its staging folder
 */
export function withoutStagingFolder(error: unknown, { dir }: Pick<StagedPlugin, "dir">): unknown {
  if (!PluginInstallRefusedError.isInstance(error)) return error;
  const shown = (text: string) => text.replaceAll(`${dir}/`, "").replaceAll(dir, "the plugin");
  return error.retold({ reason: shown(error.reason), nextStep: shown(error.nextStep) });
}

/**
 * Returns the error of a failed update: it names the installed plugin and the version that stays (PLUG-460).
 * @param error - error of the install
 * @param record - record of the installed version
 */
export function failedUpdate(
  error: unknown,
  { pluginId, requested, version, packageVersion }: InstallRecord,
): unknown {
  const installed = version ?? packageVersion;
  if (PluginInstallRefusedError.isInstance(error)) return error.retold({ pluginId, installed });
  if (!PluginSourceError.isInstance(error)) return error;
  const { problem, nextStep } = error;
  return new PluginInstallRefusedError(pluginId, `${requested}: ${problem}`, nextStep, {
    installed,
  });
}
