import { toolTokens } from "@openclaw/models";
import { expect, it } from "vitest";
import { requestSize, textTokens } from "../../src/index.js";
import counted from "./counted-texts.json" with { type: "json" };

it.each(counted)(
  "[LLM-800] estimates a text, $kind, near the tokens of the encoding o200k",
  ({ text, tokens }) => {
    expect(Math.abs(textTokens(text) - tokens) / tokens).toBeLessThan(0.16);
  },
);

it("[LLM-800] counts a definition of a tool in a request as `tool list --cost` does", () => {
  const parameters = { type: "object", properties: { path: { type: "string", minLength: 1 } } };
  const tool = { name: "open", description: "Opens a file.", parameters };
  const sized = (tools: readonly (typeof tool)[]) =>
    requestSize({ request: { system: "s", messages: [], tools: [...tools] } }).input;
  expect(sized([tool]) - sized([])).toBe(toolTokens(tool));
});
