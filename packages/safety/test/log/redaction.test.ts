import { describe, expect, it } from "vitest";
import { createSafetyRules, redactLogText } from "../../src/index.js";

describe("redactLogText", () => {
  it.each([
    ["key sk-proj-abc123def456ghi789jkl012mno", "key [REDACTED_API_KEY]"],
    ["Authorization: Bearer abcdefghijklmnopqrstuvwxyz", "[REDACTED_BEARER]"],
    ["with Bearer abc12345", "with [REDACTED_BEARER]"],
    ["with Basic dXNlcjpwYXNz", "with [REDACTED_BASIC_AUTH]"],
    ["id AKIAIOSFODNN7EXAMPLE", "id [REDACTED_AWS_KEY]"],
    [
      "aws_secret_access_key=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
      "aws_secret_access_key=[REDACTED_AWS_SECRET]",
    ],
    ["by alice.smith+x@mail.example.com.", "by [REDACTED_EMAIL]."],
    ["jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "jwt [REDACTED_JWT]"],
    [
      "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY----- ok",
      "[REDACTED_PRIVATE_KEY] ok",
    ],
    [`secret: ${"ab".repeat(32)}`, "secret: [REDACTED_HEX_SECRET]"],
    ["GET https://me:hunter2@example.com/x", "GET https://[REDACTED_BASIC_AUTH]@example.com/x"],
    ["postgres://u:p@ss@db:5432/x up", "[REDACTED_CONNECTION_STRING] up"],
    ["token ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "token [REDACTED_GITHUB_TOKEN]"],
    ["slack xoxb-1234567890-abc", "slack [REDACTED_SLACK_TOKEN]"],
  ])("[SAFE-055] writes %j as %j", (line, redacted) => {
    expect(redactLogText(line)).toBe(redacted);
    expect(redactLogText(redacted)).toBe(redacted);
  });

  it("[SAFE-055] keeps unlabelled digests, and returns a clean line as the same string", () => {
    for (const line of [
      "hash: 0123456789abcdef0123456789abcdef",
      "GET / 200 12ms",
      "bearer of news",
      "Basic training 12",
      "mail to a@b",
    ]) {
      expect(redactLogText(line)).toBe(line);
    }
  });

  it("labels overlapping matches by the rule that comes first", () => {
    expect(redactLogText("GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx")).toBe(
      "GITHUB_TOKEN=[REDACTED_GITHUB_TOKEN]",
    );
    expect(redactLogText("Authorization: Basic dXNlcjpwYXNzd29yZDEyMw==")).toBe(
      "[REDACTED_BASIC_AUTH]",
    );
    expect(redactLogText('password="ab@example.com"')).toBe("password=[REDACTED_PASSWORD]");
  });

  it("redacts the findings of added rules", () => {
    const rules = createSafetyRules({
      added: [
        {
          id: "badge",
          title: "badge number",
          reason: "It opens doors.",
          severity: "high",
          kind: "leak",
          pattern: "BADGE-\\d{4}",
          literals: ["BADGE-"],
          examples: { match: ["BADGE-1234"], clean: ["BADGE-12"] },
        },
      ],
    });
    expect(redactLogText("by BADGE-1234", { rules })).toBe("by [REDACTED_API_KEY]");
  });
});
