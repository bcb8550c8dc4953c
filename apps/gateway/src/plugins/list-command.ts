import { resolve } from "node:path";
import { defined } from "@openclaw/foundation";
import { formatPolicyProblem, type inspectPlugins } from "@openclaw/gateway";
import type { PluginNote } from "@openclaw/protocol";
import { findRunningGateway } from "../host/running-gateway.js";
import { bundledExtensions, installation, sdkModules, stateDirOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import type { Terminal } from "../shell/terminal.js";
import { workspaceFolderOf } from "../workspaces/folder.js";

type Inspection = Awaited<ReturnType<typeof inspectPlugins>>;

/** Options of `plugins list`. */
export interface ListPluginsOptions {
  plugin?: string[];
  json?: boolean;
}

/** Plugins and their problems, of a running gateway or on disk. */
interface PluginList {
  readonly diagnostics: readonly PluginNote[];
  /** Tools that the policy hides. */
  readonly policy: Inspection["policy"];
  /** Number of the plugin generation of a running gateway. */
  readonly generation?: number;
  readonly plugins: readonly ListedPlugin[];
}

interface ListedPlugin {
  readonly id: string;
  readonly origin: string;
  readonly version?: string | undefined;
  readonly description?: string | undefined;
  readonly enabled: boolean;
  /** Why the plugin is off or failed. */
  readonly reason?: string | undefined;
  readonly hint?: string | undefined;
  readonly error?: { readonly message: string } | undefined;
}

/**
 * Runs `openclaw plugins list`: prints the plugins of the running gateway (GW-026); without one, or with further
 * plugins, every plugin that was found, on or off, from manifests only (PLUG-059).
 * @param options - further plugins and format
 * @param context - terminal and environment
 */
export async function listPluginsCommand(
  options: ListPluginsOptions,
  { terminal, environment }: CommandContext,
): Promise<ExitCode> {
  const list = await listPlugins(options, environment);
  if (options.json === true) {
    terminal.print(JSON.stringify(list));
    return EXIT.ok;
  }
  const { plugins, diagnostics, policy } = list;
  const { colors } = terminal;
  const width = Math.max(0, ...plugins.map(({ id }) => id.length));
  const limited = new Set(
    diagnostics.flatMap(({ code, pluginId }) => (code === LIMITED ? (pluginId ?? []) : [])),
  );
  for (const plugin of plugins) {
    const { id, origin, version = "", description = "" } = plugin;
    const state = stateOf(plugin, limited.has(plugin.id), colors);
    terminal.print(
      `${state} ${id.padEnd(width)}  ${version.padEnd(8)} ${origin.padEnd(9)} ${description}`,
    );
    const { reason, hint = "", error } = plugin;
    if (reason !== undefined) {
      terminal.print(`          ${reason}${hint === "" ? "" : `: ${colors.dim(hint)}`}`);
    }
    if (error !== undefined) {
      const next = hint === "" ? "" : `; ${hint}`;
      terminal.print(`          ${colors.red(`${error.message}${next}`)}`);
    }
  }
  if (plugins.length === 0) terminal.print("No plugins found.");
  for (const { level, message, hint } of diagnostics) {
    terminal.note(`${level}: ${message}${hint === undefined ? "" : `; ${hint}`}`);
  }
  for (const warning of policy) terminal.note(`warn: ${formatPolicyProblem(warning)}`);
  return EXIT.ok;
}

/** Diagnostic of a plugin that imports parts of the SDK that this host lacks. */
const LIMITED = "sdk-parts-missing";

function stateOf(
  { enabled, error }: ListedPlugin,
  isLimited: boolean,
  colors: Terminal["colors"],
): string {
  if (isLimited) return colors.yellow("limited");
  if (error !== undefined) return colors.red("broken ");
  return enabled ? colors.green("on     ") : colors.yellow("off    ");
}

async function listPlugins(
  { plugin = [] }: ListPluginsOptions,
  environment: NodeJS.ProcessEnv,
): Promise<PluginList> {
  const running = plugin.length === 0 ? await findRunningGateway(environment) : undefined;
  if (running?.http !== undefined) {
    const { plugins, ...list } = await running.http.client.call("plugins.list", {});
    const listed = plugins.map(({ reason, ...each }) => {
      const enabled = each.status !== "disabled";
      if (each.status !== "error") return { ...each, enabled, ...defined({ reason }) };
      return { ...each, enabled, error: { message: reason ?? "it did not load" } };
    });
    // The gateway named the tools that its policy hides when it started.
    return { ...list, plugins: listed, policy: [] };
  }
  // A running gateway answers without the code that reads manifests and configuration.
  const [{ inspectPlugins }, { loadOperatorConfiguration }] = await Promise.all([
    import("@openclaw/gateway"),
    import("../configuration.js"),
  ]);
  const configuration = await loadOperatorConfiguration(environment);
  return inspectPlugins({
    version: installation.version,
    configuration,
    stateDir: stateDirOf(environment),
    workspaceDir: workspaceFolderOf(environment, configuration).dir,
    bundledExtensions: bundledExtensions(),
    sdkModules: sdkModules(),
    pluginPaths: plugin.map((path) => resolve(path)),
  });
}
