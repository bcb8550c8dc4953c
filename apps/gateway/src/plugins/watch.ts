import type { Gateway } from "@openclaw/gateway";
import type { Terminal } from "../shell/terminal.js";
import { outcomeOf, printNotes } from "./change-report.js";

/** Editors write a file in several steps; one reload covers them all. */
const SETTLE_MS = 100;

/**
 * Reloads a plugin whenever one of its files changes, and prints the result (PLUG-062). When the changed
 * plugin fails to load, its previous version stays active.
 * @param gateway - gateway that runs the plugin
 * @param path - absolute path of the plugin folder or entry file
 * @param terminal - terminal to print to
 * @returns function that stops watching after a running reload has ended; undefined when the plugin is not
 * found
 */
export async function watchPlugin(
  gateway: Gateway,
  path: string,
  terminal: Terminal,
): Promise<(() => Promise<void>) | undefined> {
  const plugin = gateway.plugins.plugins.find(
    ({ rootDir, source }) => rootDir === path || source === path,
  );
  if (plugin === undefined) return undefined;
  const { id } = plugin;
  const methods = await gateway.methods();
  const printState = async () => {
    const { status, reason, registered } = await methods.call("plugins.inspect", { id });
    terminal.print(`${id}: ${status}${reason === undefined ? "" : `, ${reason}`}`);
    for (const [kind, names] of Object.entries(registered)) {
      terminal.print(`  ${kind}: ${names.join(", ")}`);
    }
  };
  await printState();
  const { watch } = await import("chokidar");
  const watcher = watch(path, {
    ignoreInitial: true,
    ignored: /[\\/](node_modules|\.git|\.openclaw-state)([\\/]|$)/,
    awaitWriteFinish: { stabilityThreshold: SETTLE_MS, pollInterval: SETTLE_MS / 4 },
  });
  let reloading = Promise.resolve();
  watcher.on("all", (_event, file) => {
    reloading = reloading.then(async () => {
      terminal.print(`\n${file} changed`);
      const change = await methods.call("plugins.reload", { id });
      printNotes(change.diagnostics, terminal);
      terminal.print(outcomeOf(change));
      await printState();
    });
  });
  await new Promise<void>((resolve) => {
    watcher.once("ready", resolve);
  });
  terminal.print(`watching ${path}`);
  return async () => {
    await watcher.close();
    await reloading;
  };
}
