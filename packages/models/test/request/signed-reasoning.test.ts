import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { isReasoningPart, SignedReasoning } from "../../src/request/signed-reasoning.js";

function read(...parts: LanguageModelV4StreamPart[]) {
  const signed = new SignedReasoning();
  return parts.flatMap((part) => (isReasoningPart(part) ? (signed.read(part) ?? []) : []));
}

describe("SignedReasoning", () => {
  it("[LLM-046] joins text and data of a part, whichever chunk brings the signature", () => {
    expect(
      read(
        { type: "reasoning-start", id: "1", providerMetadata: { openai: { itemId: "rs_1" } } },
        { type: "reasoning-delta", id: "1", delta: "I " },
        { type: "reasoning-start", id: "2" },
        { type: "reasoning-delta", id: "2", delta: "other" },
        {
          type: "reasoning-delta",
          id: "1",
          delta: "think",
          providerMetadata: { openai: { a: 1 } },
        },
        { type: "reasoning-end", id: "2" },
        { type: "reasoning-end", id: "1", providerMetadata: { openai: { encrypted: "x" } } },
      ),
    ).toEqual([
      { text: "I think", providerData: { openai: { itemId: "rs_1", a: 1, encrypted: "x" } } },
    ]);
  });

  it("keeps reasoning that the provider hides", () => {
    expect(
      read(
        {
          type: "reasoning-start",
          id: "1",
          providerMetadata: { anthropic: { redactedData: "x" } },
        },
        { type: "reasoning-end", id: "1" },
      ),
    ).toEqual([{ text: "", providerData: { anthropic: { redactedData: "x" } } }]);
  });
});
