/** Effect of a match: none, a note, a replaced range, a warning, an approval request, a rejection. */
export type SafetyRuleAction = "allow" | "warn" | "redact" | "sanitize" | "review" | "block";

/** Text that a rule inspects. */
export type SafetyRuleContext = "params" | "output" | "input" | "network" | "file" | "log";

/** A rule that a plugin adds to the safety engine (SAFE-023). */
export interface SafetyRule {
  /** Lower-case letters, digits and `_`; not the id of another rule. */
  id: string;
  /** Name of the matches, in a few words. */
  title: string;
  /** Why a match is dangerous. */
  reason: string;
  severity: "low" | "medium" | "high" | "critical";
  /** `leak`: a secret. `policy`: dangerous content of parameters. It decides the default actions. */
  kind: "leak" | "policy";
  /** RE2 syntax, at most 1 KiB; it runs in linear time and has no look-around or back-reference. */
  pattern: string;
  ignoreCase?: boolean;
  /** Strings of which each match contains one; they make the search faster. */
  literals?: readonly string[];
  /** Actions in some contexts; the others keep those of the kind. */
  actions?: Partial<Record<SafetyRuleContext, SafetyRuleAction>>;
  /** Strings that the rule must match and must not match; they are tested at registration. */
  examples: { match: readonly string[]; clean: readonly string[] };
}
