import { type AddedRule, createSafetyRules, type RuleSet } from "@openclaw/safety";

/** A shorter value would be found in ordinary text. */
const SHORTEST_VALUE = 8;
/** Longest part of a value in one rule; a pattern has at most 1 KiB. */
const LONGEST_PART = 200;

/** Values of secrets in use, as rules of the safety engine: logs, traces, prompts and outputs hide them. */
export class SecretRedaction {
  readonly #values = new Set<string>();
  #rules: readonly AddedRule[] = [];
  #ruleSet: RuleSet | undefined;

  /** Rules for the values; the same list until a value is added. */
  get rules(): readonly AddedRule[] {
    return this.#rules;
  }

  /** The built-in rules with these, for the log until the services of the host exist. */
  get ruleSet(): RuleSet | undefined {
    if (this.#rules.length === 0) return undefined;
    this.#ruleSet ??= createSafetyRules({ added: this.#rules });
    return this.#ruleSet;
  }

  /**
   * Adds values. They stay known until the process ends, because what used them may still show them.
   * @param values - values in clear text; those of fewer than 8 characters cannot be told from ordinary text
   */
  add(values: readonly string[]): void {
    const parts = values.flatMap(partsOf).filter((part) => !this.#values.has(part));
    if (parts.length === 0) return;
    for (const part of parts) this.#values.add(part);
    this.#rules = [...this.#values].map(ruleOf);
    this.#ruleSet = undefined;
  }
}

function partsOf(value: string): string[] {
  const parts: string[] = [];
  // Lines of a key or certificate are shown with other breaks by some programs.
  for (const line of value.split(/\r?\n/)) {
    for (let start = 0; start < line.length; start += LONGEST_PART) {
      const part = line.slice(start, start + LONGEST_PART).trim();
      if (part.length >= SHORTEST_VALUE) parts.push(part);
    }
  }
  return parts;
}

function ruleOf(value: string, index: number): AddedRule {
  return {
    id: `openclaw_stored_secret_${index + 1}`,
    title: "Stored secret",
    reason: "It is the value of a stored secret.",
    severity: "critical",
    kind: "leak",
    pattern: value.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"),
    literals: [value],
    examples: { match: [], clean: [] },
  };
}
