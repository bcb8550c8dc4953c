import { describe, expect, it } from "vitest";
import {
  classifyCommand,
  inspectOutput,
  parseCommand,
  redactLogText,
  SAFETY_RULES,
  type SafetyRule,
  sanitizeText,
  scanLeaks,
  scanPolicy,
} from "../../../src/index.js";

/** Returns the IDs of the rules of one kind that find something in a text. */
async function foundIn(text: string, kind: SafetyRule["kind"]): Promise<string[]> {
  switch (kind) {
    case "leak":
      return scanLeaks(text).findings.map(({ rule }) => rule);
    case "injection":
      return sanitizeText(text).findings.map(({ rule }) => rule);
    case "policy":
      return scanPolicy(text).findings.map(({ rule }) => rule);
    case "validation":
      return inspectOutput(text).findings.map(({ rule }) => rule);
    case "shell":
      return classifyCommand(await parseCommand(text)).reasons.map(({ rule }) => rule);
    case "log":
      return SAFETY_RULES.filter(
        (rule) => rule.kind === "log" && redactLogText(text).includes(`[REDACTED_${rule.label}]`),
      ).map(({ id }) => id);
  }
}

describe("built-in rules", () => {
  it("has unique rule IDs that are valid file names", () => {
    const ids = SAFETY_RULES.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][a-z0-9_]+$/);
  });

  it("has a title, a reason and examples for every rule", () => {
    for (const rule of SAFETY_RULES) {
      expect(rule.title, rule.id).not.toBe("");
      expect(rule.reason, rule.id).toMatch(/[.]$/);
      expect(rule.examples.match.length, rule.id).toBeGreaterThan(0);
      expect(rule.examples.clean.length, rule.id).toBeGreaterThan(0);
    }
  });

  describe.each(SAFETY_RULES.map((rule) => [rule.id, rule] as const))("%s", (id, rule) => {
    it.each(rule.examples.match.map((text) => [text]))("finds %j", async (text) => {
      expect(await foundIn(text, rule.kind)).toContain(id);
    });

    it.each(rule.examples.clean.map((text) => [text]))("does not find %j", async (text) => {
      if (rule.kind === "log") expect(redactLogText(text)).toBe(text);
      else expect(await foundIn(text, rule.kind)).not.toContain(id);
    });
  });
});
