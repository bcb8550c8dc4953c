import { errorMessage } from "@openclaw/plugin-sdk/kit";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import type { PluginDatabase } from "@openclaw/plugin-sdk/store";
import { nearestName } from "./configuration/nearest-name.js";
import { GuardConfigInvalidError, GuardNotFoundError } from "./errors.js";
import type { GuardApi, GuardHost } from "./guard-host.js";
import { GUARD_NAMES, type GuardName, isGuardName } from "./guard-names.js";
import { GUARDS } from "./guards.js";
import { DATABASE } from "./migrations.js";
import { GuardNotices } from "./notices.js";
import { GuardCounters, storeCounts } from "./status/counters.js";
import { registerStatus } from "./status/register.js";
import type { GuardState } from "./status/status.js";
import { WriteBehind } from "./storage/write-behind.js";

/** Registers the enabled guards and what shows their state. */
export class GuardedPlugin {
  readonly #api: OpenClawPluginApi;
  readonly #counters: GuardCounters[] = [];
  readonly #notices = new GuardNotices();
  readonly #writeBehind = new WriteBehind();
  #database: Promise<PluginDatabase> | undefined;

  /** @param api - api of the plugin */
  constructor(api: OpenClawPluginApi) {
    this.#api = api;
  }

  /** Registers every guard that the configuration enables; one with an invalid configuration is left out. */
  async register(): Promise<void> {
    const { pluginConfig, lifecycle } = this.#api;
    const states: GuardState[] = [];
    for (const name of GUARD_NAMES) {
      const given = Object.hasOwn(pluginConfig, name) ? pluginConfig[name] : false;
      states.push(await this.#registerGuard(name, given));
    }
    const unknown = Object.keys(pluginConfig)
      .filter((key) => !isGuardName(key))
      .map((key) => new GuardNotFoundError(key, nearestName(key, GUARD_NAMES), GUARD_NAMES));
    for (const error of unknown) this.#report(error);
    lifecycle.onDispose(() => this.#writeBehind.flush());
    registerStatus(this.#api, {
      states,
      problems: unknown.map(({ message }) => message),
      database: () => this.#open(),
      flush: () => this.#writeBehind.flush(),
    });
  }

  async #registerGuard(name: GuardName, given: unknown): Promise<GuardState> {
    if (given === false || given === undefined || given === null) return { name, state: "off" };
    try {
      const guard = await GUARDS[name]();
      const install = guard.configure(given);
      const counters = new GuardCounters(name, () => this.#writeBehind.schedule(this.#store));
      const host: GuardHost = {
        api: this.#api satisfies GuardApi,
        counters,
        notices: this.#notices,
        writeBehind: this.#writeBehind,
        now: Date.now,
        database: () => this.#open(),
      };
      await install(host);
      this.#counters.push(counters);
      return { name, state: "on" };
    } catch (error) {
      if (!GuardConfigInvalidError.isInstance(error)) throw error;
      this.#report(error);
      return { name, state: "invalid", problem: error.message };
    }
  }

  /** Tells the operator of a guard that is not active by mistake, in the log and in the diagnostics. */
  #report({ message, code }: GuardConfigInvalidError | GuardNotFoundError): void {
    const hint = '"openclaw guards status" shows which guards are on';
    this.#api.logger.error(message, { code });
    this.#api.diagnose({ level: "error", message, hint });
  }

  #open(): Promise<PluginDatabase> {
    this.#database ??= this.#api.store.database(DATABASE).catch((error: unknown) => {
      // A database that cannot be opened now may be opened later.
      this.#database = undefined;
      throw error;
    });
    return this.#database;
  }

  /** Stores the counters; a failure is logged, and they are stored with the next event. */
  readonly #store = async (): Promise<void> => {
    try {
      await storeCounts(await this.#open(), this.#counters);
    } catch (error) {
      const message = errorMessage(error);
      this.#api.logger.warn(`the counters of the guards could not be stored: ${message}`);
    }
  };
}
