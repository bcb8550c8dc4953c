import type { DiagnosticCode } from "@openclaw/plugin-discovery";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** Problem of a plugin that cannot be used. */
export interface PluginLoadProblem {
  readonly pluginId: string;
  /** The code of the diagnostic that reports it. */
  readonly problem: DiagnosticCode;
  /** Expected and actual value, without the plugin's name. */
  readonly message: string;
  /** Advice to fix it. */
  readonly hint: string;
  /** File concerned, with line and column where known. */
  readonly file?: string;
  readonly cause?: unknown;
}

/** A plugin could not be loaded; the other plugins continue (PLUG-009, PLUG-023). */
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

/** A module imports a part of the SDK that this host does not offer (PLUG-055). */
export class SdkSubpathError extends OpenClawError {
  static override readonly code = "PLUGIN_SDK_SUBPATH_UNKNOWN";
  static override readonly kind = "not-found";
  readonly specifier: string;
  readonly importer: string;

  /**
   * @param specifier - imported module, for example `openclaw/plugin-sdk/nope`
   * @param importer - the module that imports it
   * @param nearest - the offered specifier with the most similar spelling
   */
  constructor(specifier: string, importer: string, nearest: string) {
    super(
      `"${specifier}", imported by ${importer}, is not a part of the plugin SDK of this host; ` +
        `the nearest is "${nearest}"`,
    );
    this.specifier = specifier;
    this.importer = importer;
  }
}

/** Part of the SDK that a plugin imports and this host lacks. */
export interface MissingSdkPart {
  readonly pluginId: string;
  /** Imported entry point, for example `openclaw/plugin-sdk/agent-harness`. */
  readonly specifier: string;
  readonly name: string;
  /** The module that imports it, as the path below the plugin's folder. */
  readonly importer: string;
  /** The offered name with the most similar spelling. */
  readonly nearest: string | undefined;
}

/** A plugin used a part of the SDK that it imports and this host does not have (PLUG-140). */
export class SdkPartMissingError extends OpenClawError {
  static override readonly code = "PLUGIN_SDK_PART_MISSING";
  static override readonly kind = "unavailable";
  readonly pluginId: string;
  readonly specifier: string;
  readonly exportName: string;
  readonly importer: string;
  /** The most similar name of the same part; undefined when none is similar. */
  readonly nearest: string | undefined;

  /**
   * @param part - the part, and the module that imports it
   * @param path - expression that was used, for example `createLogger().child`
   */
  constructor(
    { pluginId, specifier, name, importer, nearest }: MissingSdkPart,
    path: string = name,
  ) {
    const used = path === name ? "" : `${path}, which needs `;
    const similar = nearest === undefined ? "" : `; the nearest name is "${nearest}"`;
    super(
      `plugin "${pluginId}" used ${used}"${name}" of "${specifier}", which this host does not have ` +
        `(imported by ${importer}${similar}); use a version of the plugin that fits this host, or update the host`,
    );
    this.pluginId = pluginId;
    this.specifier = specifier;
    this.exportName = name;
    this.importer = importer;
    this.nearest = nearest;
  }
}

/** A plugin called `process.exit` while it was loaded or registered; the host continued. */
export class PluginExitError extends OpenClawError {
  static override readonly code = "PLUGIN_EXIT_REFUSED";
  static override readonly kind = "forbidden";
  /** File, line and column of the call. */
  readonly place: string;

  /**
   * @param place - file, line and column of the call
   * @param call - the call, such as `process.exit(1)`
   */
  constructor(place: string, call: string) {
    super(`it called ${call} at ${place}, which would have ended the host`);
    this.place = place;
  }
}

/** A plugin changed an object that is part of the language, such as `Object.prototype`. */
export class PluginPollutionError extends OpenClawError {
  static override readonly code = "PLUGIN_BUILT_INS_CHANGED";
  static override readonly kind = "forbidden";
  readonly pluginId: string;
  readonly changes: readonly string[];

  /**
   * @param pluginId - the plugin
   * @param changes - for example `Object.prototype.polluted was added`
   */
  constructor(pluginId: string, changes: readonly string[]) {
    super(
      `plugin "${pluginId}" changed built-in objects, which all code of the process shares; they were restored: ${changes.join("; ")}`,
    );
    this.pluginId = pluginId;
    this.changes = changes;
  }
}
