import type { Gateway } from "@openclaw/gateway";
import type { Terminal } from "../shell/terminal.js";
import { outcomeOf, printNotes } from "./change-commands.js";

/** Editors write a file in several steps; one reload serves them all. */
const SETTLE_MS = 100;

/**
 * Loads a plugin anew whenever a file of it changes, and says what became of it (PLUG-062). A change that
 * does not load leaves the plugin as it was.
 * @param gateway - that runs the plugin
 * @param path - the plugin's folder or entry file, absolute
 * @param terminal - where to tell
 * @returns stops watching, once a reload under way has ended; undefined when no plugin is there
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
    ignored: /[\\/](node_modules|\.git)([\\/]|$)/,
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
