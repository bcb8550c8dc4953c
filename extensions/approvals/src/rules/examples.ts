import { matchesPrefix } from "./prefix.js";
import type { CommandRule } from "./rule.js";

/** Problem of a rule, with its path in the extension's configuration. */
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
 * Checks the rules of a configuration against their own examples (APPR-040). The examples are
 * compared word by word; programs need not be installed.
 * @param rules - rules as written in the configuration file
 */
export function ruleProblems(rules: unknown): readonly RuleProblem[] {
  if (rules === undefined) return [];
  if (!Array.isArray(rules)) {
    return [{ path: ["rules"], message: "rules must be a list", suggestion: FORM }];
  }
  return rules.flatMap((rule: unknown, index): readonly RuleProblem[] => {
    if (!isRule(rule)) {
      const message = `missing or malformed: ${wrongFields(rule).join(", ")}`;
      return [{ path: ["rules", index], message, suggestion: FORM }];
    }
    return [
      ...exampleProblems(rule, index, "match"),
      ...exampleProblems(rule, index, "notMatch"),
      ...settingProblems(rule, index),
    ];
  });
}

const FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  prefix: (value) => isList(value, (position) => isText(position) || isList(position, isText)),
  decision: isText,
  match: (value) => isList(value, isText),
  notMatch: (value) => value === undefined || (Array.isArray(value) && value.every(isText)),
  note: isText,
};

function isRule(value: unknown): value is CommandRule {
  return wrongFields(value).length === 0;
}

/** Returns the missing or malformed fields among those that the check of the examples needs. */
function wrongFields(value: unknown): readonly string[] {
  const rule = new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
  return Object.entries(FIELDS)
    .filter(([name, isValid]) => !isValid(rule.get(name)))
    .map(([name]) => `\`${name}\``);
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
    return [{ path, message, suggestion: "fix the prefix or the example" }];
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
