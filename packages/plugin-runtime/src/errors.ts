import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import type { DiagnosticCode } from "./diagnostic.js";

/** What is said of a plugin that cannot be used. */
export interface PluginLoadProblem {
  readonly pluginId: string;
  /** The code of the diagnostic that reports it. */
  readonly problem: DiagnosticCode;
  /** What was expected and found, without the plugin's name. */
  readonly message: string;
  /** The next step. */
  readonly hint: string;
  /** File it is about, with line and column where they are known. */
  readonly file?: string;
  readonly cause?: unknown;
}

/** A plugin could not be loaded; the other plugins go on (PLUG-009, PLUG-023). */
export class PluginLoadError extends OpenClawError {
  static override readonly code = "PLUGIN_LOAD_FAILED";
  readonly pluginId: string;
  readonly problem: DiagnosticCode;
  readonly hint: string;
  readonly file: string | undefined;

  constructor({ pluginId, problem, message, hint, file, cause }: PluginLoadProblem) {
    super(`plugin "${pluginId}" was not loaded: ${message}`, { cause });
    this.pluginId = pluginId;
    this.problem = problem;
    this.hint = hint;
    this.file = file;
  }
}

/** A plugin called a method of its `api` with an argument that cannot be registered. */
export class PluginRegistrationError extends OpenClawError {
  static override readonly code = "PLUGIN_REGISTRATION_INVALID";
  readonly pluginId: string;
  readonly member: string;
  readonly argument: string;

  /**
   * @param pluginId - the plugin that called
   * @param member - the method, for example `registerTool`
   * @param argument - the argument or field that is wrong
   * @param problem - what was expected and found
   */
  constructor(pluginId: string, member: string, argument: string, problem: string) {
    super(`plugin "${pluginId}" called api.${member} with a wrong ${argument}: ${problem}`);
    this.pluginId = pluginId;
    this.member = member;
    this.argument = argument;
  }
}

/** A plugin asked for a hook that this host does not have, under `plugins.strict` (LIFE-024). */
export class UnknownPluginHookError extends OpenClawError {
  static override readonly code = "PLUGIN_HOOK_UNKNOWN";
  readonly pluginId: string;
  readonly hookName: string;

  constructor(pluginId: string, hookName: string, message: string) {
    super(message);
    this.pluginId = pluginId;
    this.hookName = hookName;
  }
}

/** A module imports a part of the SDK that this host does not offer (PLUG-055). */
export class SdkSubpathError extends OpenClawError {
  static override readonly code = "PLUGIN_SDK_SUBPATH_UNKNOWN";
  readonly specifier: string;
  readonly importer: string;

  /**
   * @param specifier - what is imported, for example `openclaw/plugin-sdk/nope`
   * @param importer - the module that imports it
   * @param nearest - the offered specifier that is spelled most like it
   */
  constructor(specifier: string, importer: string, nearest: string) {
    super(
      `"${specifier}", imported by ${importer}, is no part of the plugin SDK of this host; ` +
        `the nearest is "${nearest}"`,
    );
    this.specifier = specifier;
    this.importer = importer;
  }
}

/** The runtime was used after `dispose()`. */
export class PluginRuntimeDisposedError extends OpenClawError {
  static override readonly code = "PLUGIN_RUNTIME_DISPOSED";

  constructor(member: string) {
    super(`runtime.${member} was called after dispose(); create a new plugin runtime instead`);
  }
}
