import { resolve } from "node:path";
import { formatPolicyProblem, inspectPlugins } from "@openclaw/gateway";
import { loadOperatorConfiguration } from "../configuration.js";
import { bundledExtensions, installation, stateDirOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";

/**
 * Runs `openclaw plugins list`: prints every plugin that was found, on or off, from manifests only
 * (PLUG-059).
 * @param options - further plugins and format
 * @param context - terminal and environment
 */
export async function listPluginsCommand(
  options: { plugin?: string[]; json?: boolean },
  { terminal, environment }: CommandContext,
): Promise<ExitCode> {
  const { plugins, diagnostics, policy } = await inspectPlugins({
    version: installation.version,
    configuration: await loadOperatorConfiguration(environment),
    stateDir: stateDirOf(environment),
    workspaceDir: process.cwd(),
    bundledExtensions: bundledExtensions(),
    pluginPaths: (options.plugin ?? []).map((path) => resolve(path)),
  });
  if (options.json === true) {
    terminal.print(JSON.stringify({ plugins, diagnostics, policy }));
    return EXIT.ok;
  }
  const { colors } = terminal;
  const width = Math.max(0, ...plugins.map(({ id }) => id.length));
  for (const plugin of plugins) {
    const { id, origin, version = "", description = "" } = plugin;
    const state = plugin.enabled ? colors.green("on ") : colors.yellow("off");
    terminal.print(
      `${state} ${id.padEnd(width)}  ${version.padEnd(8)} ${origin.padEnd(9)} ${description}`,
    );
    if ("reason" in plugin) terminal.print(`      ${plugin.reason}: ${colors.dim(plugin.hint)}`);
    if ("error" in plugin) terminal.print(`      ${colors.red(plugin.error.message)}`);
  }
  if (plugins.length === 0) terminal.print("No plugins found.");
  for (const { level, message, hint } of diagnostics) {
    terminal.note(`${level}: ${message}${hint === undefined ? "" : `; ${hint}`}`);
  }
  for (const warning of policy) terminal.note(`warn: ${formatPolicyProblem(warning)}`);
  return EXIT.ok;
}
