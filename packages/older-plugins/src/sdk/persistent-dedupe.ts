import { readFile } from "node:fs/promises";
import { writePrivateFile } from "@openclaw/foundation/file-replacement";
import { isRecord } from "./string-coerce-runtime.js";

/** Settings of {@link createClaimableDedupe}. */
export interface ClaimableDedupeOptions {
  /** Time in milliseconds for which a key is known. */
  readonly ttlMs: number;
  readonly memoryMaxSize?: number;
  readonly fileMaxEntries?: number;
  /** Returns the file of a namespace; keys are in memory only without it. */
  readonly resolveFilePath?: (namespace: string) => string;
  readonly onDiskError?: (error: unknown) => void;
}

/** Place of a key. */
interface KeyPlace {
  readonly namespace?: string;
  readonly now?: number;
}

/** Outcome of a claim. */
export type DedupeClaim =
  | { readonly kind: "claimed" }
  | { readonly kind: "duplicate" }
  | { readonly kind: "inflight"; readonly pending: Promise<boolean> };

/** Recognises repeats, also after a restart. A key is claimed first, and known once it is committed. */
export interface ClaimableDedupe {
  claim(key: string, place?: KeyPlace): Promise<DedupeClaim>;
  commit(key: string, place?: KeyPlace): Promise<boolean>;
  release(key: string, place?: KeyPlace & { readonly error?: unknown }): void;
  forget(key: string, place?: KeyPlace): Promise<boolean>;
  hasRecent(key: string, place?: KeyPlace): Promise<boolean>;
  warmup(namespace?: string): Promise<number>;
  clearMemory(): void;
  memorySize(): number;
}

const DEFAULT_NAMESPACE = "global";
const MOST_KEYS = 10_000;

/**
 * Creates a list of keys that recognises repeats.
 * @param options - time, limits and files
 * @deprecated Give messages of a `Channel` an `externalId`; the host recognises repeats.
 */
export function createClaimableDedupe(options: ClaimableDedupeOptions): ClaimableDedupe {
  const { ttlMs, resolveFilePath } = options;
  const most = options.fileMaxEntries ?? options.memoryMaxSize ?? MOST_KEYS;
  const known = new Map<string, Map<string, number>>();
  const claims = new Map<string, { promise: Promise<boolean>; settle(isNew: boolean): void }>();
  const idOf = (key: string, namespace: string) => JSON.stringify([namespace, key]);
  const keysOf = async (namespace: string): Promise<Map<string, number>> => {
    const found = known.get(namespace);
    if (found !== undefined) return found;
    const read = await readKeys(resolveFilePath?.(namespace), options.onDiskError);
    const keys = known.get(namespace) ?? read;
    known.set(namespace, keys);
    return keys;
  };
  const isKnown = async (
    key: string,
    { namespace = DEFAULT_NAMESPACE, now = Date.now() }: KeyPlace,
  ) => {
    const at = (await keysOf(namespace)).get(key);
    return at !== undefined && (ttlMs <= 0 || now - at < ttlMs);
  };
  const store = async (namespace: string) => {
    const keys = await keysOf(namespace);
    for (const key of keys.keys()) {
      if (keys.size <= most) break;
      keys.delete(key);
    }
    await writeKeys(resolveFilePath?.(namespace), keys, options.onDiskError);
  };
  const settle = (key: string, namespace: string, isNew: boolean) => {
    const id = idOf(key, namespace);
    claims.get(id)?.settle(isNew);
    claims.delete(id);
  };
  return {
    async claim(key, place = {}) {
      const { namespace = DEFAULT_NAMESPACE } = place;
      const pending = claims.get(idOf(key, namespace));
      if (pending !== undefined) return { kind: "inflight", pending: pending.promise };
      if (await isKnown(key, place)) return { kind: "duplicate" };
      let end: (isNew: boolean) => void = () => undefined;
      const promise = new Promise<boolean>((resolve) => {
        end = resolve;
      });
      claims.set(idOf(key, namespace), { promise, settle: (isNew) => end(isNew) });
      return { kind: "claimed" };
    },
    async commit(key, { namespace = DEFAULT_NAMESPACE, now = Date.now() } = {}) {
      const keys = await keysOf(namespace);
      keys.delete(key);
      keys.set(key, now);
      settle(key, namespace, true);
      await store(namespace);
      return true;
    },
    release(key, { namespace = DEFAULT_NAMESPACE } = {}) {
      settle(key, namespace, false);
    },
    async forget(key, { namespace = DEFAULT_NAMESPACE } = {}) {
      const wasKnown = (await keysOf(namespace)).delete(key);
      if (wasKnown) await store(namespace);
      return wasKnown;
    },
    hasRecent: (key, place = {}) => isKnown(key, place),
    warmup: async (namespace = DEFAULT_NAMESPACE) => (await keysOf(namespace)).size,
    clearMemory: () => known.clear(),
    memorySize: () => [...known.values()].reduce((sum, keys) => sum + keys.size, 0),
  };
}

async function readKeys(
  path: string | undefined,
  onError: ClaimableDedupeOptions["onDiskError"],
): Promise<Map<string, number>> {
  if (path === undefined) return new Map();
  try {
    const read: unknown = JSON.parse(await readFile(path, "utf8"));
    const entries = isRecord(read) ? Object.entries(read) : [];
    return new Map(entries.flatMap(([key, at]) => (typeof at === "number" ? [[key, at]] : [])));
  } catch (error) {
    if (!(isRecord(error) && error.code === "ENOENT")) onError?.(error);
    return new Map();
  }
}

async function writeKeys(
  path: string | undefined,
  keys: ReadonlyMap<string, number>,
  onError: ClaimableDedupeOptions["onDiskError"],
): Promise<void> {
  if (path === undefined) return;
  try {
    writePrivateFile(path, JSON.stringify(Object.fromEntries(keys)));
  } catch (error) {
    onError?.(error);
  }
}

/**
 * Returns that no file of an older host was taken over; its keys are forgotten after their time.
 * @param _options - file of the older host
 * @deprecated Give messages of a `Channel` an `externalId`; the host recognises repeats.
 */
export async function migratePersistentDedupeLegacyJsonFile(
  _options: object,
): Promise<{ readonly migrated: false; readonly entries: 0 }> {
  return { migrated: false, entries: 0 };
}
