/**
 * Limits of the requests to a webhook.
 * @deprecated Limit requests in the handler of the route.
 */
export const WEBHOOK_RATE_LIMIT_DEFAULTS = Object.freeze({
  windowMs: 60_000,
  maxRequests: 120,
  maxTrackedKeys: 4096,
});

/** Counts requests by key in windows of a fixed length. */
export interface FixedWindowRateLimiter {
  /** Counts a request, and returns true when there were too many. */
  isRateLimited(key: string, nowMs?: number): boolean;
  size(): number;
  clear(): void;
}

/**
 * Creates a limit of requests by key.
 * @param options - length of a window in milliseconds, requests per window, and keys that are remembered
 * @deprecated The gateway limits requests.
 */
export function createFixedWindowRateLimiter(options: {
  readonly windowMs: number;
  readonly maxRequests: number;
  readonly maxTrackedKeys: number;
}): FixedWindowRateLimiter {
  const { windowMs, maxRequests, maxTrackedKeys } = options;
  const windows = new Map<string, { start: number; count: number }>();
  return {
    isRateLimited(key, nowMs = Date.now()) {
      const found = windows.get(key);
      const isCurrent = found !== undefined && nowMs - found.start < windowMs;
      const window = isCurrent ? found : { start: nowMs, count: 0 };
      window.count += 1;
      windows.delete(key);
      windows.set(key, window);
      const [oldest] = windows.keys();
      if (windows.size > maxTrackedKeys && oldest !== undefined) windows.delete(oldest);
      return window.count > maxRequests;
    },
    size: () => windows.size,
    clear: () => windows.clear(),
  };
}

/** Result of the check of an address. */
export interface AuthRateCheck {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly retryAfterMs: number;
}

/**
 * Creates a limit of failed authentications by address.
 * @param config - attempts in a window, and the time for which an address is locked, in milliseconds
 * @deprecated The gateway locks addresses.
 */
export function createAuthRateLimiter(
  config: {
    readonly maxAttempts?: number;
    readonly windowMs?: number;
    readonly lockoutMs?: number;
    readonly exemptLoopback?: boolean;
  } = {},
) {
  const {
    maxAttempts = 10,
    windowMs = 60_000,
    lockoutMs = 300_000,
    exemptLoopback = true,
  } = config;
  const failures = new Map<string, number[]>();
  const lockedUntil = new Map<string, number>();
  const keyOf = (ip: string | undefined, scope = "") => `${scope}|${ip ?? "unknown"}`;
  const isExempt = (ip: string | undefined) =>
    exemptLoopback && /^(?:127\.|::1$|::ffff:127\.)/.test(ip ?? "");
  const recent = (key: string, now: number) =>
    (failures.get(key) ?? []).filter((at) => now - at < windowMs);
  return {
    check(ip: string | undefined, scope?: string): AuthRateCheck {
      if (isExempt(ip)) return { allowed: true, remaining: maxAttempts, retryAfterMs: 0 };
      const key = keyOf(ip, scope);
      const now = Date.now();
      const until = lockedUntil.get(key) ?? 0;
      if (until > now) return { allowed: false, remaining: 0, retryAfterMs: until - now };
      const remaining = Math.max(0, maxAttempts - recent(key, now).length);
      return { allowed: remaining > 0, remaining, retryAfterMs: 0 };
    },
    recordFailure(ip: string | undefined, scope?: string): void {
      if (isExempt(ip)) return;
      const key = keyOf(ip, scope);
      const now = Date.now();
      const times = [...recent(key, now), now];
      failures.set(key, times);
      if (times.length >= maxAttempts) lockedUntil.set(key, now + lockoutMs);
      const [oldest] = failures.keys();
      if (failures.size > WEBHOOK_RATE_LIMIT_DEFAULTS.maxTrackedKeys && oldest !== undefined) {
        failures.delete(oldest);
        lockedUntil.delete(oldest);
      }
    },
    reset(ip: string | undefined, scope?: string): void {
      failures.delete(keyOf(ip, scope));
      lockedUntil.delete(keyOf(ip, scope));
    },
    size: () => failures.size,
    dispose(): void {
      failures.clear();
      lockedUntil.clear();
    },
  };
}
