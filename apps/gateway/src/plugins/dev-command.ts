import { resolve } from "node:path";
import { startHost } from "../host/start.js";
import { printStartUp } from "../host/start-up-message.js";
import { aborted, stopSignal } from "../host/stop-signal.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { workspaceFolderOf } from "../workspaces/folder.js";
import { watchPlugin } from "./watch.js";

/**
 * Runs `openclaw plugins dev`: runs the gateway with one plugin and reloads it when one of its files changes
 * (PLUG-062).
 * @param path - plugin folder or entry file
 * @param options - `port`, 0 for any free one
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
  printStartUp(gateway, workspaceFolderOf(context.environment), terminal);
  const close = await watchPlugin(gateway, folder, terminal);
  if (close === undefined) {
    await gateway.stop("error");
    terminal.note(`openclaw: no plugin found at ${folder}`);
    return EXIT.notFound;
  }
  await aborted(signal);
  await close();
  await gateway.stop("signal");
  return EXIT.ok;
}
