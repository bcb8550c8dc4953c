import type { PluginDatabase, PluginStore } from "@openclaw/plugin-sdk/store";

const WRITE = /^\s*(?:insert|update|delete)\b/i;

/**
 * Simulates one process: the points at which it can be killed are counted, and at one of them it is killed. From then on
 * none of its pending work completes, and nothing more of it has an effect.
 */
export class MortalProcess {
  readonly #killAt: number;
  readonly #never = new Promise<never>(() => undefined);
  #isDead = false;
  #die: () => void = () => undefined;
  /** Resolves when the process is killed. */
  readonly died = new Promise<void>((resolve) => {
    this.#die = resolve;
  });
  /** Number of points that were passed. */
  points = 0;

  /** @param killAt - number of the point at which it is killed, from 0 */
  constructor(killAt: number) {
    this.#killAt = killAt;
  }

  /** Passes a point: resolves unless the process is killed here or is already dead. */
  async point(): Promise<void> {
    if (this.points === this.#killAt) {
      this.#isDead = true;
      this.#die();
    }
    if (this.#isDead) await this.#never;
    this.points += 1;
  }

  /**
   * Does work that lasts, with a point before and after it.
   * @param work - the work, which happens at once
   */
  async write<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.point();
    const result = await work();
    await this.point();
    return result;
  }

  /**
   * Returns the store of a plugin in this process.
   * @param store - store that outlives the process
   */
  store(
    store: Pick<PluginStore, "kv" | "database" | "secrets">,
  ): Pick<PluginStore, "kv" | "database" | "secrets"> {
    const { kv, secrets } = store;
    return {
      kv: { ...bound(kv), set: (key, value) => this.write(() => kv.set(key, value)) },
      database: async (options) => this.#database(await store.database(options)),
      ...(secrets && {
        secrets: {
          ...bound(secrets),
          set: (name, value) => this.write(() => secrets.set(name, value)),
        },
      }),
    };
  }

  #database(database: PluginDatabase): PluginDatabase {
    return {
      ...bound(database),
      query: (sql, params) => {
        const query = () => database.query<never>(sql, params);
        return WRITE.test(sql) ? this.write(query) : query();
      },
      transaction: (work) => this.write(() => database.transaction(work)),
    };
  }
}

/** Returns an object whose methods are bound to the original, so that it can be spread. */
function bound<Target extends object>(target: Target): Target {
  return new Proxy(target, {
    ownKeys: () => allKeys(target),
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    get(_target, name) {
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function allKeys(target: object): string[] {
  const names = new Set<string>();
  for (let at = target; at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  }
  names.delete("constructor");
  return [...names];
}
