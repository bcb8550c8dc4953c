import { withSuggestion } from "@openclaw/foundation";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import type { DiagnosticCode } from "./discovery/diagnostic.js";

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
  static override readonly kind = "internal";
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
  static override readonly kind = "invalid";
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
  static override readonly kind = "not-found";
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
  static override readonly kind = "not-found";
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

/** A module takes a name from the SDK that this host's SDK does not have (PLUG-055). */
export class SdkExportError extends OpenClawError {
  static override readonly code = "PLUGIN_SDK_EXPORT_UNKNOWN";
  static override readonly kind = "not-found";
  readonly specifier: string;
  readonly exportName: string;
  readonly importer: string;
  /** The offered name that is spelled most like it; undefined when none is near. */
  readonly nearest: string | undefined;

  /**
   * @param specifier - what is imported from, for example `openclaw/plugin-sdk/core`
   * @param exportName - the name that is not there
   * @param importer - the module that imports it
   * @param nearest - the offered name that is spelled most like it
   */
  constructor(
    specifier: string,
    exportName: string,
    importer: string,
    nearest: string | undefined,
  ) {
    super(
      withSuggestion(
        `"${exportName}" is not exported by "${specifier}", imported by ${importer}`,
        nearest,
      ),
    );
    this.specifier = specifier;
    this.exportName = exportName;
    this.importer = importer;
    this.nearest = nearest;
  }
}

/** A plugin was named that this host has not found. */
export class PluginNotFoundError extends OpenClawError {
  static override readonly code = "PLUGIN_NOT_FOUND";
  static override readonly kind = "not-found";
  readonly pluginId: string;

  /**
   * @param pluginId - as it was named
   * @param nearest - the id that is spelled most like it, if any is
   */
  constructor(pluginId: string, nearest: string | undefined) {
    super(
      withSuggestion(
        `there is no plugin "${pluginId}" where this host looks for plugins`,
        nearest,
        'see "openclaw plugins list" for those there are',
      ),
    );
    this.pluginId = pluginId;
  }
}

/** A plugin called `process.exit` while it was loaded or registered; the host went on. */
export class PluginExitError extends OpenClawError {
  static override readonly code = "PLUGIN_EXIT_REFUSED";
  static override readonly kind = "forbidden";
  /** File, line and column of the call. */
  readonly place: string;

  /**
   * @param place - file, line and column of the call
   * @param exitCode - that the process would have ended with
   */
  constructor(place: string, exitCode: number | string) {
    super(`it called process.exit(${exitCode}) at ${place}, which would have ended the host`);
    this.place = place;
  }
}

/** The runtime was used after `dispose()`. */
export class PluginRuntimeDisposedError extends OpenClawError {
  static override readonly code = "PLUGIN_RUNTIME_DISPOSED";
  static override readonly kind = "internal";

  constructor(member: string) {
    super(`runtime.${member} was called after dispose(); create a new plugin runtime instead`);
  }
}
