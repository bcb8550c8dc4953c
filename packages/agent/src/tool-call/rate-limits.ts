import { canonicalToolName } from "@openclaw/tool-policy";

const MINUTE_MS = 60_000;

/** Calls per minute, by the tools that share the limit (TURN-070). */
const DEFAULT_LIMITS: readonly { readonly tools: readonly string[]; readonly calls: number }[] = [
  { tools: ["exec"], calls: 120 },
  { tools: ["write", "edit", "apply_patch"], calls: 120 },
  { tools: ["http"], calls: 60 },
];

interface Limit {
  /** Key under which the calls are counted. */
  readonly key: string;
  readonly calls: number;
}

/** Limits the calls of each user; the counts are kept in memory. */
export class ToolRateLimits {
  readonly #limits: ReadonlyMap<string, Limit>;
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
    const limits = new Map<string, Limit>();
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
    const limit = this.#limits.get(canonicalToolName(toolName));
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

  /** Removes the counts of users without recent calls. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < MINUTE_MS) return;
    this.#sweptAt = now;
    for (const [key, times] of this.#calls) {
      if ((times.at(-1) ?? 0) <= now - MINUTE_MS) this.#calls.delete(key);
    }
  }
}
