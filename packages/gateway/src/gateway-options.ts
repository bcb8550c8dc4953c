import type { LoadedConfiguration, PluginConfigChecks } from "@openclaw/configuration";
import type { ReplySurface } from "@openclaw/messaging";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import type { ServedConsole } from "@openclaw/server";
import type { DeliveryTarget } from "@openclaw/store";
import type { Doctor } from "./diagnostics/doctor.js";
import type { StartStep } from "./host/start-sequence.js";
import type { LogLevel } from "./state/log.js";

/** Options of `startGateway`. */
export interface GatewayOptions {
  readonly version: string;
  readonly stateDir: string;
  readonly configuration: LoadedConfiguration;
  /** Path of the configuration file, which may not exist. */
  readonly configurationFile: string;
  /** Checks of bundled plugins, for changed configurations. */
  readonly configurationChecks?: PluginConfigChecks | undefined;
  /** Checks of the settings of bundled plugins that only a change has to pass; a plugin is loaded without them. */
  readonly settingChecks?: PluginConfigChecks | undefined;
  /**
   * Errors of the configuration file, when `configuration` is the last good one instead; the gateway takes up
   * the file when it is valid again (GW-006).
   */
  readonly lastGoodInsteadOf?: string | undefined;
  /** Workspace of the agent. */
  readonly workspaceDir: string;
  /**
   * Returns the workspace for a changed configuration; absent when it stays.
   * @param configuration - configuration in force from now on
   */
  workspaceOf?(configuration: LoadedConfiguration): string;
  /**
   * Returns true for a folder whose instructions, skills and plugins may be used; every folder when absent.
   * @param folder - real path
   */
  isTrusted?(folder: string): boolean;
  /** Web console to serve at `/`; a page that explains the gateway when absent. */
  readonly console?: ServedConsole | undefined;
  /** Folders of the extensions that are bundled with the product. */
  readonly bundledExtensions: readonly string[];
  /**
   * Modules, in addition to the SDK, that plugins may import below `openclaw/plugin-sdk`: URL by specifier.
   */
  readonly sdkModules?: ReadonlyMap<string, string> | undefined;
  /** Folders or files of further plugins, `--plugin`. */
  readonly pluginPaths?: readonly string[] | undefined;
  /** Ends the start with an error when one of `pluginPaths` does not run; false when absent. */
  readonly requirePluginPaths?: boolean | undefined;
  /**
   * Plugins given as objects, without files, by the application that embeds the gateway; they count as
   * bundled.
   */
  readonly inlinePlugins?: readonly PluginDefinition[] | undefined;
  /** Model as `provider/model`, `--model`. */
  readonly model?: string | undefined;
  /** Tools that run without approval in this process, `--approve-tool`. */
  readonly approvedTools?: readonly string[] | undefined;
  /** Lowest level that is logged, `--log-level`; replaces `logging.level`. */
  readonly logLevel?: LogLevel | undefined;
  /**
   * Also receives each line of the log, `--log-stdout`.
   * @param text - line with its line break
   */
  readonly logOutput?: ((text: string) => void) | undefined;
  /** Path of a file that receives the events of model streams, `--raw-stream` (GW-051). */
  readonly rawStream?: string | undefined;
  /** Keeps all data in memory, `--no-db`. */
  readonly inMemory?: boolean | undefined;
  /** Serves only the calls of one command: resumes no turn, and starts no channel and no service (HOST-029). */
  readonly isForCommand?: boolean | undefined;
  /**
   * Is told that the configured model or its agent harness does not exist, for a command that may repair it; without it
   * the start fails.
   */
  readonly onModelMissing?: ((problem: string) => void) | undefined;
  /** Serves only a command that changes nothing: takes no lock, so that others may use the state folder at the same time. */
  readonly isReading?: boolean | undefined;
  /**
   * True for a process that serves only this host: the globals and signal handlers of the process are restored when a
   * plugin changes them, and the process ends when the host no longer answers.
   */
  readonly ownsProcess?: boolean | undefined;
  /** File with the program of workers; without it no job runs in a sandbox (JOB-038). */
  readonly workerProgram?: string | undefined;
  /** Port to listen on, 0 for any free one; undefined serves no HTTP. */
  readonly port?: number | undefined;
  /**
   * Returns the port that a changed configuration asks for; absent when the port stays, for example that of `--port`.
   * @param configuration - configuration in force from now on
   */
  portOf?(configuration: LoadedConfiguration["value"]): number;
  /** Address to listen on, as in `gateway.bind`, which it replaces. */
  readonly bind?: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
  /** Called when an owner sends `/quit`; the caller then stops the gateway. Without it the command is rejected. */
  readonly onQuit?: (() => void) | undefined;
  /**
   * Called when the tool `gateway` is to restart the gateway; the caller stops it with the reason `restart` and starts it
   * again. Without it the tool rejects the call.
   */
  readonly onRestart?: (() => void) | undefined;
  /** Checks and repairs of `openclaw doctor`; without them the methods of the doctor reject calls. */
  readonly doctor?: Doctor | undefined;
  /**
   * Called with each step of the start when it has ended, also with the one that failed (HOST-002).
   * @param step - name, duration and error
   */
  onStep?(step: StartStep): void;
  /**
   * Returns the surface that shows replies to messages of an earlier process; without it those replies are
   * only in the transcript.
   * @param target - destination of a reply
   * @param messageId - ID in the inbox of the message to reply to
   */
  findSurface?(target: DeliveryTarget, messageId?: string): ReplySurface | undefined;
}
