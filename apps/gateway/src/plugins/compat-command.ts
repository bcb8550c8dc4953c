import { unpackPlugin } from "@openclaw/plugin-install";
import type { CompatibilityPart, CompatibilityReport, PartStatus } from "@openclaw/plugin-testkit";
import { sdkModules } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import type { Terminal } from "../shell/terminal.js";
import { type PluginConfigOptions, readPluginConfig } from "./validate-command.js";

/** Order of the groups in the report. */
const STATUSES: readonly PartStatus[] = ["works", "mapped", "unsupported"];

/**
 * Runs `openclaw plugins compat`: reports which parts of a plugin or bundle work on this host (EXT-024). Nothing is
 * installed.
 * @param specifier - what `plugins install` takes
 * @param options - plugin configuration, and format
 * @param context - terminal and environment
 */
export async function compatCommand(
  specifier: string,
  options: PluginConfigOptions,
  { terminal }: CommandContext,
): Promise<ExitCode> {
  const { inspectCompatibility } = await import("@openclaw/plugin-testkit");
  const pluginConfig = readPluginConfig(options);
  await using plugin = await unpackPlugin(specifier, process.cwd());
  const report = await inspectCompatibility({
    path: plugin.path,
    sdkModules: sdkModules(),
    ...pluginConfig,
  });
  if (options.json === true) terminal.print(JSON.stringify(report));
  else printReport(report, terminal);
  const isWhole = report.loads && report.parts.every(({ status }) => status !== "unsupported");
  return isWhole ? EXIT.ok : EXIT.negative;
}

function printReport(
  { id, version, format, loads, parts }: CompatibilityReport,
  { print, colors }: Terminal,
): void {
  const colour = { works: colors.green, mapped: colors.yellow, unsupported: colors.red };
  for (const status of STATUSES) {
    for (const part of parts.filter((each) => each.status === status)) {
      const reason = part.reason === undefined ? "" : colors.dim(`: ${part.reason}`);
      print(`${colour[status](status.padEnd(11))}  ${nameOf(part)}${reason}`);
    }
  }
  const counts = STATUSES.map((status) => {
    const { length } = parts.filter((each) => each.status === status);
    return `${length} ${status === "works" ? "work" : status}`;
  }).join(", ");
  const outcome = loads ? "" : "does not load; ";
  print(`${format} ${id}${version === undefined ? "" : ` ${version}`}: ${outcome}${counts}.`);
}

function nameOf({ kind, name }: CompatibilityPart): string {
  return name === "" ? kind : `${kind} ${name}`;
}
