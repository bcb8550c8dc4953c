import { describe, expect, it } from "vitest";
import { spokenText } from "../../src/delivery/spoken-text.js";

describe("spoken text", () => {
  it.each([
    ["It is **noon**, *really* ~~no~~ `12:00`.", "It is noon, really no 12:00."],
    ["# Plan\n\n1. wake up\n2. [work](https://example.com)", "Plan\nwake up\nwork"],
    ["> quoted\n\n![a cat](cat.png)\n\n---\n\n<b>bold</b>", "quoted\na cat\nbold"],
    ["- one\n  - two\n\nA \\*star\\*", "one\ntwo\nA *star*"],
  ])("has no markup: %j", async (markdown, text) => {
    expect(await spokenText(markdown)).toBe(text);
  });

  it("does not exist for code, tables, and long or empty replies", async () => {
    const table = "| a | b |\n|---|---|\n| 1 | 2 |";
    for (const text of ["```sh\nls\n```", table, "x".repeat(4097), "---", ""]) {
      expect(await spokenText(text)).toBeUndefined();
    }
  });
});
