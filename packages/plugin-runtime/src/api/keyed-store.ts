import type { KeyedStore, KeyedStoreEntry, KeyedStoreOptions } from "@openclaw/plugin-sdk/services";
import type { PluginKeyValueStore } from "@openclaw/plugin-sdk/store";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import type { PluginInstance } from "../instances/instance.js";
import { expectName, expectText, type NameRule, wrongArgument } from "../registration/check.js";

const MEMBER = "runtime.state.openKeyedStore";

const NAMESPACE: NameRule = {
  pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/,
  expected: "a letter or digit and up to 127 of A-Z a-z 0-9 . _ -",
};

/** Value as it is stored. */
interface StoredValue {
  readonly [field: string]: JsonValue;
  readonly value: JsonValue;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

/**
 * Opens a keyed store of a plugin in the plugin's key-value store. An expired value is removed when it is read.
 * @typeParam Value - type of the values
 * @param options - name and limits
 * @param kv - returns the plugin's key-value store
 * @throws PluginRegistrationError for a wrong option
 */
export function openKeyedStore<Value>(
  instance: PluginInstance,
  options: KeyedStoreOptions,
  kv: () => PluginKeyValueStore,
): KeyedStore<Value> {
  instance.assertAlive(MEMBER);
  const call = { origin: instance.origin, member: MEMBER };
  const namespace = expectName(call, "namespace", options?.namespace, NAMESPACE);
  const { maxEntries, defaultTtlMs } = options;
  expectPositive("maxEntries", maxEntries);
  expectPositive("defaultTtlMs", defaultTtlMs);
  const prefix = `keyed/${namespace}/`;

  function expectPositive(name: string, value: number | undefined): void {
    if (value === undefined || (Number.isInteger(value) && value > 0)) return;
    throw wrongArgument(call, name, `expected a whole number above 0, got ${value}`);
  }
  const placeOf = (key: string) => prefix + expectText(call, "key", key);
  const entryOf = (value: Value, ttlMs = defaultTtlMs): StoredValue => {
    const createdAt = Date.now();
    // The store checks that the value is JSON.
    const expiresAt = ttlMs === undefined ? null : createdAt + ttlMs;
    return { value: value as JsonValue, createdAt, expiresAt };
  };
  const live = async (place: string): Promise<StoredValue | undefined> => {
    const stored = (await kv().get(place)) as StoredValue | undefined;
    if (stored === undefined || !isExpired(stored)) return stored;
    await kv().compareAndSet(place, stored, undefined);
    return undefined;
  };
  const all = async () => {
    const found = await kv().list(prefix);
    return found
      .map(({ key, value }) => ({ key, stored: value as StoredValue }))
      .sort((one, other) => one.stored.createdAt - other.stored.createdAt);
  };
  const makeRoom = async () => {
    if (maxEntries === undefined) return;
    const found = await all();
    for (const { key } of found.slice(0, Math.max(0, found.length - maxEntries))) {
      await kv().delete(key);
    }
  };

  return {
    async register(key, value, { ttlMs } = {}) {
      await kv().set(placeOf(key), entryOf(value, ttlMs));
      await makeRoom();
    },
    async registerIfAbsent(key, value, { ttlMs } = {}) {
      const place = placeOf(key);
      if ((await live(place)) !== undefined) return false;
      const stored = await kv().compareAndSet(place, undefined, entryOf(value, ttlMs));
      if (stored) await makeRoom();
      return stored;
    },
    lookup: async (key) => (await live(placeOf(key)))?.value as Value | undefined,
    async consume(key) {
      const place = placeOf(key);
      const stored = await live(place);
      if (stored === undefined || !(await kv().compareAndSet(place, stored, undefined)))
        return undefined;
      return stored.value as Value;
    },
    async delete(key) {
      return kv().delete(placeOf(key));
    },
    async entries() {
      const found = await all();
      return found.flatMap(({ key, stored }): KeyedStoreEntry<Value>[] => {
        if (isExpired(stored)) return [];
        const { value, createdAt, expiresAt } = stored;
        const entry = { key: key.slice(prefix.length), value: value as Value, createdAt };
        return [expiresAt === null ? entry : { ...entry, expiresAt }];
      });
    },
    async clear() {
      for (const { key } of await all()) await kv().delete(key);
    },
  };
}

function isExpired({ expiresAt }: StoredValue): boolean {
  return expiresAt !== null && expiresAt <= Date.now();
}
