import { matchesPrefix } from "./prefix.js";
import type { CommandRule } from "./rule.js";

/** Something wrong with a rule, and where in the extension's configuration it is written. */
export interface RuleProblem {
  /** Keys and indexes from the extension's configuration. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly suggestion: string;
}

const FORM =
  'write { prefix: ["npm", ["test", "ci"]], decision: "allow", match: ["npm test"], note: "…" }';
const PLAIN_WORDS = /^[\w@%+=:,./^~-]+(?: [\w@%+=:,./^~-]+)*$/;

/**
 * Checks the rules of a configuration against their own examples (APPR-040). The examples are compared word by
 * word; whether a program is installed does not matter.
 * @param rules - as written in the configuration file
 */
export function ruleProblems(rules: unknown): readonly RuleProblem[] {
  if (rules === undefined) return [];
  if (!Array.isArray(rules)) {
    return [{ path: ["rules"], message: "rules must be a list", suggestion: FORM }];
  }
  return rules.flatMap((rule: unknown, index): readonly RuleProblem[] => {
    if (!isRule(rule)) {
      return [{ path: ["rules", index], message: "the rule is incomplete", suggestion: FORM }];
    }
    return [
      ...exampleProblems(rule, index, "match"),
      ...exampleProblems(rule, index, "notMatch"),
      ...settingProblems(rule, index),
    ];
  });
}

/** Whether a value has the fields of a rule that its examples are checked with. */
function isRule(value: unknown): value is CommandRule {
  if (typeof value !== "object" || value === null) return false;
  const rule = value as { readonly [Field in keyof CommandRule]?: unknown };
  return (
    isList(rule.prefix, (position) => isText(position) || isList(position, isText)) &&
    isText(rule.decision) &&
    isList(rule.match, isText) &&
    (rule.notMatch === undefined || Array.isArray(rule.notMatch)) &&
    (rule.notMatch ?? []).every(isText) &&
    isText(rule.note)
  );
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isList(value: unknown, isElement: (element: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isElement);
}

function exampleProblems(
  rule: CommandRule,
  index: number,
  list: "match" | "notMatch",
): RuleProblem[] {
  return (rule[list] ?? []).flatMap((example, at): RuleProblem[] => {
    const path = ["rules", index, list, at];
    if (!PLAIN_WORDS.test(example)) {
      return [
        {
          path,
          message: `the example ${JSON.stringify(example)} does not consist of plain words`,
          suggestion: "write words with one space between them, without quotes and operators",
        },
      ];
    }
    const isMatched = matchesPrefix(rule.prefix, example.split(" ")) === "yes";
    if (isMatched === (list === "match")) return [];
    const message = isMatched
      ? `the rule matches its example ${JSON.stringify(example)}, which it must not match`
      : `the rule does not match its example ${JSON.stringify(example)}`;
    return [{ path, message, suggestion: "correct the prefix or the example" }];
  });
}

function settingProblems({ sandbox, decision }: CommandRule, index: number): RuleProblem[] {
  if (sandbox === undefined || decision === "allow") return [];
  return [
    {
      path: ["rules", index, "sandbox"],
      message: `"sandbox" has no effect on a rule with decision "${decision}"`,
      suggestion: 'remove it, or set decision to "allow"',
    },
  ];
}
