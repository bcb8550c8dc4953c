import { describe, expect, it } from "vitest";
import { messageSize } from "../../src/index.js";
import vectors from "../vectors/core.json" with { type: "json" };

describe("size of a message", () => {
  it("[LLM-034] is that of the examples", () => {
    for (const { id, input, class: size } of vectors.smart_routing) {
      expect(messageSize(input), id).toBe(size);
    }
  });

  it.each([
    ["x".repeat(200), "simple"],
    ["x".repeat(201), "default"],
    ["x".repeat(999), "default"],
    ["x".repeat(1000), "complex"],
    ["see:\n```\nx\n```", "complex"],
    ["the ``` sign in a line", "simple"],
    ["Refactored?", "complex"],
    ["IMPLEMENT it", "complex"],
    ["debugging", "complex"],
    ["an undebuggable thing", "simple"],
  ])("[LLM-034] follows from code, length and verbs: %j", (text, size) => {
    expect(messageSize(text)).toBe(size);
  });
});
