import { describe, expect, it, vi } from "vitest";
import { compilePolicy, formatProblem, PolicyCasesError, PolicyConfigError } from "../src/index.js";

const problem = {
  code: "POLICY_UNKNOWN_KEY",
  file: "openclaw.yaml",
  line: 3,
  column: 5,
  key: "tools.alow",
  message: 'unknown key "alow"',
  suggestion: 'write "allow"',
} as const;

describe("PolicyConfigError", () => {
  it("[POL-037] carries every problem and prints each in one line", () => {
    const error = new PolicyConfigError([problem, { ...problem, line: 9, key: "tools.x" }]);
    expect(error).toMatchObject({ name: "PolicyConfigError", code: "POLICY_CONFIG_INVALID" });
    expect(error.problems).toHaveLength(2);
    expect(error.message.split("\n")).toEqual([
      "the tool policy has 2 problems and was not compiled; correct the configuration and load it again",
      '  openclaw.yaml:3:5 tools.alow: unknown key "alow"; write "allow" [POLICY_UNKNOWN_KEY]',
      '  openclaw.yaml:9:5 tools.x: unknown key "alow"; write "allow" [POLICY_UNKNOWN_KEY]',
    ]);
    expect(new PolicyConfigError([problem]).message).toContain("has 1 problem and");
  });

  it("is recognised across two copies of the package", async () => {
    vi.resetModules();
    const theirs = await import("../src/errors.js");
    const copy = new theirs.PolicyConfigError([problem]);
    expect(copy).not.toBeInstanceOf(PolicyConfigError);
    expect(PolicyConfigError.isInstance(new PolicyConfigError([problem]))).toBe(true);
    expect(PolicyConfigError.isInstance(copy)).toBe(true);
    expect(PolicyCasesError.isInstance(copy)).toBe(false);
    expect(PolicyCasesError.isInstance(new PolicyCasesError(["cases[0]: missing"]))).toBe(true);
    for (const other of [undefined, null, "x", new Error("x")]) {
      expect(PolicyConfigError.isInstance(other)).toBe(false);
    }
  });

  it("prints a warning in the same format as formatProblem", () => {
    expect(formatProblem({ ...problem, severity: "notice", code: "POLICY_EMPTY_LIST" })).toBe(
      'openclaw.yaml:3:5 tools.alow: unknown key "alow"; write "allow" [POLICY_EMPTY_LIST]',
    );
  });
});

describe("compilePolicy", () => {
  const problemsOf = (...input: readonly unknown[]) => {
    try {
      Reflect.apply(compilePolicy, undefined, input);
    } catch (error) {
      if (PolicyConfigError.isInstance(error)) {
        return error.problems.map(({ code, key, message }) => `${code} ${key}: ${message}`);
      }
      throw error;
    }
    return [];
  };

  it("[POL-037] throws every problem of layers outside any configuration file", () => {
    const within = [{ layer: "profile", deny: [""] }];
    expect(
      problemsOf(
        [
          { layer: "globl", deny: ["exec"] },
          { layer: "qqqqqqqq" },
          { layer: "global", deny: "exec", allow: [1, null, { value: "" }] },
          { layer: "profile", within },
          { layer: "profile", within },
        ],
        { default: "maybe" },
      ),
    ).toEqual([
      'POLICY_UNKNOWN_KEY globl: unknown layer "globl"',
      'POLICY_UNKNOWN_KEY qqqqqqqq: unknown layer "qqqqqqqq"',
      "POLICY_BAD_ENTRY global.allow: bad entry: expected text, got number",
      "POLICY_BAD_ENTRY global.allow: bad entry: expected text, got null",
      "POLICY_BAD_ENTRY global.allow: bad entry: expected a name, got empty text",
      "POLICY_NOT_A_LIST global.deny: expected a list of tool names, got string",
      "POLICY_BAD_ENTRY profile.deny: bad entry: expected a name, got empty text",
      'POLICY_BAD_VALUE tools.default: expected "allow" or "deny", got "maybe"',
    ]);
    expect(problemsOf([{ layer: "global", deny: null }])).toEqual([
      "POLICY_NOT_A_LIST global.deny: expected a list of tool names, got null",
    ]);
  });

  it("[POL-037] throws POLICY_TOO_LARGE above 10000 entries", () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `tool_${index}`);
    const shared = many(5_000);
    const layers = [
      { layer: "global", deny: shared },
      { layer: "agent", deny: shared },
      { layer: "group", allow: many(5_000) },
      { layer: "profile", allow: many(9), builtIn: true },
    ];
    expect(problemsOf(layers)).toEqual([]);
    expect(problemsOf([...layers, { layer: "profile", deny: ["exec"] }])).toEqual([
      "POLICY_TOO_LARGE tools: expected at most 10000 entries in all lists and groups, got 10001",
    ]);
  });
});
