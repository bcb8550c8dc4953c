import { randomUUID } from "node:crypto";
import type { PluginKeyValueStore } from "@openclaw/plugin-sdk/store";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import type { Lock, QueueEntry, StateAdapter } from "chat";
import { type Cached, currentRequest, type PlatformRequestScope } from "./request.js";

/** Maximum number of values that expire; the oldest are removed first. */
const MAXIMUM_CACHED = 10_000;
const SUBSCRIBED = "subscribed:";

/** Dependencies of {@link BridgeState}. */
export interface BridgeStateDependencies {
  /** Store of the plugin. */
  readonly kv: PluginKeyValueStore;
  /** Prefix of the keys of one account. */
  readonly prefix: string;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/**
 * State of an adapter. Values without an expiry are stored, because adapters keep identities and installations in them;
 * the others are caches and are kept in memory.
 */
export class BridgeState implements StateAdapter {
  readonly #dependencies: BridgeStateDependencies;
  readonly #cache = new Map<string, Cached>();
  readonly #locks = new Map<string, Lock>();
  readonly #queues = new Map<string, QueueEntry[]>();

  /** @param dependencies - store, prefix and clock */
  constructor(dependencies: BridgeStateDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Runs a request, and waits for the work that it started. Cached values count only if all of it succeeds: an adapter
   * notes there that it received an event, and would otherwise ignore the repeat of an event that could not be stored.
   * @param work - handles the request
   * @throws the error of the work
   */
  async request<Result>(work: (tasks: Promise<unknown>[]) => Promise<Result>): Promise<Result> {
    const scope: PlatformRequestScope = { values: new Map(), tasks: [], isOpen: true };
    const { tasks } = scope;
    try {
      const result = await currentRequest.run(scope, () => work(tasks));
      // A task may add further ones.
      for (let settled = 0; settled < tasks.length; settled += 1) await tasks[settled];
      for (const [key, cached] of scope.values) this.#keep(key, cached);
      return result;
    } finally {
      scope.isOpen = false;
      for (const task of tasks) task.catch(() => undefined);
    }
  }

  async connect(): Promise<void> {}

  async disconnect(): Promise<void> {
    this.#cache.clear();
  }

  async get<Value = unknown>(key: string): Promise<Value | null> {
    const scope = currentRequest.getStore();
    const cached = (scope?.isOpen ? scope.values.get(key) : undefined) ?? this.#cache.get(key);
    if (cached !== undefined && cached.until > this.#dependencies.now()) {
      return cached.value as Value;
    }
    this.#cache.delete(key);
    return ((await this.#dependencies.kv.get(this.#keyOf(key))) as Value | undefined) ?? null;
  }

  async set<Value = unknown>(key: string, value: Value, ttlMs?: number): Promise<void> {
    if (ttlMs === undefined) {
      this.#cache.delete(key);
      await this.#dependencies.kv.set(this.#keyOf(key), jsonOf(value));
      return;
    }
    const cached = { value, until: this.#dependencies.now() + ttlMs };
    const scope = currentRequest.getStore();
    if (scope?.isOpen) scope.values.set(key, cached);
    else this.#keep(key, cached);
  }

  async setIfNotExists(key: string, value: unknown, ttlMs?: number): Promise<boolean> {
    if ((await this.get(key)) !== null) return false;
    if (ttlMs !== undefined) {
      await this.set(key, value, ttlMs);
      return true;
    }
    return this.#dependencies.kv.compareAndSet(this.#keyOf(key), undefined, jsonOf(value));
  }

  async delete(key: string): Promise<void> {
    currentRequest.getStore()?.values.delete(key);
    this.#cache.delete(key);
    await this.#dependencies.kv.delete(this.#keyOf(key));
  }

  async appendToList(
    key: string,
    value: unknown,
    { maxLength, ttlMs }: { maxLength?: number; ttlMs?: number } = {},
  ): Promise<void> {
    const all = [...(await this.getList(key)), value];
    await this.set(key, maxLength === undefined ? all : all.slice(-maxLength), ttlMs);
  }

  async getList<Value = unknown>(key: string): Promise<Value[]> {
    const value = await this.get(key);
    return Array.isArray(value) ? value : [];
  }

  async subscribe(threadId: string): Promise<void> {
    await this.set(SUBSCRIBED + threadId, true);
  }

  async unsubscribe(threadId: string): Promise<void> {
    await this.delete(SUBSCRIBED + threadId);
  }

  async isSubscribed(threadId: string): Promise<boolean> {
    return (await this.get(SUBSCRIBED + threadId)) === true;
  }

  async acquireLock(threadId: string, ttlMs: number): Promise<Lock | null> {
    const held = this.#locks.get(threadId);
    if (held !== undefined && held.expiresAt > this.#dependencies.now()) return null;
    const lock = { threadId, token: randomUUID(), expiresAt: this.#dependencies.now() + ttlMs };
    this.#locks.set(threadId, lock);
    return lock;
  }

  async extendLock(lock: Lock, ttlMs: number): Promise<boolean> {
    const { now } = this.#dependencies;
    const held = this.#locks.get(lock.threadId);
    if (held?.token !== lock.token || held.expiresAt <= now()) return false;
    this.#locks.set(lock.threadId, { ...held, expiresAt: now() + ttlMs });
    return true;
  }

  async releaseLock(lock: Lock): Promise<void> {
    if (this.#locks.get(lock.threadId)?.token === lock.token) this.#locks.delete(lock.threadId);
  }

  async forceReleaseLock(threadId: string): Promise<void> {
    this.#locks.delete(threadId);
  }

  async enqueue(threadId: string, entry: QueueEntry, maxSize: number): Promise<number> {
    const queue = [...(this.#queues.get(threadId) ?? []), entry].slice(-maxSize);
    this.#queues.set(threadId, queue);
    return queue.length;
  }

  async dequeue(threadId: string): Promise<QueueEntry | null> {
    const [first, ...rest] = this.#queues.get(threadId) ?? [];
    if (rest.length === 0) this.#queues.delete(threadId);
    else this.#queues.set(threadId, rest);
    return first ?? null;
  }

  async queueDepth(threadId: string): Promise<number> {
    return this.#queues.get(threadId)?.length ?? 0;
  }

  #keep(key: string, cached: Cached): void {
    this.#cache.delete(key);
    this.#cache.set(key, cached);
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > MAXIMUM_CACHED && oldest !== undefined) this.#cache.delete(oldest);
  }

  #keyOf(key: string): string {
    return `${this.#dependencies.prefix}${key}`;
  }
}

/** Returns a value as it is after storing: an adapter may leave fields undefined. */
function jsonOf(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value ?? null)) as JsonValue;
}
