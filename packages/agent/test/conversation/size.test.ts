import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../src/conversation/size.js";

describe("conversation size", () => {
  it.each([
    ["", 4],
    ["word word word word word", 10],
    [Array(100).fill("word").join(" "), 134],
    ["  two\n\twords ", 6],
    ["预算会议", 9],
    ["Hello 世界", 7],
    ["회의를", 7],
    ["ความ", 9],
    ["x".repeat(400), 104],
  ])("[SUB-036] is 1.3 tokens for each word and 4 for each message: %.30j", (text, tokens) => {
    expect(
      estimateTokens([{ role: "user", content: [{ type: "text", text }], timestamp: 0 }]),
    ).toBe(tokens);
  });

  it("[SUB-036] is 1,000 tokens for each image", () => {
    const image = { type: "image" as const, data: "AAAA", mimeType: "image/png" };
    const result = {
      ...{ role: "toolResult" as const, toolCallId: "1", toolName: "look", isError: false },
      ...{ content: [{ type: "text" as const, text: "two" }, image, image], timestamp: 0 },
    };
    expect(estimateTokens([result])).toBe(2005);
  });

  it("counts the arguments of calls and ignores details", () => {
    expect(
      estimateTokens([
        {
          role: "toolResult",
          toolCallId: "1",
          toolName: "read",
          isError: false,
          content: [{ type: "text", text: "ok" }],
          details: { long: "many words that no model is shown" },
          timestamp: 0,
        },
      ]),
    ).toBe(5);
  });
});
