import { createSafetyRules } from "@openclaw/safety";
import { describe, expect, it } from "vitest";
import { subagentReport } from "../../src/index.js";

const child = { sessionKey: "agent:main:subagent:1", label: "counter" };

describe("subagent report to its parent", () => {
  it("contains the subagent's answer, marked as untrusted, with its name", () => {
    const report = subagentReport({ ...child, result: "It is 42." }, { outcome: "ok" }, {});
    expect(report).toContain('Subagent "counter" (agent:main:subagent:1) has answered');
    expect(report).toContain("untrusted source");
    expect(report).toContain("It is 42.");
  });

  it("is filtered by the safety engine", () => {
    const secret = `AKIA${"Q7RZ2M4KXW5NP3TJ"}`;
    const report = subagentReport(
      { ...child, result: `the key is ${secret}` },
      { outcome: "ok" },
      {},
    );
    expect(report).not.toContain(secret);
  });

  it("[SAFE-010] is replaced when a rule requires a review, since a report has no approver", () => {
    const rules = createSafetyRules({
      rules: { sql_pattern: { actions: { output: "review" } } },
    });
    const report = subagentReport(
      { ...child, result: "Run DROP TABLE users" },
      { outcome: "ok" },
      { rules },
    );
    expect(report).toContain("[Output blocked by safety policy]");
    expect(report).not.toContain("DROP TABLE");
  });

  it("is truncated when it is too long for a queued turn", () => {
    const report = subagentReport(
      { ...child, result: "word ".repeat(10_000) },
      { outcome: "ok" },
      {},
    );
    expect(Buffer.byteLength(report)).toBeLessThan(16 * 1024);
  });

  it.each([
    [{ outcome: "ok" } as const, "ended without an answer"],
    [{ outcome: "timeout" } as const, "its timeout expired"],
    [{ outcome: "killed" } as const, "it was stopped"],
    [{ outcome: "error", error: "no such model" } as const, "no such model"],
    [{ outcome: "error" } as const, "it failed"],
  ])("gives the reason for a missing answer: %j", (end, words) => {
    expect(subagentReport(child, end, {})).toContain(words);
  });
});
