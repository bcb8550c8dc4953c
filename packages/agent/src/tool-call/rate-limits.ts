import { canonicalToolName } from "@openclaw/tool-policy";

const MINUTE_MS = 60_000;

/** Calls per minute, by the tools that share the limit (TURN-070). */
const DEFAULT_LIMITS: readonly { readonly tools: readonly string[]; readonly calls: number }[] = [
  { tools: ["exec"], calls: 120 },
  { tools: ["write", "edit", "apply_patch"], calls: 120 },
  { tools: ["http"], calls: 60 },
];

/** Calls of some tools in a minute. */
export interface ToolLimit {
  /** Key under which the calls are counted. */
  readonly key: string;
  readonly calls: number;
}

/** Limits the calls of each user. */
export interface ToolCallLimits {
  /**
   * Counts a call unless the limit is reached.
   * @param toolName - any spelling
   * @param user - ID of the user whose calls are counted together
   * @returns seconds until the next call is allowed; 0 when this call is allowed
   */
  take(toolName: string, user: string): number | Promise<number>;
}

/** Limits the calls of each user; the counts are kept in memory. */
export class ToolRateLimits implements ToolCallLimits {
  readonly #limits: ReadonlyMap<string, ToolLimit>;
  readonly #now: () => number;
  /** Times of the calls of the last minute, oldest first, by limit and user. */
  readonly #calls = new Map<string, number[]>();
  #sweptAt = 0;

  /**
   * @param configured - `tools.rateLimits`: calls per minute by tool name, 0 for no limit; a tool named
   *   here is counted separately
   * @param now - returns milliseconds of any monotonic clock
   */
  constructor(configured: Readonly<Record<string, number>>, now: () => number) {
    const limits = new Map<string, ToolLimit>();
    for (const { tools, calls } of DEFAULT_LIMITS) {
      for (const tool of tools) limits.set(tool, { key: tools.join(), calls });
    }
    for (const [name, calls] of Object.entries(configured)) {
      const tool = canonicalToolName(name);
      if (calls === 0) limits.delete(tool);
      else limits.set(tool, { key: `only ${tool}`, calls });
    }
    this.#limits = limits;
    this.#now = now;
  }

  /**
   * Counts a call unless the limit is reached.
   * @param toolName - any spelling
   * @param user - ID of the user whose calls are counted together
   * @returns seconds until the next call is allowed; 0 when this call is allowed
   */
  take(toolName: string, user: string): number {
    const limit = this.limitOf(toolName);
    if (limit === undefined) return 0;
    const now = this.#now();
    this.#sweep(now);
    const key = JSON.stringify([limit.key, user]);
    const recent = (this.#calls.get(key) ?? []).filter((at) => at > now - MINUTE_MS);
    this.#calls.set(key, recent);
    const [oldest] = recent;
    if (oldest !== undefined && recent.length >= limit.calls) {
      return Math.max(1, Math.ceil((oldest + MINUTE_MS - now) / 1000));
    }
    recent.push(now);
    return 0;
  }

  /**
   * Returns the limit of a tool; undefined when its calls are not limited.
   * @param toolName - any spelling
   */
  limitOf(toolName: string): ToolLimit | undefined {
    return this.#limits.get(canonicalToolName(toolName));
  }

  /** Removes the counts of users without recent calls. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < MINUTE_MS) return;
    this.#sweptAt = now;
    for (const [key, times] of this.#calls) {
      if ((times.at(-1) ?? 0) <= now - MINUTE_MS) this.#calls.delete(key);
    }
  }
}

/** Counts calls for several hosts together, for example in their database. */
export interface SharedCounts {
  /**
   * Counts a call, unless as many as allowed were made in the last time.
   * @returns milliseconds until a call is allowed again; 0 if this one is counted
   */
  take(key: string, limit: number, windowMs: number): Promise<number>;
}

/** Limits the calls of each user on several hosts together (SCALE-018). */
export class SharedToolRateLimits implements ToolCallLimits {
  readonly #limits: Pick<ToolRateLimits, "limitOf">;
  readonly #counts: SharedCounts;

  /** @param counts - counts of the hosts */
  constructor(limits: Pick<ToolRateLimits, "limitOf">, counts: SharedCounts) {
    this.#limits = limits;
    this.#counts = counts;
  }

  async take(toolName: string, user: string): Promise<number> {
    const limit = this.#limits.limitOf(toolName);
    if (limit === undefined) return 0;
    const key = JSON.stringify(["tool", limit.key, user]);
    return Math.ceil((await this.#counts.take(key, limit.calls, MINUTE_MS)) / 1000);
  }
}
