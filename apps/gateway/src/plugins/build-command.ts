import { resolve } from "node:path";
import { withGatewayMethods } from "../host/methods.js";
import { sdkModules } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { UsageError } from "../shell/usage-error.js";
import { type PluginConfigOptions, readPluginConfig } from "./validate-command.js";

/**
 * Runs `openclaw plugins build`: updates the manifest with the plugin's registrations and the schema of its
 * configuration (SDK-035).
 * @param path - plugin folder or entry file
 * @param options - `check` does not write and fails on a difference
 * @param context - terminal and environment
 */
export async function buildPluginCommand(
  path: string,
  options: PluginConfigOptions & { check?: boolean },
  { terminal }: CommandContext,
): Promise<ExitCode> {
  const { buildManifest, writeManifest } = await import("@openclaw/plugin-testkit");
  const build = await buildManifest({
    path: resolve(path),
    sdkModules: sdkModules(),
    ...readPluginConfig(options),
  });
  const { file, drift } = build;
  const check = options.check === true;
  const isStale = drift.length > 0;
  if (isStale && !check) writeManifest(build);
  if (options.json === true) {
    terminal.print(JSON.stringify({ file, drift, written: isStale && !check }));
  } else {
    for (const difference of drift) terminal.print(`  ${difference}`);
    terminal.print(conclusion(file, isStale, check));
  }
  return isStale && check ? EXIT.negative : EXIT.ok;
}

/**
 * Runs `openclaw plugins fix-manifest`: like `plugins build`, for a plugin of this host (PLUG-044).
 * @param id - plugin ID
 * @param options - format
 * @param context - terminal and environment
 */
export async function fixManifestCommand(
  id: string,
  options: { json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  return withGatewayMethods(context, async (call) => {
    const { rootDir, origin, installedFrom } = await call("plugins.inspect", { id });
    if (origin === "bundled") {
      throw new UsageError(`"${id}" is bundled with OpenClaw; its manifest cannot be changed here`);
    }
    const status = await buildPluginCommand(rootDir, options, context);
    // The manifest is one of the files that are checked before each load.
    if (installedFrom !== undefined) await call("plugins.accept", { id });
    return status;
  });
}

function conclusion(file: string, isStale: boolean, check: boolean): string {
  if (!isStale) return `${file} matches what the plugin registers.`;
  return check
    ? `${file} differs from what the plugin registers; run openclaw plugins build`
    : `Updated ${file}.`;
}
