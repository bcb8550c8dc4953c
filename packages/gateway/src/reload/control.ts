import {
  type ConfigurationChange,
  type ConfigurationPreview,
  type ConfigurationProblem,
  ConfigurationRejectedError,
  changeConfiguration,
  checkChanges,
  type LoadedConfiguration,
  type OpenClawConfiguration,
  previewChanges,
  previewText,
  writeConfiguration,
} from "@openclaw/configuration";
import { defined, errorMessage } from "@openclaw/foundation";
import { type StoredChanges, storeLiteralSecrets } from "../secrets/literal-secrets.js";
import { changeSettings } from "../settings/change.js";
import { applyChangedSecrets } from "./changed-secrets.js";
import type { ControlDependencies } from "./control-dependencies.js";
import { FileWatch } from "./file-watch.js";
import { keepLastGood } from "./last-good.js";
import { type ConfigurationReload, ConfigurationReloader } from "./reload.js";
import { loadRunning } from "./running-files.js";

/** Outcome of a change, with the names of the secrets that it stored, and with warnings about what it names. */
export type ChangeOutcome = ConfigurationReload &
  Pick<StoredChanges, "secrets"> & { readonly warnings: readonly ConfigurationProblem[] };

/** Configuration of a running gateway: it follows the files, and changes them. */
export class ConfigurationControl {
  readonly #dependencies: ControlDependencies;
  readonly #reloader: ConfigurationReloader;
  readonly #watch: FileWatch;

