import {
  ConfigurationError,
  type ConfigurationProblem,
  formatProblem,
  type LoadedConfiguration,
  type OpenClawConfiguration,
} from "@openclaw/configuration";
import { defined, errorMessage, Mutex, OpenClawError } from "@openclaw/foundation";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type { EventPublisher } from "@openclaw/protocol";
import { PolicyConfigError } from "@openclaw/tool-policy";
import type { ListenerChange } from "../clients/live-listener.js";
import { hookFileProblems } from "../diagnostics/hook-file-problems.js";
import { changedPaths, withKeysOf } from "./difference.js";
import type { LiveConfiguration } from "./live-configuration.js";
import { type ChangeEffect, effectOf } from "./plugin-rules.js";

/** Result of reading the configuration again. */
export interface ConfigurationReload {
  /** `invalid`: the files have errors, or cannot be applied; the last good configuration stays in force. */
  readonly outcome: "unchanged" | "applied" | "invalid";
  /** Keys that were applied, dotted. */
  readonly applied: readonly string[];
  /** Plugins that were reloaded; `*` for all of them. */
  readonly plugins: readonly string[];
  /** Keys whose values wait for a restart, dotted. */
  readonly pending: readonly string[];
  /** URL of the listener, when it was opened again. */
  readonly listener?: string | undefined;
  /** Parts of the reloaded plugins that do not work with the new configuration. */
  readonly failures: readonly PluginFailure[];
  /** Description of the errors of an invalid configuration. */
  readonly problem?: string | undefined;
}

/** Part of a plugin, or a whole plugin, that does not work with its new configuration. */
export interface PluginFailure {
  readonly plugin: string;
  readonly message: string;
  /** Next step of the operator. */
  readonly hint?: string | undefined;
}

/** Results that are kept for commands that ask for the outcome of their change. */
const KEPT_RESULTS = 20;

/** Dependencies of {@link ConfigurationReloader}. */
export interface ReloaderDependencies {
  readonly live: LiveConfiguration;
  /**
   * Reads and checks the files.
   * @throws ConfigurationError when they are not valid
   */
  load(): Promise<LoadedConfiguration>;
  /**
   * Makes the services of turns from the live configuration.
   * @throws ConfigurationError, PolicyConfigError when it cannot be used
   */
  compile(): void;
  /**
   * Chooses the model that the live configuration asks for.
   * @throws ConfigurationError when it does not exist; the earlier one stays in force
   */
  followModel(): void;
  readonly plugins: Pick<PluginRuntime, "reload" | "current" | "callPlugin">;
  /**
   * Returns the configuration for plugins, with stored secrets.
   * @param configuration - configuration that will be in force
   * @throws ConfigurationError when a secret is missing
   */
  forPlugins(configuration: LoadedConfiguration): Promise<OpenClawConfiguration>;
  /**
   * Starts, restarts and stops channels after a change of their configuration.
   * @param configuration - configuration with stored secrets
   */
  configureChannels(configuration: OpenClawConfiguration): Promise<void>;
  /**
   * Opens the listener again when its settings have changed; absent without one.
   * @param resolved - configuration with stored secrets
   * @param next - configuration that will be in force
   * @throws OpenClawError when it cannot listen so; the earlier listener then serves as before
   */
  configureListener?(
    resolved: OpenClawConfiguration,
    next: LoadedConfiguration,
  ): Promise<ListenerChange | undefined>;
  /** Called when a configuration is in force. */
  onApplied(configuration: LoadedConfiguration): void | Promise<void>;
  readonly events: EventPublisher;
  readonly logger: Logger;
}

/** Applies changes of the configuration to a running gateway (GW-006, HOST-013). */
export class ConfigurationReloader {
  readonly #dependencies: ReloaderDependencies;
  readonly #mutex = new Mutex();
  #pending: readonly string[] = [];
  #problem: string | undefined;
  /** By hash of the configuration, oldest first. */
  readonly #results = new Map<string, ConfigurationReload>();

