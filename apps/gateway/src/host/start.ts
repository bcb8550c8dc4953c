import { join, resolve } from "node:path";
import {
  DEFAULT_PORT,
  type LoadedConfiguration,
  numberFromEnvironment,
} from "@openclaw/configuration";
import { CONSOLE_FOLDER, CONSOLE_VIEWS } from "@openclaw/control-ui";
import { defined, errorMessage } from "@openclaw/foundation";
import {
  type Gateway,
  type GatewayOptions,
  StartSequence,
  type StartStep,
  startGateway,
  stateFolderAt,
  TrustedFolders,
} from "@openclaw/gateway";
import { EXTENSION_CHECKS, loadFileConfiguration, SETTING_CHECKS } from "../configuration.js";
import {
  bundledExtensions,
  configurationFileOf,
  installation,
  sdkModules,
  stateDirOf,
  workerProgram,
} from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { notePlatform } from "../shell/platform.js";
import type { Terminal } from "../shell/terminal.js";
import { UsageError } from "../shell/usage-error.js";
import { workspaceFolderOf } from "../workspaces/folder.js";
import { startConfiguration } from "./last-good.js";
import type { HostOptions } from "./options.js";

/**
 * Starts a host in this process.
 * @param options - command-line options
 * @param context - terminal and environment
 * @param port - HTTP port; undefined serves no HTTP
 * @param receivers - `onQuit` is called when an owner sends `/quit`, `logOutput` for each line of the log; `ownsProcess` is true when
 *   the process serves nothing else; `doctor` has the checks of `openclaw doctor`
 */
export async function startHost(
  options: HostOptions,
  context: CommandContext,
  port: number | undefined | "configured",
  {
    onQuit,
    onRestart,
    logOutput,
    ownsProcess,
    onModelMissing,
    doctor,
  }: Pick<
    GatewayOptions,
    "onQuit" | "onRestart" | "logOutput" | "ownsProcess" | "onModelMissing" | "doctor"
  > = {},
): Promise<Gateway> {
  const { terminal, environment } = context;
  notePlatform(terminal);
  const trusted = new TrustedFolders(stateFolderAt(stateDirOf(environment)).trustedFoldersFile);
  const configurationFile = configurationFileOf(environment);
  // Only the gateway is offered another configuration, and names the step that failed; other commands report the errors.
  const isGateway = port !== undefined;
  const onStep = ({ name, error }: Pick<StartStep, "name" | "error">) => {
    if (error !== undefined && isGateway) {
      const { cause } = error instanceof Error ? error : {};
      const reason = cause === undefined ? "" : `: ${errorMessage(cause)}`;
      terminal.note(`openclaw: the start failed at the step "${name}"${reason}`);
    }
  };
  const { step } = new StartSequence(onStep);
  const found = await step("configuration", async () =>
    isGateway
      ? await startConfiguration(options.lastGood === true, context)
      : { configuration: await loadFileConfiguration(environment) },
  );
  const { configuration } = found;
  const isClosed = configuration.value.gateway?.enabled === false;
  const asked = port === "configured" ? portOf(configuration.value, environment) : port;
  // Also with a port of the command line: a listener that the configuration forbids is never opened (CHAN-027).
  const chosen = isClosed ? undefined : asked;
  return startGateway({
    version: installation.version,
    stateDir: stateDirOf(environment),
    ...found,
    configurationChecks: EXTENSION_CHECKS,
    settingChecks: SETTING_CHECKS,
    configurationFile,
    workspaceDir: workspaceFolderOf(environment, configuration).dir,
    workspaceOf: (changed) => workspaceFolderOf(environment, changed).dir,
    isTrusted: (folder) => trusted.includes(folder),
    console: { folder: CONSOLE_FOLDER, views: CONSOLE_VIEWS },
    bundledExtensions: bundledExtensions(),
    sdkModules: sdkModules(),
    workerProgram: workerProgram(),
    pluginPaths: (options.plugin ?? []).map((path) => resolve(path)),
    requirePluginPaths: options.watch !== true,
    approvedTools: options.approveTool ?? [],
    environment,
    onStep,
    ...(terminal.isInteractive ? { findSurface: surfaceOf(terminal) } : {}),
    ...(port === "configured" ? { portOf: (value) => portOf(value, environment) } : {}),
    ...defined({
      port: chosen,
      bind: options.bind,
      isForCommand: options.isForCommand,
      isReading: options.isReading,
      onQuit,
      onRestart,
      ownsProcess,
      onModelMissing,
      doctor,
    }),
    inMemory: options.db === false,
    ...defined({
      model: options.model,
      logLevel: options.logLevel,
      logOutput,
      rawStream: rawStreamFile(options, stateDirOf(environment)),
    }),
  });
}

/**
 * Returns the path of the file of `--raw-stream`; undefined without the option.
 * @throws UsageError when only the path is given, or two different ones
 */
function rawStreamFile(
  { rawStream, rawStreamPath }: HostOptions,
  stateDir: string,
): string | undefined {
  if (rawStream === undefined) {
    if (rawStreamPath === undefined) return undefined;
    throw new UsageError("--raw-stream-path names the file of --raw-stream; add --raw-stream");
  }
  if (rawStream !== true) {
    if (rawStreamPath === undefined || resolve(rawStreamPath) === resolve(rawStream)) {
      return resolve(rawStream);
    }
    throw new UsageError("--raw-stream and --raw-stream-path name two files; give one path");
  }
  return rawStreamPath === undefined
    ? join(stateDir, "logs", "raw-stream.jsonl")
    : resolve(rawStreamPath);
}

/** Returns the port of a variable, else of the configuration (GW-001). */
export function portOf(
  { gateway }: LoadedConfiguration["value"],
  environment: NodeJS.ProcessEnv,
): number {
  return numberFromEnvironment("gateway.port", environment) ?? gateway?.port ?? DEFAULT_PORT;
}

/** Returns a surface that shows replies to messages from an earlier terminal session at this terminal. */
function surfaceOf({ print }: Pick<Terminal, "print">): NonNullable<GatewayOptions["findSurface"]> {
  return ({ channel }) => {
    if (channel !== "terminal") return undefined;
    return {
      async send({ text = "" }) {
        print("");
        // Without colors: the screen of the chat shows escape sequences instead of obeying them.
        print(`reply to an earlier message: ${text}`);
        return {};
      },
    };
  };
}
