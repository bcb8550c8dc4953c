/** Promise that other code settles. */
export interface Deferred<Value> {
  readonly promise: Promise<Value>;
  resolve(value: Value | PromiseLike<Value>): void;
  reject(reason?: unknown): void;
}

/**
 * Creates a promise that other code settles.
 * @deprecated Use the constructor of `Promise`.
 */
export function createDeferred<Value>(): Deferred<Value> {
  let resolve: Deferred<Value>["resolve"] = () => undefined;
  let reject: Deferred<Value>["reject"] = () => undefined;
  const promise = new Promise<Value>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return { promise, resolve, reject };
}

/**
 * Creates a signal that aborts after a time, or with another signal.
 * @param options - time in milliseconds, the other signal, and what the message of a timeout names
 * @returns the signal, undefined without a time and a signal, and a function that ends the timer
 * @deprecated Use `AbortSignal.any` with `AbortSignal.timeout`.
 */
export function buildTimeoutAbortSignal(options: {
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly operation?: string | undefined;
  readonly url?: string | undefined;
}): { readonly signal: AbortSignal | undefined; cleanup(): void } {
  const { timeoutMs, signal, operation = "the request", url } = options;
  if (timeoutMs === undefined || !Number.isFinite(timeoutMs) || timeoutMs <= 0) {
    return { signal, cleanup: () => undefined };
  }
  const late = new AbortController();
  const timer = setTimeout(() => {
    const where = url === undefined ? "" : ` to ${withoutQuery(url)}`;
    const message = `${operation}${where} took longer than ${timeoutMs} ms`;
    late.abort(new DOMException(message, "TimeoutError"));
  }, timeoutMs);
  timer.unref();
  return {
    signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
    cleanup: () => clearTimeout(timer),
  };
}

/** A query can contain a key. */
function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/, "");
}

/**
 * Returns the version in the `package.json` of a plugin.
 * @param options - `require` of the calling module, paths from it to try, and the result without a version
 * @deprecated Import `package.json` with `{ type: "json" }`.
 */
export function readPluginPackageVersion(options: {
  readonly require: (path: string) => unknown;
  readonly candidates?: readonly string[];
  readonly fallback?: string;
}): string {
  const { candidates = ["../package.json", "./package.json", "../../package.json"] } = options;
  for (const path of candidates) {
    try {
      const found = options.require(path);
      if (typeof found !== "object" || found === null || !("version" in found)) continue;
      if (typeof found.version === "string") return found.version;
    } catch {
      // The next one may exist.
    }
  }
  return options.fallback ?? "unknown";
}
