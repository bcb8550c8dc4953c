import { describe, expect, it } from "vitest";
import {
  createSafetyRules,
  redactLeaks,
  type SafetyRuleConfig,
  SafetyRulesError,
  scanLeaks,
} from "../../../src/index.js";

const BADGE = {
  id: "badge_number",
  title: "badge number",
  reason: "It opens doors.",
  severity: "high",
  kind: "leak",
  pattern: "badge-\\d{4,}",
  examples: { match: ["badge-1234"], clean: ["badge-12"] },
} as const;

function problemsOf(config: unknown): string[] {
  try {
    createSafetyRules(config as SafetyRuleConfig);
    return [];
  } catch (error) {
    if (!SafetyRulesError.isInstance(error)) throw error;
    return error.problems.map(({ path, message }) => `${path}: ${message}`);
  }
}

function problemOf(changes: object): string[] {
  return problemsOf({ added: [{ ...BADGE, ...changes }] });
}

describe("createSafetyRules", () => {
  it("[SAFE-023] adds rules, whose patterns run in linear time", () => {
    const slow = {
      ...BADGE,
      id: "slow",
      pattern: "(a+)+$",
      examples: { match: ["aa"], clean: ["b"] },
    };
    const rules = createSafetyRules({ added: [BADGE, slow] });
    expect(redactLeaks("by badge-12345, badge-1", { rules }).text).toBe("by [REDACTED], badge-1");
    const started = performance.now();
    expect(scanLeaks(`${"a".repeat(20_000)}!`, { rules }).findings).toEqual([]);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it("[SAFE-023] rejects patterns that are invalid or too long", () => {
    expect(problemOf({ pattern: "(" })).toEqual([
      expect.stringMatching(
        /^added\[0\]\.pattern: it is not an RE2 pattern \(.*missing closing \).*look-around/,
      ),
    ]);
    expect(problemOf({ pattern: "(?=badge)" })[0]).toContain("it is not an RE2 pattern");
    expect(problemOf({ pattern: "(.)\\1" })[0]).toContain("it is not an RE2 pattern");
    expect(problemOf({ pattern: "((a{100}){100}){100}" })[0]).toContain("it is not an RE2 pattern");
    expect(problemOf({ pattern: `badge-\\d{4}${"|x".repeat(600)}` })).toEqual([
      "added[0].pattern: it has 1211 bytes; at most 1024 are allowed",
    ]);
    expect(problemOf({ pattern: "a*" })).toEqual([
      "added[0].pattern: it matches the empty string, and therefore everywhere; require at least one character",
    ]);
  });

  it("tests the examples of an added rule", () => {
    expect(
      problemOf({ examples: { match: ["badge-1234", "nothing"], clean: ["badge-9999"] } }),
    ).toEqual([
      "added[0].examples.match[1]: the pattern does not match this text",
      "added[0].examples.clean[0]: the pattern matches this text",
    ]);
  });

  it("reports all problems at once", () => {
    expect(
      problemsOf({
        rules: {
          aws_acces_key: {},
          zzz: {},
          sql_pattern: { severity: "grave", actions: { outptu: "warn", params: "refuse" } },
          shell_removal: { actions: { params: "warn" } },
        },
        added: [
          {
            ...BADGE,
            id: "Bad Id",
            severity: "loud",
            kind: "other",
            literals: [""],
            actions: { output: "x" },
          },
          BADGE,
          BADGE,
        ],
      }),
    ).toEqual([
      'rules.aws_acces_key: rule not found; did you mean "aws_access_key"?',
      "rules.zzz: rule not found; the reference lists all rules",
      'rules.sql_pattern.actions: "outptu" is not valid; expected one of params, output, input, network, file, log',
      'rules.sql_pattern.actions.params: "refuse" is not valid; expected one of allow, warn, redact, sanitize, review, block',
      'rules.sql_pattern.severity: "grave" is not valid; expected one of low, medium, high, critical',
      "rules.shell_removal.actions: a rule for shell commands has a class instead of actions; it can only be disabled",
      'added[0].id: "Bad Id" is not a rule id; use lower case letters, digits and _',
      'added[0].severity: "loud" is not valid; expected one of low, medium, high, critical',
      'added[0].kind: "other" is not valid; expected one of leak, policy',
      "added[0].literals: a literal is empty; remove it or enter its text",
      'added[0].actions.output: "x" is not valid; expected one of allow, warn, redact, sanitize, review, block',
      "added[2].id: a rule named badge_number already exists; choose another id, or change the existing rule",
    ]);
  });

  it("skips a text that contains none of a rule's literals, with and without ignoreCase", () => {
    const rules = createSafetyRules({
      added: [{ ...BADGE, literals: ["Badge-"], ignoreCase: true }],
    });
    expect(scanLeaks("BADGE-1234", { rules }).findings).toHaveLength(1);
    expect(scanLeaks("no such thing", { rules }).findings).toEqual([]);
    const exact = createSafetyRules({ added: [{ ...BADGE, literals: ["badge-"] }] });
    expect(scanLeaks("BADGE-1234", { rules: exact }).findings).toEqual([]);
  });

  it("ignores empty matches", () => {
    const rules = createSafetyRules({
      added: [
        {
          ...BADGE,
          pattern: "badge-\\d{4}|\\b",
          examples: { match: ["badge-1234"], clean: ["--"] },
        },
      ],
    });
    expect(scanLeaks("two words", { rules }).findings).toEqual([]);
  });

  it("disables and changes built-in rules", () => {
    const rules = createSafetyRules({
      rules: {
        aws_access_key: { enabled: false },
        github_token: { severity: "low", actions: { network: "warn" } },
        shell_removal: { enabled: true, severity: "low" },
      },
    });
    const scan = scanLeaks(`AKIAIOSFODNN7EXAMPLE ghp_${"x".repeat(36)}`, { rules });
    expect(scan).toMatchObject({
      action: "warn",
      findings: [{ rule: "github_token", severity: "low" }],
    });
    expect(createSafetyRules().rules.length).toBe(rules.rules.length + 1);
  });

  it("describes the problems in the message of the error", () => {
    const error = new SafetyRulesError([{ path: "rules.x", message: "rule not found" }]);
    expect(error.message).toBe(
      "the safety rules have 1 problem and were not loaded; fix them and load them again\n  rules.x: rule not found",
    );
    expect(new SafetyRulesError([...error.problems, ...error.problems]).message).toContain(
      "2 problems",
    );
    expect(error).toMatchObject({ name: "SafetyRulesError", code: "SAFETY_RULES_INVALID" });
    expect(SafetyRulesError.isInstance(error)).toBe(true);
    expect(SafetyRulesError.isInstance(new Error("x"))).toBe(false);
    expect(SafetyRulesError.isInstance(null)).toBe(false);
    expect(SafetyRulesError.isInstance("x")).toBe(false);
  });
});
