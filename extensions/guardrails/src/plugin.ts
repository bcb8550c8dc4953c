import type { OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import type { PluginDatabase } from "@openclaw/plugin-sdk/store";
import { nearestName } from "./configuration/nearest-name.js";
import { GuardConfigInvalidError, GuardNotFoundError } from "./errors.js";
import type { GuardApi, GuardHost } from "./guard-host.js";
import { GUARD_NAMES, type GuardName } from "./guard-names.js";
import { GUARDS } from "./guards.js";
import { MIGRATIONS } from "./migrations.js";
import { GuardNotices } from "./notices.js";
import { GuardCounters, storeCounts } from "./status/counters.js";
import { registerStatus } from "./status/register.js";
import type { GuardState } from "./status/status.js";

/** Time between two writes of the counters, in milliseconds. */
const STORE_EVERY_MS = 1000;

/** Registers the enabled guards and what shows their state. */
export class GuardedPlugin {
  readonly #api: OpenClawPluginApi;
  readonly #counters: GuardCounters[] = [];
  readonly #notices = new GuardNotices();
  #database: Promise<PluginDatabase> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #storing: Promise<void> = Promise.resolve();

  /** @param api - api of the plugin */
  constructor(api: OpenClawPluginApi) {
    this.#api = api;
  }

  /** Registers every guard that the configuration enables; one with an invalid configuration is left out. */
  async register(): Promise<void> {
    const { pluginConfig, logger, lifecycle } = this.#api;
    const states: GuardState[] = [];
    for (const name of GUARD_NAMES) {
      const given = Object.hasOwn(pluginConfig, name) ? pluginConfig[name] : false;
      states.push(await this.#registerGuard(name, given));
    }
    const unknown = Object.keys(pluginConfig)
      .filter((key) => !isGuardName(key))
      .map((key) => new GuardNotFoundError(key, nearestName(key, GUARD_NAMES), GUARD_NAMES));
    for (const { message, code } of unknown) logger.error(message, { code });
    lifecycle.onDispose(async () => {
      clearTimeout(this.#timer);
      await this.#store();
    });
    registerStatus(this.#api, {
      states,
      problems: unknown.map(({ message }) => message),
      database: () => this.#open(),
      flush: () => this.#store(),
    });
  }

  async #registerGuard(name: GuardName, given: unknown): Promise<GuardState> {
    if (given === false || given === undefined || given === null) return { name, state: "off" };
    const { logger } = this.#api;
    try {
      const guard = await GUARDS[name]();
      const install = guard.configure(given);
      const counters = new GuardCounters(name, () => this.#storeLater());
      const host: GuardHost = {
        api: this.#api satisfies GuardApi,
        counters,
        notices: this.#notices,
        now: Date.now,
        database: () => this.#open(),
      };
      await install(host);
      this.#counters.push(counters);
      return { name, state: "on" };
    } catch (error) {
      if (!GuardConfigInvalidError.isInstance(error)) throw error;
      logger.error(error.message, { code: error.code });
      return { name, state: "invalid", problem: error.message };
    }
  }

  #open(): Promise<PluginDatabase> {
    this.#database ??= this.#api.store
      .database({ name: "guardrails", migrations: MIGRATIONS })
      .catch((error: unknown) => {
        // A database that cannot be opened now may be opened later.
        this.#database = undefined;
        throw error;
      });
    return this.#database;
  }

  #storeLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#store();
    }, STORE_EVERY_MS).unref();
  }

  /** Stores the counters; calls follow one another, and a failure is logged. */
  #store(): Promise<void> {
    this.#storing = this.#storing.then(async () => {
      try {
        const counters = this.#counters.filter(({ pending }) =>
          Object.values(pending).some((count) => count > 0),
        );
        if (counters.length > 0) await storeCounts(await this.#open(), counters);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        this.#api.logger.warn(`the counters of the guards could not be stored: ${message}`);
      }
    });
    return this.#storing;
  }
}

function isGuardName(key: string): key is GuardName {
  const names: readonly string[] = GUARD_NAMES;
  return names.includes(key);
}
