import {
  ConfigurationError,
  type LoadedConfiguration,
  loadConfiguration,
} from "@openclaw/configuration";
import type { ControlDependencies } from "./control-dependencies.js";

/**
 * Reads the files of a running gateway, which does not take a removed file for one without settings, which could allow
 * more.
 * @param dependencies - main file, checks, and the configurations of now and of the start
 * @throws ConfigurationError when they are not valid
 */
export async function loadRunning({
  file,
  options,
  live,
  initial,
}: Pick<
  ControlDependencies,
  "file" | "options" | "live" | "initial"
>): Promise<LoadedConfiguration> {
  const loaded = await loadConfiguration(file, options);
  if (loaded.file !== undefined) return loaded;
  // Without a file the host runs with the configuration that it was started with.
  if (live.file === undefined) return (await options.overlay?.(initial)) ?? initial;
  throw new ConfigurationError([
    {
      key: "",
      message: "the file was removed",
      suggestion: "restore it; a restart without it uses the defaults",
      ...{ file, line: 1, column: 1 },
    },
  ]);
}
