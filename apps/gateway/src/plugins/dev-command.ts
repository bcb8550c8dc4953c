import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { notePluginProblems } from "../host/plugin-problems.js";
import { startHost } from "../host/start.js";
import { printStartUp } from "../host/start-up-message.js";
import { aborted, stopSignal } from "../host/stop-signal.js";
import { installation } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { buildForPlugins } from "./build-for-plugins.js";
import { packagesOf } from "./link-command.js";
import { watchPlugin } from "./watch.js";

/** Name of the state folder in the folder of a plugin that is being developed. */
const STATE_FOLDER = ".openclaw-state";

/**
 * Runs `openclaw plugins dev`: runs the gateway with one plugin and reloads it when one of its files changes
 * (PLUG-062). Its state is in the plugin's folder, unless the environment names a state folder (PLUG-089).
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
  const { checkout } = installation;
  if (checkout !== undefined && existsSync(folder)) {
    const isBuilt = await buildForPlugins(checkout, packagesOf(projectOf(folder)));
    if (!isBuilt) return EXIT.error;
  }
  const environment = developmentEnvironment(folder, context.environment);
  const gateway = await startHost(
    { plugin: [folder], watch: true },
    { terminal, environment },
    options.port,
  );
  const isOwn = environment !== context.environment;
  printStartUp(gateway, terminal, isOwn ? { OPENCLAW_STATE_DIR: gateway.state.dir } : {});
  notePluginProblems(gateway, terminal);
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

/** Adds the state folder of the plugin to an environment that names none. */
function developmentEnvironment(path: string, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { OPENCLAW_STATE_DIR: named } = environment;
  if ((named !== undefined && named !== "") || !existsSync(path)) return environment;
  return { ...environment, OPENCLAW_STATE_DIR: join(projectOf(path), STATE_FOLDER) };
}

/** Returns the folder of a plugin that is given by its folder or its entry file. */
function projectOf(path: string): string {
  return statSync(path).isDirectory() ? path : dirname(path);
}
