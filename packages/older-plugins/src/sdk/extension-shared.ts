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

/** Schema in the style of Zod. */
interface SafeParser<Value> {
  safeParse(value: unknown): { readonly success: boolean; readonly data?: Value };
}

/**
 * Checks a value.
 * @param schema - Zod schema
 * @returns the value as the schema reads it; null when it does not match
 * @deprecated Call `safeParse` of the schema.
 */
export function safeParseWithSchema<Value>(
  schema: SafeParser<Value>,
  value: unknown,
): Value | null {
  const { success, data } = schema.safeParse(value);
  return success && data !== undefined ? data : null;
}

/**
 * Checks a text of JSON.
 * @param schema - Zod schema
 * @param text - text of JSON
 * @returns the value as the schema reads it; null when it does not match or is not JSON
 * @deprecated Call `safeParse` of the schema.
 */
export function safeParseJsonWithSchema<Value>(
  schema: SafeParser<Value>,
  text: string,
): Value | null {
  try {
    return safeParseWithSchema(schema, JSON.parse(text));
  } catch {
    return null;
  }
}

/** Log of the host. */
interface LineLogger {
  info(message: string): unknown;
  error(message: string): unknown;
}

/**
 * Returns the functions with which older plugins write to the log.
 * @param runtime - functions of the host; used when there are some
 * @param logger - log of the host
 * @deprecated Use `context.logger` of a `Channel`.
 */
export function resolveLoggerBackedRuntime<Runtime extends object>(
  runtime: Runtime | undefined,
  logger: LineLogger,
): Runtime | { log(message: unknown): void; error(message: unknown): void; exit(): never } {
  return (
    runtime ?? {
      log: (message) => void logger.info(String(message)),
      error: (message) => void logger.error(String(message)),
      exit: () => {
        throw new Error("a plugin must not end the process of the host");
      },
    }
  );
}

/**
 * Runs a connection until a signal aborts.
 * @param options - signal, and the function that opens the connection
 * @deprecated End the stream of `start` of a `Channel` when its signal aborts.
 */
export async function runStoppablePassiveMonitor(options: {
  readonly abortSignal: AbortSignal;
  readonly start: () => Promise<{ readonly stop: () => unknown }>;
}): Promise<void> {
  const { abortSignal, start } = options;
  const monitor = await start();
  await new Promise<void>((resolve) => {
    if (abortSignal.aborted) resolve();
    else abortSignal.addEventListener("abort", () => resolve(), { once: true });
  });
  await monitor.stop();
}

/**
 * Reports a section that is open to everyone without the entry `*` in its access list.
 * @param section - channel, policy, access list, and the function that reports
 * @deprecated Give the manifest a `configSchema`.
 */
export function requireChannelOpenAllowFrom<Context>(section: {
  readonly channel: string;
  readonly policy?: string;
  readonly allowFrom?: readonly (string | number)[];
  readonly ctx: Context;
  readonly requireOpenAllowFrom: (report: {
    policy?: string;
    allowFrom?: readonly (string | number)[];
    ctx: Context;
    path: string[];
    message: string;
  }) => void;
}): void {
  const { channel, requireOpenAllowFrom, ...rest } = section;
  requireOpenAllowFrom({
    ...rest,
    path: ["allowFrom"],
    message: `channels.${channel}.dmPolicy "open" needs "*" in channels.${channel}.allowFrom`,
  });
}

/**
 * Returns the status of a channel with the result of a check.
 * @param snapshot - status of an account
 * @param extra - further fields
 * @deprecated The host keeps the status of a `Channel`.
 */
export function buildPassiveProbedChannelStatusSummary(
  snapshot: Readonly<Record<string, unknown>>,
  extra: Readonly<Record<string, unknown>> = {},
) {
  const { configured, running, lastStartAt, lastStopAt, lastError, probe, lastProbeAt } = snapshot;
  return {
    configured: configured ?? false,
    ...extra,
    running: running ?? false,
    lastStartAt: lastStartAt ?? null,
    lastStopAt: lastStopAt ?? null,
    lastError: lastError ?? null,
    probe,
    lastProbeAt: lastProbeAt ?? null,
  };
}
