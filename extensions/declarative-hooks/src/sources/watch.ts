import { basename, join } from "node:path";
import type { Logger } from "@openclaw/plugin-sdk/plugin-entry";
import { watch } from "chokidar";
import { HOOK_FOLDER, isHookFile } from "./workspace.js";

/** Time in milliseconds without another change after which files are read. */
const SETTLE_MS = 100;

/**
 * Watches the hook files of a workspace (DHOOK-015).
 * @param folder - the workspace
 * @param onChange - called after changes
 * @param logger - receives failures
 * @returns a function that ends the watch, once it has begun
 */
export async function watchHookFiles(
  folder: string,
  onChange: () => void,
  logger: Logger,
): Promise<() => Promise<void>> {
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(folder, {
    ignoreInitial: true,
    depth: 1,
    // Of the workspace only the files of the folder itself, and the folder of hooks.
    ignored: (path, stats) => {
      if (path === folder || path === join(folder, HOOK_FOLDER)) return false;
      if (stats === undefined) return basename(path).startsWith(".");
      return !(stats.isFile() && isHookFile(folder, path));
    },
  });
  watcher.on("all", (_event, path) => {
    if (path !== join(folder, HOOK_FOLDER) && !isHookFile(folder, path)) return;
    clearTimeout(timer);
    timer = setTimeout(onChange, SETTLE_MS);
  });
  watcher.on("error", (error) => logger.warn(`hook files are not watched: ${String(error)}`));
  await new Promise<void>((resolve) => watcher.once("ready", resolve));
  return async () => {
    clearTimeout(timer);
    await watcher.close();
  };
}
