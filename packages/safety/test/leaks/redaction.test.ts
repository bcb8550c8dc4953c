import { describe, expect, it } from "vitest";
import { createSafetyRules, redactLeaks, redactRanges } from "../../src/index.js";

const AWS = "AKIAIOSFODNN7EXAMPLE";
const OPENAI = "sk-abcdefghij0123456789";

describe("leak redaction", () => {
  it("replaces secrets that the context redacts or blocks, and keeps the rest", () => {
    const hash = "ab".repeat(32);
    const { text, action, findings } = redactLeaks(
      `a ${AWS}, ${hash} and Bearer ${"q".repeat(24)}!`,
    );
    expect(text).toBe(`a [REDACTED], ${hash} and [REDACTED]!`);
    expect(action).toBe("block");
    expect(findings.map(({ rule }) => rule)).toEqual([
      "aws_access_key",
      "high_entropy_hex_sha256",
      "bearer_token",
    ]);
  });

  it("returns the same string when it contains no secret", () => {
    const clean = "nothing to see";
    expect(redactLeaks(clean)).toEqual({ text: clean, action: "allow", findings: [] });
  });

  it("finds a secret that the first replacement uncovers", () => {
    const { text, findings } = redactLeaks(`${AWS}${OPENAI}`);
    expect(text).toBe("[REDACTED][REDACTED]");
    expect(findings.map(({ rule, range }) => [rule, range])).toEqual([
      ["aws_access_key", [0, 20]],
      ["openai_api_key", [20, 20 + OPENAI.length]],
    ]);
  });

  it("keeps secrets in the user's own files", () => {
    expect(redactLeaks(AWS, { context: "file" }).text).toBe(AWS);
  });

  it("terminates with a rule that matches the replacement", () => {
    const rules = createSafetyRules({
      added: [
        {
          id: "loud_word",
          title: "a loud word",
          reason: "It shouts.",
          severity: "low",
          kind: "leak",
          pattern: "[A-Z]{8}",
          examples: { match: ["SHOUTING"], clean: ["quiet"] },
        },
      ],
    });
    expect(redactLeaks("SHOUTING [REDACTED]", { rules }).text).toBe("[REDACTED] [REDACTED]");
  });

  it("joins overlapping ranges", () => {
    expect(
      redactRanges("0123456789", [
        [4, 7],
        [1, 3],
        [2, 5],
        [8, 9],
      ]),
    ).toBe("0[REDACTED]7[REDACTED]9");
    expect(redactRanges("text", [])).toBe("text");
  });
});
