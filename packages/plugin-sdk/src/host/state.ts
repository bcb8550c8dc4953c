/** Options of `runtime.state.openKeyedStore`. */
export interface KeyedStoreOptions {
  /** Name of the store among those of the plugin. */
  readonly namespace: string;
  /** Number of values from which the oldest are removed; unlimited when absent. */
  readonly maxEntries?: number;
  /** Time in milliseconds after which a value expires; never when absent. */
  readonly defaultTtlMs?: number;
}

/** Value in a keyed store. */
export interface KeyedStoreEntry<Value> {
  readonly key: string;
  readonly value: Value;
  /** Time in milliseconds since the epoch. */
  readonly createdAt: number;
  readonly expiresAt?: number;
}

/** Lasting values of a plugin by key, with an expiry. The values are JSON of at most 256 KiB. */
export interface KeyedStore<Value> {
  register(key: string, value: Value, options?: { readonly ttlMs?: number }): Promise<void>;
  /** Returns false, and stores nothing, when the key has a value. */
  registerIfAbsent(
    key: string,
    value: Value,
    options?: { readonly ttlMs?: number },
  ): Promise<boolean>;
  lookup(key: string): Promise<Value | undefined>;
  /** Returns a value and removes it. */
  consume(key: string): Promise<Value | undefined>;
  delete(key: string): Promise<boolean>;
  /** Returns the values in the order in which they were stored. */
  entries(): Promise<readonly KeyedStoreEntry<Value>[]>;
  clear(): Promise<void>;
}

/** Lasting state of plugins. */
export interface RuntimeState {
  /** Returns the state folder of the host. */
  resolveStateDir?(): string;
  /**
   * Opens a store of lasting values.
   * @typeParam Value - type of the values, not checked by the host
   * @param options - name and limits
   */
  openKeyedStore?<Value>(options: KeyedStoreOptions): KeyedStore<Value>;
}
