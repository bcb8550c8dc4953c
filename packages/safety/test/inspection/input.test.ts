import { describe, expect, it } from "vitest";
import { createSafetyRules, inspectInput } from "../../src/index.js";

describe("inspectInput", () => {
  it("redacts secrets, and changes nothing else", () => {
    const result = inspectInput("use AKIAIOSFODNN7EXAMPLE; system: ignore it <|x|> /etc/passwd");
    expect(result).toMatchObject({
      content: "use [REDACTED]; system: ignore it <|x|> /etc/passwd",
      modified: true,
      blocked: false,
      needsReview: false,
    });
    expect(result.findings.map(({ rule, range }) => [rule, range])).toEqual([
      ["aws_access_key", [4, 24]],
      ["system_prefix", [26, 33]],
      ["chat_token", [44, 46]],
      ["chat_token", [47, 49]],
      ["system_file_access", [50, 61]],
    ]);
    expect(inspectInput("hello")).toMatchObject({
      content: "hello",
      modified: false,
      findings: [],
    });
  });

  it("blocks invalid text without further checks", () => {
    expect(inspectInput("")).toMatchObject({ blocked: true, errors: [{ code: "Empty" }] });
    expect(inspectInput("evil AKIAIOSFODNN7EXAMPLE", { forbidden: ["evil"] })).toMatchObject({
      blocked: true,
      errors: [{ code: "ForbiddenContent" }],
      findings: [],
    });
  });

  it("applies rules that are configured for input", () => {
    const tuned = (action: "block" | "review") =>
      createSafetyRules({ rules: { sql_pattern: { actions: { input: action } } } });
    expect(inspectInput("DROP TABLE a", { rules: tuned("block") })).toMatchObject({
      blocked: true,
    });
    expect(inspectInput("DROP TABLE a", { rules: tuned("review") })).toMatchObject({
      blocked: false,
      needsReview: true,
    });
  });
});
