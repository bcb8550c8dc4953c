const MEMO_LIMIT = 256;

/** A list of names, case-insensitive, where `*` matches any text. */
export class NamePatterns {
  private readonly exact = new Set<string>();
  private readonly globs: RegExp[] = [];
  // Hosts check the same few agents, tools and channels repeatedly.
  private readonly memo = new Map<string, boolean>();
  // Usually the same one as before. Absent values match nothing.
  private lastAsked: unknown = undefined;
  private lastMatched = false;

  constructor(patterns: readonly string[]) {
    for (const pattern of patterns) {
      const name = pattern.toLowerCase();
      if (name.includes("*")) this.globs.push(globToRegExp(name));
      else this.exact.add(name);
    }
  }

  /**
   * Absent values match nothing; numbers, which some channels use as ids, match as their digits.
   */
  match(value: unknown): boolean {
    if (value === this.lastAsked) return this.lastMatched;
    this.lastMatched = this.lookUp(value);
    this.lastAsked = value;
    return this.lastMatched;
  }

  private lookUp(value: unknown): boolean {
    if (typeof value !== "string") return typeof value === "number" && this.lookUp(String(value));
    const known = this.memo.get(value);
    if (known !== undefined) return known;

    const name = value.toLowerCase();
    const matches = this.exact.has(name) || this.globs.some((glob) => glob.test(name));
    if (this.memo.size >= MEMO_LIMIT) this.memo.clear();
    this.memo.set(value, matches);
    return matches;
  }
}

function globToRegExp(pattern: string): RegExp {
  // Runs of stars are one star: "**" would otherwise make the expression backtrack badly.
  const parts = pattern.split(/\*+/).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s");
}
