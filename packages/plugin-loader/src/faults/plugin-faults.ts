import { sep } from "node:path";
import type { Logger } from "@openclaw/plugin-sdk/plugin-entry";
import type { PluginPollutionError } from "../errors.js";
import { framePlace, stackLines } from "../loading/stack-location.js";
import { PluginScope, type ScopeOwner } from "./plugin-scope.js";
import { readThrown } from "./thrown-value.js";

/** Damage that a plugin did to the process. */
export interface PluginFault {
  readonly pluginId: string;
  /** File, line and column of the innermost frame of the plugin; undefined when no stack shows it. */
  readonly place: string | undefined;
  /** `pollution`: it changed a built-in object. The others were left unhandled. */
  readonly kind: "exception" | "rejection" | "pollution";
  readonly error: Error;
}

/** Part of a stack that is code of a plugin. */
export interface BlamedFrame {
  readonly pluginId: string;
  readonly place: string;
}

/** Receiver of faults. */
export interface PluginFaultsOptions {
  readonly logger: Logger;
  /** Called for a fault of a plugin; the process continues. */
  onFault(fault: PluginFault): void;
}

const HOST_ROOT = hostRoot();

/** The plugins whose code one host has run in this process, and the receiver of their faults. */
export class PluginFaults implements ScopeOwner {
  readonly #options: PluginFaultsOptions;
  /** Ids by folder. Code of a plugin can run after the plugin was disabled, so nothing is removed. */
  readonly #idsByRoot = new Map<string, string>();
  readonly #scopes = new Map<string, PluginScope>();

  /** @param options - log, and receiver of faults */
  constructor(options: PluginFaultsOptions) {
    this.#options = options;
  }

  /** Returns the scope in which code of a plugin is called. */
  scope(pluginId: string): PluginScope {
    const scope = this.#scopes.get(pluginId) ?? new PluginScope(pluginId, this);
    this.#scopes.set(pluginId, scope);
    return scope;
  }

  /**
   * Notes a folder before code of it runs.
   * @param rootDir - real path of the plugin's folder
   */
  noteRoot(rootDir: string, pluginId: string): void {
    if (!this.#idsByRoot.has(rootDir)) this.#idsByRoot.set(rootDir, pluginId);
  }

  /**
   * Finds the plugin of the innermost frame of a plugin in a stack.
   * @param stack - the stack of an error, without its message
   */
  blame(stack: string): BlamedFrame | undefined {
    // Plugins can be nested: a file belongs to the innermost folder that contains it.
    const roots = [...this.#idsByRoot].sort(([a], [b]) => b.length - a.length);
    for (const line of stackLines(stack)) {
      const frame = blamedFrame(line, roots);
      if (frame !== undefined) return frame;
    }
    return undefined;
  }

  /**
   * Reports a fault. It throws nothing: in a listener of uncaught exceptions that would end the process.
   * @param fault - damage by a plugin of this host
   */
  report(fault: PluginFault): void {
    const { pluginId, kind } = fault;
    try {
      this.#options.onFault(fault);
    } catch (problem) {
      const { message } = readThrown(problem).error;
      this.#log(`a fault of plugin "${pluginId}" (${kind}) could not be handled: ${message}`, {
        pluginId,
      });
    }
  }

  polluted(error: PluginPollutionError): void {
    this.report({ pluginId: error.pluginId, place: undefined, kind: "pollution", error });
  }

  pollutedByUnknown(changes: readonly string[], suspects: readonly string[]): void {
    const timers = `code that ran between the calls of plugins, such as a timer of ${list([...this.#scopes.keys()])}`;
    const by =
      suspects.length === 0
        ? timers
        : `a plugin whose call had not settled (${list(suspects)}), or by ${timers}`;
    this.#log(`built-in objects were changed by ${by}, and were restored: ${changes.join("; ")}`, {
      suspects: [...suspects],
    });
  }

  #log(line: string, fields: Readonly<Record<string, unknown>>): void {
    try {
      this.#options.logger.error(line, fields);
    } catch {
      process.stderr.write(`${line}\n`);
    }
  }
}

/**
 * The faults of a host that does not receive them.
 * @param logger - receives a line for each
 */
export function loggedFaults(logger: Logger): PluginFaults {
  return new PluginFaults({
    logger,
    onFault: ({ pluginId, error }) => logger.error(error.message, { pluginId }),
  });
}

/** Attributes one frame, unless it is code of the host, which the folder of a single-file plugin may contain. */
function blamedFrame(
  line: string,
  roots: readonly (readonly [rootDir: string, pluginId: string])[],
): BlamedFrame | undefined {
  for (const [rootDir, pluginId] of roots) {
    const place = framePlace(line, rootDir);
    if (place === undefined) continue;
    const isOfHost = HOST_ROOT.startsWith(rootDir + sep) && place.startsWith(HOST_ROOT + sep);
    return isOfHost ? undefined : { pluginId, place };
  }
  return undefined;
}

function list(ids: readonly string[]): string {
  return ids.map((id) => `"${id}"`).join(", ");
}

/** The outermost `node_modules` folder that the host is installed in, or the folder of this module. */
function hostRoot(): string {
  const folder = import.meta.dirname;
  const [installed] = /^.*?[/\\]node_modules(?=[/\\])/.exec(folder) ?? [];
  return installed ?? folder;
}
