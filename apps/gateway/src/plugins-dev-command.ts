import { resolve } from "node:path";
import type { Gateway } from "@openclaw/gateway";
import type { CommandContext } from "./command-line.js";
import { EXIT, type ExitCode } from "./exit-code.js";
import { startHost } from "./hosting.js";
import { outcomeOf, printNotes } from "./plugins-change-commands.js";
import { printStartUp } from "./start-up-message.js";
import { aborted, stopSignal } from "./stop-signal.js";
import type { Terminal } from "./terminal.js";

/** Editors write a file in several steps; one reload serves them all. */
const SETTLE_MS = 100;

/**
 * `openclaw plugins dev`: runs the gateway with one plugin and loads it anew when a file of it changes
 * (PLUG-062). A change that does not load leaves the plugin as it was.
 * @param path - the plugin's folder or entry file
 * @param options - `port`, 0 for any
 * @param context - terminal and environment
 */
export async function developCommand(
  path: string,
  options: { port: number },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const signal = stopSignal();
  process.setSourceMapsEnabled(true);
  const folder = resolve(path);
  const gateway = await startHost({ plugin: [folder] }, context, options.port);
  printStartUp(gateway, terminal);
  const plugin = gateway.plugins.plugins.find(
    ({ rootDir, source }) => rootDir === folder || source === folder,
  );
  if (plugin === undefined) {
    await gateway.stop("error");
    terminal.note(`openclaw: no plugin was found at ${folder}`);
    return EXIT.notFound;
  }
  await printState(gateway, plugin.id, terminal);
  const { watch } = await import("chokidar");
  const watcher = watch(folder, {
    ignoreInitial: true,
    ignored: /[\\/](node_modules|\.git)([\\/]|$)/,
    awaitWriteFinish: { stabilityThreshold: SETTLE_MS, pollInterval: SETTLE_MS / 4 },
  });
  let reloading = Promise.resolve();
  watcher.on("all", (_event, file) => {
    reloading = reloading.then(async () => {
      terminal.print(`\n${file} changed`);
      const methods = await gateway.administration();
      const change = await methods["plugins.reload"]({ id: plugin.id });
      printNotes(change.diagnostics, terminal);
      terminal.print(outcomeOf(change));
      await printState(gateway, plugin.id, terminal);
    });
  });
  await aborted(signal);
  await watcher.close();
  await reloading;
  await gateway.stop("signal");
  return EXIT.ok;
}

async function printState(gateway: Gateway, id: string, { print }: Terminal): Promise<void> {
  const methods = await gateway.administration();
  const { status, reason, registered } = await methods["plugins.inspect"]({ id });
  print(`${id}: ${status}${reason === undefined ? "" : `, ${reason}`}`);
  for (const [kind, names] of Object.entries(registered)) print(`  ${kind}: ${names.join(", ")}`);
}
