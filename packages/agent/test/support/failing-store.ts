import type { Store } from "@openclaw/store";
import { deferred } from "./deferred.js";

/** A store's handle in a process that is killed. */
export interface DyingStore {
  readonly store: Store;
  /** Resolves when the process is dead. */
  readonly died: Promise<void>;
}

const READS = new Set([
  "get",
  "load",
  "messages",
  "latest",
  "list",
  "count",
  "of",
  "unfinished",
  "drain",
]);

/**
 * Lends a store to a process that is killed: from then on no call comes back, and nothing more is
 * written. What was committed stays in the store itself.
 * @param store - outlives the process
 * @param lives - number of commits that return to the process; the next is its last
 * @param isLastCommitted - true if the last commit still reaches the database
 * @param onCommit - called after each commit that came back
 */
export function dyingStore(
  store: Store,
  lives: number,
  isLastCommitted: boolean,
  onCommit: () => void = () => {},
): DyingStore {
  const { promise: died, resolve: die } = deferred();
  const never = new Promise<never>(() => {});
  let commits = 0;
  let isDead = false;

  async function commit(write: () => Promise<unknown>): Promise<unknown> {
    if (isDead) return await never;
    if (commits === lives) {
      isDead = true;
      if (isLastCommitted) await write();
      die();
      return await never;
    }
    commits += 1;
    const written = await write();
    onCommit();
    return written;
  }

  /** A context, or one of its repositories. */
  const part = (rows: object): object =>
    new Proxy(rows, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name);
        if (typeof method === "object" && method !== null) return part(method);
        if (typeof method !== "function") return method;
        return (...args: unknown[]) => {
          const call = () => Promise.resolve(method.apply(target, args));
          if (!READS.has(String(name))) return commit(call);
          return isDead ? never : call();
        };
      },
    });
  const handle = new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name === "transaction") {
        return (work: (unit: Store) => Promise<unknown>) => commit(() => store.transaction(work));
      }
      return typeof value === "object" && value !== null ? part(value) : value;
    },
  });
  return { store: handle, died };
}
