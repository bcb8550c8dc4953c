import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { defined, errorMessage } from "@openclaw/foundation";
import type { ConformanceCheck, ConformanceReport } from "@openclaw/plugin-testkit";
import { sdkModules } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import type { Terminal } from "../shell/terminal.js";
import { UsageError } from "../shell/usage-error.js";

/** Options of `plugins validate`, `plugins build` and `plugins try`. */
export interface PluginConfigOptions {
  /** File with the value that an operator would write at `plugins.entries.<id>.config`. */
  pluginConfig?: string;
  json?: boolean;
}

/**
 * Runs `openclaw plugins validate`: checks a plugin's manifest; with `--conformance` also loads the plugin
 * and checks the requirements for all plugins (SDK-030).
 * @param path - plugin folder or entry file
 * @param options - checks to run, and plugin configuration
 * @param context - terminal and environment
 */
export async function validatePluginCommand(
  path: string,
  options: PluginConfigOptions & { conformance?: boolean; api?: string },
  { terminal }: CommandContext,
): Promise<ExitCode> {
  const { checkConformance } = await import("@openclaw/plugin-testkit");
  const { api } = options;
  if (api !== undefined && !VERSION.test(api)) {
    throw new UsageError(`--api ${api} is not a version: expected three numbers such as 1.0.0`);
  }
  const report = await checkConformance(resolve(path), {
    ...readPluginConfig(options),
    sdkModules: sdkModules(),
    ...defined({ api }),
    // Without the flag, no code of the plugin runs.
    ...(options.conformance === true ? {} : { checks: ["manifest-valid"] }),
  });
  if (options.json === true) terminal.print(JSON.stringify(report));
  else {
    printReport(report, terminal);
    if (options.conformance !== true && report.passed) terminal.print(MANIFEST_ONLY);
  }
  return report.passed ? EXIT.ok : EXIT.negative;
}

/**
 * Reads the plugin configuration from the file that the options name, if any.
 * @param options - options with the path of a JSON file
 * @throws UsageError when the file is not a JSON object
 */
export function readPluginConfig({ pluginConfig: file }: PluginConfigOptions): {
  pluginConfig?: Record<string, unknown>;
} {
  if (file === undefined) return {};
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    const reason = errorMessage(error);
    throw new UsageError(`cannot read --plugin-config ${file}: ${reason}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UsageError(`--plugin-config ${file} must contain a JSON object`);
  }
  return { pluginConfig: value as Record<string, unknown> };
}

/** Version of the plugin API: three numbers. */
const VERSION = /^\d+\.\d+\.\d+$/;

const MANIFEST_ONLY =
  "Only the manifest was read; `--conformance` also loads the plugin and checks what it registers.";

const MARKS = { passed: "✓", failed: "✗", skipped: "–" } as const;

function printReport({ path, passed, checks }: ConformanceReport, terminal: Terminal): void {
  for (const check of checks) printCheck(check, terminal);
  const failed = checks.filter(({ status }) => status === "failed").length;
  terminal.print(
    passed ? `${path} passes.` : `${path} fails ${failed} of ${checks.length} checks.`,
  );
}

function printCheck({ id, title, status, findings, reason }: ConformanceCheck, terminal: Terminal) {
  const { colors } = terminal;
  const colour = { passed: colors.green, failed: colors.red, skipped: colors.dim }[status];
  const why = reason === undefined ? "" : colors.dim(` (${reason})`);
  terminal.print(`${colour(MARKS[status])} ${id}: ${title}${why}`);
  for (const { level, message, hint } of findings) {
    terminal.print(`    ${level}: ${message}${hint === undefined ? "" : `; ${hint}`}`);
  }
}