  /** @param dependencies - live configuration, loader, plugins, events and log */
  constructor(dependencies: ReloaderDependencies) {
    this.#dependencies = dependencies;
  }

  /** Keys whose values wait for a restart, dotted. */
  get pending(): readonly string[] {
    return this.#pending;
  }

  /** Description of the errors of the files; undefined while they are valid. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /**
   * States that the gateway started with another configuration than that of the files.
   * @param problem - description of the errors of the files
   */
  startedWithout(problem: string): void {
    this.#problem = problem;
  }

  /** Reads the files, and applies the differences; reloads run one after another. */
  reload(): Promise<ConfigurationReload> {
    return this.#mutex.run(async () => {
      try {
        return await this.#reload();
      } catch (error) {
        if (!ConfigurationError.isInstance(error) && !PolicyConfigError.isInstance(error)) {
          throw error;
        }
        return this.#reject(error);
      }
    });
  }

  /**
   * Reads the files, and returns the outcome of one version of them, also when a watch of the files applied it
   * earlier.
   * @param hash - hash of the configuration that was written
   */
  async outcomeOf(hash: string): Promise<ConfigurationReload> {
    const result = await this.reload();
    return this.#results.get(hash) ?? result;
  }

  async #reload(): Promise<ConfigurationReload> {
    const { live, logger, events } = this.#dependencies;
    const loaded = await this.#dependencies.load();
    const changes = changedPaths(live.value, loaded.value);
    const { reloadRules } = this.#dependencies.plugins.current;
    const effects = changes.map((path) => ({ path, ...effectOf(path, reloadRules) }));
    const kept = effects.filter(({ restart }) => restart).map(({ path }) => path);
    const hot = effects.filter(({ restart }) => !restart);
    const applicable = hot.map(({ path }) => path);
    const next = { ...loaded, value: withKeysOf(loaded.value, kept, live.value) };
    const wasInvalid = this.#problem !== undefined;
    const { plugins, failures, listener } = await this.#apply(next, pluginsOf(hot));
    const before = this.#pending.join();
    this.#problem = undefined;
    this.#pending = kept.map(dotted);
    await this.#dependencies.onApplied(loaded);
    const applied = applicable.map(dotted);
    const isSame = applied.length === 0 && this.#pending.join() === before && !wasInvalid;
    const outcome = isSame ? "unchanged" : "applied";
    const result = {
      ...({ outcome, applied, plugins, pending: this.#pending, failures } as const),
      ...defined({ listener }),
    };
    if (isSame) return result;
    this.#keep(loaded.document?.hash, result);
    for (const warning of loaded.warnings) logger.warn(formatProblem(warning));
    logger.info("configuration reloaded", {
      ...{ applied, plugins, pending: this.#pending },
      ...defined({ listener }),
    });
    for (const { plugin, message } of failures) {
      logger.error(
        `plugin "${plugin}" does not fully work with the new configuration: ${message}`,
        {
          code: "CONFIG_PLUGIN_FAILED",
          pluginId: plugin,
        },
      );
    }
    if (this.#pending.length > 0) {
      logger.warn(`restart the gateway to apply ${this.#pending.join(", ")}`, {
        code: "CONFIG_RESTART_PENDING",
      });
    }
    events.publish("config.changed", { applied, plugins, pending: [...this.#pending] });
    return result;
  }

  /** Puts the configuration in force; when it cannot be used, the earlier one stays. */
  async #apply(
    next: LoadedConfiguration,
    ids: readonly string[],
  ): Promise<Pick<ConfigurationReload, "plugins" | "failures" | "listener">> {
    const { live, compile, forPlugins, followModel, configureChannels } = this.#dependencies;
    const before = live.resolved;
    const forPluginsNext = await forPlugins(next);
    const putBack = live.replace(next, forPluginsNext);
    let listener: ListenerChange | undefined;
    try {
      compile();
      // A model of a plugin that is enabled at once with it exists when the plugin is loaded.
      if (ids.length === 0) followModel();
      listener = await this.#configureListener(forPluginsNext, next);
    } catch (error) {
      putBack();
      compile();
      followModel();
      throw error;
    }
    try {
      for (const id of ids) await this.#reloadPlugin(id, forPluginsNext);
      try {
        followModel();
      } catch (error) {
        putBack();
        compile();
        for (const id of ids) await this.#reloadPlugin(id, before);
        throw error;
      }
      await configureChannels(forPluginsNext);
    } finally {
      // Last, so that the caller of a change receives its outcome over the earlier listener.
      listener?.retire();
    }
    const failures = ids.length === 0 ? [] : await this.#failuresOf(ids);
    return { plugins: ids, failures, ...defined({ listener: listener?.url }) };
  }

  async #configureListener(
    resolved: OpenClawConfiguration,
    next: LoadedConfiguration,
  ): Promise<ListenerChange | undefined> {
    try {
      return await this.#dependencies.configureListener?.(resolved, next);
    } catch (error) {
      if (!OpenClawError.isInstance(error)) throw error;
      throw new ConfigurationError(
        [listenerProblem(error, next)],
        "The earlier listener serves as before.",
      );
    }
  }

  /** Names whole plugins that kept their earlier version, and parts of the others that are off. */
  async #failuresOf(ids: readonly string[]): Promise<readonly PluginFailure[]> {
    const { plugins } = this.#dependencies;
    const found = [...plugins.current.diagnostics, ...(await hookFileProblems(plugins))];
    return found.flatMap(({ level, pluginId: plugin, message, hint }) => {
      if (level !== "error" || plugin === undefined) return [];
      return ids.includes("*") || ids.includes(plugin) ? [{ plugin, message, hint }] : [];
    });
  }

  #keep(hash: string | undefined, result: ConfigurationReload): void {
    if (hash === undefined) return;
    this.#results.delete(hash);
    this.#results.set(hash, result);
    const [oldest] = this.#results.keys();
    if (this.#results.size > KEPT_RESULTS && oldest !== undefined) this.#results.delete(oldest);
  }

  async #reloadPlugin(id: string, config: OpenClawConfiguration): Promise<void> {
    const { plugins, logger } = this.#dependencies;
    try {
      const { outcome } = await plugins.reload(id === "*" ? undefined : id, { config });
      if (outcome === "loaded" || outcome === "unloaded") return;
      logger.error(`plugin "${id}" did not load with its new configuration (${outcome})`);
    } catch (error) {
      // The entry of a plugin that is not installed has no effect.
      logger.warn(`plugin "${id}" was not reloaded (${errorMessage(error)})`);
    }
  }

  #reject(error: Error): ConfigurationReload {
    const { logger, events } = this.#dependencies;
    const { message: problem } = error;
    if (problem !== this.#problem) {
      logger.error(`the last good configuration stays in force: ${problem}`, {
        code: "CONFIG_INVALID",
      });
      events.publish("config.error", { message: problem });
    }
    this.#problem = problem;
    const kept = { applied: [], plugins: [], failures: [], pending: this.#pending };
    return { outcome: "invalid", ...kept, problem };
  }
}

/** Names the key that most likely caused the failure: the address when the port was not the reason. */
function listenerProblem(
  { code, message }: OpenClawError,
  { locate, file = "" }: LoadedConfiguration,
): ConfigurationProblem {
  const path = ["gateway", code === "LISTEN_ADDRESS_UNUSABLE" ? "bind" : "port"];
  const place = locate(path) ?? locate(["gateway"]) ?? { file, line: 1, column: 1 };
  return { key: path.join("."), message, ...place };
}

/** Returns the plugins to reload; a change outside of single entries can affect all of them. */
function pluginsOf(effects: readonly ChangeEffect[]): readonly string[] {
  const ids = new Set(effects.flatMap(({ plugins }) => plugins));
  return ids.has("*") ? ["*"] : [...ids];
}

function dotted(path: readonly string[]): string {
  return path.join(".");
}