  /** @param dependencies - files, live configuration, host, state folder and log levels */
  constructor(dependencies: ControlDependencies) {
    this.#dependencies = dependencies;
    const { live, host, events, logger, timers, forPlugins } = dependencies;
    this.#reloader = new ConfigurationReloader({
      live,
      load: () => loadRunning(this.#dependencies),
      compile() {
        dependencies.workspace.follow();
        // Reading the services makes them, when the configuration is new.
        void host.services;
      },
      followModel: () => host.followModel(),
      plugins: host.plugins,
      forPlugins,
      configureChannels: (configuration) => host.channels.configure(configuration),
      ...defined({ configureListener: dependencies.configureListener }),
      onApplied: (configuration) => this.#onApplied(configuration),
      events,
      logger,
    });
    this.#watch = new FileWatch({ timers, logger, onChange: () => void this.#reloadAside() });
  }

  /** Problem with the files, or keys that wait for a restart; undefined without one. */
  get notice(): string | undefined {
    const { problem, pending } = this.#reloader;
    if (problem !== undefined) return `the last good configuration is in force: ${problem}`;
    return pending.length === 0 ? undefined : `a restart applies ${pending.join(", ")}`;
  }

  /**
   * Starts following the files, and keeps a copy of the configuration that works.
   * @param problem - errors of the files, when the gateway started with the last good configuration
   */
  async start(problem?: string): Promise<void> {
    const { live, file } = this.#dependencies;
    if (problem !== undefined) this.#reloader.startedWithout(problem);
    else await this.#keep(live);
    this.#watch.follow([file, ...(live.document?.sources ?? []).map((source) => source.file)]);
  }

  /** Reads the files now instead of 300 ms after their change, and applies the differences. */
  reload(): Promise<ConfigurationReload> {
    return this.#reloader.reload();
  }

  /**
   * Reads the files now, and returns the outcome of one version of them.
   * @param hash - hash of the configuration that was written
   */
  outcomeOf(hash: string): Promise<ConfigurationReload> {
    return this.#reloader.outcomeOf(hash);
  }

  /**
   * Changes the files, and applies the differences at once. Literal secrets are stored encrypted.
   * @param written - changes in the order in which they are made
   * @param baseHash - hash of the configuration that they are based on
   * @throws ConfigurationError, ConfigurationConflictError, ConfigurationBusyError when nothing was written
   * @throws ConfigurationRejectedError when the gateway cannot use the change, and the files are as before
   */
  async change(written: readonly ConfigurationChange[], baseHash: string): Promise<ChangeOutcome> {
    const { file, options } = this.#dependencies;
    const { changes, secrets } = await this.#withoutSecrets(written, baseHash);
    let outcome: ConfigurationReload | undefined;
    const apply = async () => {
      outcome = await this.#applyChange();
    };
    const { entryWarnings: warnings } = await changeConfiguration(file, changes, {
      ...options,
      baseHash,
      apply,
    });
    return { ...(outcome ?? (await this.reload())), secrets, warnings };
  }

  /**
   * Returns what a change would write, and writes nothing.
   * @param change - changes, or another text of the main file
   * @param baseHash - hash of the configuration that it is based on
   * @throws ConfigurationError, ConfigurationConflictError
   */
  preview(
    change: { readonly changes: readonly ConfigurationChange[] } | { readonly text: string },
    baseHash: string,
  ): Promise<ConfigurationPreview> {
    const { file, options } = this.#dependencies;
    const all = { ...options, baseHash };
    return "text" in change
      ? previewText(file, change.text, all)
      : previewChanges(file, change.changes, all);
  }

  /**
   * Replaces the text of the main file, and applies the differences at once.
   * @param text - new content
   * @param baseHash - hash of the configuration that it is based on
   * @throws ConfigurationError, ConfigurationConflictError, ConfigurationBusyError when nothing was written
   * @throws ConfigurationRejectedError when the gateway cannot use the change, and the files are as before
   */
  async write(text: string, baseHash: string): Promise<Omit<ChangeOutcome, "secrets">> {
    const { file, options } = this.#dependencies;
    let outcome: ConfigurationReload | undefined;
    const apply = async () => {
      outcome = await this.#applyChange();
    };
    const { entryWarnings: warnings } = await writeConfiguration(file, text, {
      ...options,
      baseHash,
      apply,
    });
    return { ...(outcome ?? (await this.reload())), warnings };
  }

  /**
   * Returns the present configuration of the files, with the settings of the database.
   * @throws ConfigurationError when it is not valid
   */
  read(): Promise<LoadedConfiguration> {
    return loadRunning(this.#dependencies);
  }

  /** Stores literal secrets of changes that are valid, and lets the parts of the host that use them have them. */
  #withoutSecrets(
    changes: readonly ConfigurationChange[],
    baseHash?: string,
  ): Promise<StoredChanges> {
    const { file, options, vault } = this.#dependencies;
    return storeLiteralSecrets(changes, {
      check: () => checkChanges(file, changes, { ...options, baseHash }),
      store: async (secrets) => {
        for (const [name, value] of secrets) await vault.set(name, value);
        await this.secretsChanged([...secrets.keys()]);
      },
    });
  }

  /**
   * Applies a change that was just written.
   * @throws ConfigurationRejectedError when the change is what the gateway cannot use
   */
  async #applyChange(): Promise<ConfigurationReload> {
    const { problem: before } = this.#reloader;
    const outcome = await this.reload();
    // A change of something else must not be taken back for a problem that was there before.
    if (outcome.problem === undefined || before !== undefined) return outcome;
    throw new ConfigurationRejectedError(outcome.problem);
  }

  /**
   * Changes settings of the database, and applies the differences at once. Literal secrets are stored encrypted.
   * @param written - changes in the order in which they are made
   * @param source - command that makes them
   * @throws ConfigurationError when nothing was written
   * @throws ConfigurationRejectedError when the gateway cannot use the change, and the settings are as before
   */
  async changeSettings(
    written: readonly ConfigurationChange[],
    source: string,
  ): Promise<ChangeOutcome> {
    const { changes, secrets } = await this.#withoutSecrets(written);
    const { warnings, putBack } = await changeSettings(changes, source, this.#dependencies);
    try {
      return { ...(await this.#applyChange()), secrets, warnings };
    } catch (error) {
      await putBack();
      await this.reload();
      throw error;
    }
  }

  /** Keys whose values wait for a restart, dotted. */
  get pending(): readonly string[] {
    return this.#reloader.pending;
  }

  /**
   * Reads the files for a reload of plugins that a method asked for, and puts their section `plugins` in force.
   * @returns the configuration for plugins
   * @throws ConfigurationError when the files are not valid
   */
  async readPlugins(): Promise<OpenClawConfiguration> {
    return this.#adoptPlugins(await loadRunning(this.#dependencies));
  }

  /**
   * Changes the section `plugins` of the configuration, and puts it in force except for the plugins, which the
   * caller reloads.
   * @param changes - changes in the order in which they are made
   * @returns the configuration for plugins
   * @throws ConfigurationError when the configuration with the changes would not be valid
   */
  async changePlugins(changes: readonly ConfigurationChange[]): Promise<OpenClawConfiguration> {
    const { file, options } = this.#dependencies;
    return this.#adoptPlugins(await changeConfiguration(file, changes, options));
  }

  async #adoptPlugins(changed: LoadedConfiguration): Promise<OpenClawConfiguration> {
    const { live, forPlugins } = this.#dependencies;
    const value = { ...live.value, ...defined({ plugins: changed.value.plugins }) };
    if (changed.value.plugins === undefined) delete value.plugins;
    const next = { ...changed, value };
    const config = await forPlugins(next);
    live.replace(next, config);
    return config;
  }

  /**
   * Puts new values of secrets in force where the configuration refers to them.
   * @param names - names of the secrets that were changed
   */
  secretsChanged(names: readonly string[]): Promise<void> {
    return applyChangedSecrets(names, this.#dependencies);
  }

  /** Stops following the files. */
  close(): void {
    this.#watch.close();
  }

  async #reloadAside(): Promise<void> {
    const { logger } = this.#dependencies;
    try {
      await this.#reloader.reload();
    } catch (error) {
      logger.error(`the configuration was not reloaded (${errorMessage(error)})`, { error });
    }
  }

  async #onApplied(configuration: LoadedConfiguration): Promise<void> {
    const { file, host } = this.#dependencies;
    this.#dependencies.setLogLevels(configuration.value);
    host.configured();
    this.#watch.follow([file, ...(configuration.document?.sources ?? []).map((each) => each.file)]);
    await this.#keep(configuration);
  }

  async #keep(configuration: LoadedConfiguration): Promise<void> {
    const { state, logger } = this.#dependencies;
    try {
      await keepLastGood(state, configuration, Date.now());
    } catch (error) {
      logger.warn(`the last good configuration was not kept (${errorMessage(error)})`);
    }
  }
}
