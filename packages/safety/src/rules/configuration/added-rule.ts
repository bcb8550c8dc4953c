import { LinearPatternError, type SafetyRuleProblem } from "../../errors.js";
import { LinearPattern, LONGEST_PATTERN } from "../../text/linear-pattern.js";
import type { Range } from "../../text/range.js";
import { type ContextActions, SAFETY_ACTIONS, SAFETY_CONTEXTS } from "../action.js";
import { SAFETY_RULES } from "../built-in/rules.js";
import type { SearchDetector } from "../detector.js";
import { BLOCKED_LEAK } from "../leak-actions.js";
import { policyActions } from "../policy-actions.js";
import type { LeakRule, PolicyRule } from "../rule.js";
import { SEVERITIES, type Severity } from "../severity.js";

/** Rule that an operator or a plugin adds. */
export interface AddedRule {
  /** ID in snake case, different from the IDs of other rules. */
  readonly id: string;
  readonly title: string;
  readonly reason: string;
  readonly severity: Severity;
  /**
   * `leak` for a secret, `policy` for content that parameters should not have; decides the default
   * actions.
   */
  readonly kind: "leak" | "policy";
  /**
   * RE2 syntax, at most 1 KiB; it runs in linear time and supports neither look-around nor
   * back-references.
   */
  readonly pattern: string;
  readonly ignoreCase?: boolean | undefined;
  /**
   * Literals of which every match contains at least one; a text without them is skipped quickly.
   */
  readonly literals?: readonly string[] | undefined;
  readonly actions?: Partial<ContextActions> | undefined;
  /** Examples that are tested when the rule is added. */
  readonly examples: { readonly match: readonly string[]; readonly clean: readonly string[] };
}

const ID = /^[a-z][a-z0-9_]{0,63}$/;

/**
 * Checks an added rule and compiles it.
 * @param added - rule from the configuration
 * @param path - path of the rule in the configuration, for the problems
 * @param taken - IDs of other rules
 */
export function compileAddedRule(
  added: AddedRule,
  path: string,
  taken: ReadonlySet<string>,
): { rule: LeakRule | PolicyRule | undefined; problems: SafetyRuleProblem[] } {
  const problems: SafetyRuleProblem[] = [];
  const report = (field: string, message: string) =>
    problems.push({ path: `${path}.${field}`, message });
  const { id, title, reason, severity, kind, literals = [], examples } = added;
  if (!ID.test(id))
    report("id", `${JSON.stringify(id)} is not a rule id; use lower case letters, digits and _`);
  else if (taken.has(id))
    report(
      "id",
      `a rule named ${id} already exists; choose another id, or change the existing rule`,
    );
  if (!SEVERITIES.includes(severity)) report("severity", expected(severity, SEVERITIES));
  if (kind !== "leak" && kind !== "policy") report("kind", expected(kind, ["leak", "policy"]));
  if (literals.includes("")) report("literals", "a literal is empty; remove it or enter its text");
  problems.push(...actionProblems(added.actions ?? {}, `${path}.actions`));
  const { pattern, problem } = compilePattern(added);
  if (problem !== undefined) report("pattern", problem);
  if (pattern === undefined || problems.length > 0) return { rule: undefined, problems };

  const detector = searchDetector(pattern, literals, added.ignoreCase === true);
  for (const [expectation, texts] of Object.entries(examples)) {
    for (const [index, text] of texts.entries()) {
      const matches = [...detector.search(text)].length > 0;
      if (matches === (expectation === "match")) continue;
      report(
        `examples.${expectation}[${index}]`,
        `the pattern ${matches ? "matches" : "does not match"} this text`,
      );
    }
  }
  const facts = { id, title, reason, severity, examples, detector };
  const rule: LeakRule | PolicyRule =
    kind === "leak"
      ? { ...facts, kind, label: "API_KEY", actions: { ...BLOCKED_LEAK, ...added.actions } }
      : { ...facts, kind, actions: { ...policyActions("block"), ...added.actions } };
  return { rule: problems.length === 0 ? rule : undefined, problems };
}

/**
 * Returns the problems of one more rule.
 * @param rule - a rule of the right shape
 * @param others - rules that were added before; their ids are taken, as those of the built-in rules are
 */
export function addedRuleProblems(
  rule: AddedRule,
  others: readonly AddedRule[] = [],
): readonly SafetyRuleProblem[] {
  const taken = new Set([...SAFETY_RULES, ...others].map(({ id }) => id));
  const { problems } = compileAddedRule(rule, "", taken);
  return problems.map(({ path, message }) => ({ path: path.replace(/^\./, ""), message }));
}

/**
 * Returns the problems of actions in a configuration.
 * @param actions - actions by context
 * @param path - path of the actions in the configuration
 */
export function actionProblems(
  actions: Readonly<Record<string, unknown>>,
  path: string,
): SafetyRuleProblem[] {
  return Object.entries(actions).flatMap(([context, action]) => {
    const problems: SafetyRuleProblem[] = [];
    if (!SAFETY_CONTEXTS.some((known) => known === context)) {
      problems.push({ path, message: expected(context, SAFETY_CONTEXTS) });
    }
    if (!SAFETY_ACTIONS.some((known) => known === action)) {
      problems.push({ path: `${path}.${context}`, message: expected(action, SAFETY_ACTIONS) });
    }
    return problems;
  });
}

/** Returns a message with the invalid value and the valid ones. */
export function expected(value: unknown, valid: readonly string[]): string {
  return `${JSON.stringify(value)} is not valid; expected one of ${valid.join(", ")}`;
}

function compilePattern({ pattern, ignoreCase }: AddedRule): {
  pattern?: LinearPattern;
  problem?: string;
} {
  const bytes = Buffer.byteLength(pattern);
  if (bytes > LONGEST_PATTERN) {
    return { problem: `it has ${bytes} bytes; at most ${LONGEST_PATTERN} are allowed` };
  }
  try {
    const compiled = new LinearPattern(pattern, { ignoreCase });
    if (compiled.test("")) {
      return {
        problem:
          "it matches the empty string, and therefore everywhere; require at least one character",
      };
    }
    return { pattern: compiled };
  } catch (error) {
    if (!LinearPatternError.isInstance(error)) throw error;
    return {
      problem: `it is not an RE2 pattern (${error.problem}); look-around and back-references are not supported`,
    };
  }
}

function searchDetector(
  pattern: LinearPattern,
  literals: readonly string[],
  ignoreCase: boolean,
): SearchDetector {
  const plain = (text: string) => (ignoreCase ? text.toLowerCase() : text);
  const needles = literals.map(plain);
  return {
    by: "search",
    search: (text) => {
      if (needles.length > 0) {
        const searched = plain(text);
        if (!needles.some((needle) => searched.includes(needle))) return [];
      }
      return rangesOf(pattern, text);
    },
  };
}

function* rangesOf(pattern: LinearPattern, text: string): Iterable<Range> {
  for (const range of pattern.ranges(text)) {
    if (range[1] > range[0]) yield range;
  }
}
