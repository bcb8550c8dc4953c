import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { loadConfiguration } from "@openclaw/configuration";
import { errorMessage } from "@openclaw/foundation";
import { type ReplayReport, replayRun, stateFolderAt, TrustedFolders } from "@openclaw/gateway";
import { EXTENSION_CHECKS, loadOperatorConfiguration } from "../configuration.js";
import { withGatewayMethods } from "../host/methods.js";
import { bundledExtensions, installation, sdkModules, stateDirOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import type { Terminal } from "../shell/terminal.js";
import { UsageError } from "../shell/usage-error.js";
import { workspaceFolderOf } from "../workspaces/folder.js";
import { noteUntrusted } from "../workspaces/offer-trust.js";
import { stepDifference } from "./step-difference.js";

/** Options of `replay`. */
export interface ReplayCommandOptions {
  config?: string;
  disablePlugin?: string[];
  plugin?: string[];
  save?: string;
  json?: boolean;
}

/**
 * Runs `openclaw replay`: replays a recorded run and reports where it diverges (TURN-057).
 * @param run - run ID, or a file with its recording
 * @param options - plugins, configuration and format
 * @param context - terminal and environment
 */
export async function replayCommand(
  run: string,
  { config, disablePlugin = [], plugin = [], save, json = false }: ReplayCommandOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal, environment } = context;
  const recording = run.endsWith(".json") ? readRecording(run) : await fetchRecording(run, context);
  if (save !== undefined) {
    writeFileSync(resolve(save), `${JSON.stringify(recording, undefined, 2)}\n`, { mode: 0o600 });
    terminal.print(json ? JSON.stringify({ saved: save }) : `Recording saved to ${save}.`);
    return EXIT.ok;
  }
  if (config !== undefined && !existsSync(resolve(config))) {
    throw new UsageError(`configuration file ${config} not found`);
  }
  const configuration =
    config === undefined
      ? await loadOperatorConfiguration(environment)
      : await loadConfiguration(resolve(config), { checks: EXTENSION_CHECKS, environment });
  const state = stateFolderAt(stateDirOf(environment));
  const trusted = new TrustedFolders(state.trustedFoldersFile);
  const workspaceDir = workspaceFolderOf(environment, configuration).dir;
  noteUntrusted(workspaceDir, context);
  const report = await replayRun(recording, {
    version: installation.version,
    configuration,
    state,
    workspaceDir,
    isTrusted: (folder) => trusted.includes(folder),
    bundledExtensions: bundledExtensions(),
    sdkModules: sdkModules(),
    pluginPaths: plugin.map((path) => resolve(path)),
    disabledPlugins: disablePlugin,
    environment,
  });
  if (json) terminal.print(JSON.stringify(report));
  else printReport(report, terminal);
  return report.status === "identical" ? EXIT.ok : EXIT.negative;
}

async function fetchRecording(runId: string, context: CommandContext): Promise<object> {
  return await withGatewayMethods(context, (call) => call("run.recording", { runId }), "reads");
}

function readRecording(file: string): unknown {
  try {
    return JSON.parse(readFileSync(resolve(file), "utf8"));
  } catch (error) {
    const reason = errorMessage(error);
    throw new UsageError(`cannot read the recording ${file}: ${reason}`);
  }
}

function printReport(report: ReplayReport, { print, colors }: Terminal): void {
  if (report.status === "identical") {
    print(`Identical: ${report.steps} steps.`);
    return;
  }
  const { step, expected, got } = report.divergence;
  print(`The replay diverges at step ${step}:`);
  print(colors.red(`  - ${expected?.kind ?? "the recorded run had ended"}`));
  print(colors.green(`  + ${got?.kind ?? "the replay has ended"}`));
  for (const line of stepDifference(expected?.content, got?.content)) {
    print(line.sign === "-" ? colors.red(`    ${line.text}`) : colors.green(`    ${line.text}`));
  }
}
