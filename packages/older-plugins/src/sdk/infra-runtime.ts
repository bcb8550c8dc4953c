import { randomBytes, randomUUID } from "node:crypto";
import { open, rm, stat } from "node:fs/promises";
import { computeBackoff, sleep } from "./runtime-env.js";

export {
  emitDiagnosticEvent,
  isDiagnosticsEnabled,
  onDiagnosticEvent,
} from "./diagnostics/diagnostic-runtime.js";
export {
  extractErrorCode,
  formatErrorMessage,
  formatUncaughtError,
  readErrorName,
  toErrorObject,
} from "./diagnostics/error-runtime.js";
export {
  type BackoffPolicy,
  computeBackoff,
  formatDurationPrecise,
  formatDurationSeconds,
  isTruthyEnvValue,
  retryAsync,
  sleepWithAbort,
} from "./runtime-env.js";
export { resolvePreferredOpenClawTmpDir } from "./temp-path.js";

/** Retries and expiry of a file lock. */
export interface FileLockOptions {
  readonly retries: {
    readonly retries: number;
    readonly factor: number;
    readonly minTimeout: number;
    readonly maxTimeout: number;
    readonly randomize?: boolean;
  };
  /** Age in milliseconds from which a lock counts as abandoned. */
  readonly stale: number;
}

/**
 * Runs a function while it holds a file lock that other processes respect.
 * @param path - file that the work uses; the lock file has the same path with `.lock` added
 * @param options - retries and expiry of the lock
 * @param work - function to run
 * @throws Error when the lock stays held by another process
 * @deprecated Store durable data in `api.store`.
 */
export async function withFileLock<Result>(
  path: string,
  { retries, stale }: FileLockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const lock = `${path}.lock`;
  for (let attempt = 1; !(await taken(lock, stale)); attempt += 1) {
    if (attempt > retries.retries) throw new Error(`${lock} is held by another process`);
    const { factor, minTimeout, maxTimeout, randomize = false } = retries;
    const jitter = randomize ? 1 : 0;
    await sleep(
      computeBackoff({ initialMs: minTimeout, maxMs: maxTimeout, factor, jitter }, attempt),
    );
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function taken(lock: string, stale: number): Promise<boolean> {
  try {
    const file = await open(lock, "wx");
    await file.writeFile(String(process.pid));
    await file.close();
    return true;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    const stats = await stat(lock).catch(() => undefined);
    if (stats !== undefined && Date.now() - stats.mtimeMs > stale) await rm(lock, { force: true });
    return false;
  }
}

/** Cache of recently seen keys. */
export interface DedupeCache {
  /** Returns true when the key was seen before, and remembers it. */
  check(key: string | null | undefined, now?: number): boolean;
  clear(): void;
  size(): number;
}

/**
 * Creates a cache of recently seen keys.
 * @param options - lifetime of a key in milliseconds, and maximum number of keys
 * @deprecated Use a `Map`, or a library.
 */
export function createDedupeCache(options: { ttlMs: number; maxSize: number }): DedupeCache {
  const seen = new Map<string, number>();
  return {
    check(key, now = Date.now()) {
      if (key === null || key === undefined || key === "") return false;
      const last = seen.get(key);
      seen.delete(key);
      seen.set(key, now);
      for (const [oldest] of seen) {
        if (seen.size <= Math.max(options.maxSize, 0)) break;
        seen.delete(oldest);
      }
      return last !== undefined && (options.ttlMs <= 0 || now - last < options.ttlMs);
    },
    clear: () => seen.clear(),
    size: () => seen.size,
  };
}

/**
 * Returns a random token.
 * @param bytes - number of random bytes, 16 by default
 * @deprecated Use `crypto.randomBytes`.
 */
export function generateSecureToken(bytes = 16): string {
  return randomBytes(bytes).toString("base64url");
}

/**
 * Returns a random UUID.
 * @deprecated Use `crypto.randomUUID`.
 */
export function generateSecureUuid(): string {
  return randomUUID();
}
