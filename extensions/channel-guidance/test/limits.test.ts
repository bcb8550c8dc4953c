import { describe, expect, it } from "vitest";
import { limitProblems } from "../src/limits.js";

const TABLE = "| a | b |\n|---|---|\n| 1 | 2 |";

describe("limits of channels", () => {
  it("finds long messages and markup that the channel does not show, outside code", () => {
    expect(limitProblems("Telegram", `# Title\n\n${TABLE}`)).toEqual([
      "headings are not shown",
      "tables are not shown",
    ]);
    expect(limitProblems("slack", "see [this](https://example.com)")).toEqual([
      "links are not shown",
    ]);
    expect(limitProblems("discord", "x".repeat(2001))).toEqual([
      "the text has 2001 characters, and a message at most 2000",
    ]);
    const code = `\`\`\`md\n# Title\n${TABLE}\n\`\`\` and \`[a](b)\``;
    expect(limitProblems("slack", code)).toEqual([]);
    expect(limitProblems("discord", "# Title [a](b)")).toEqual([]);
  });

  it("has none for other channels", () => {
    expect(limitProblems("carrier-pigeon", `# ${"x".repeat(10_000)}`)).toEqual([]);
  });
});
