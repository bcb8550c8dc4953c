import { describe, expect, it } from "vitest";
import { createScriptedModel, InvalidModelScriptError, parseModelScript } from "../../src/index.js";
import { events } from "../support/collect.js";

describe("parseModelScript", () => {
  it("reads every field, ready to be replayed", async () => {
    const steps = [
      {
        thinking: "hm",
        text: "hello",
        toolCalls: [
          { toolName: "read", params: { path: "a", deep: [null, true, 1] }, toolCallId: "c" },
          { toolName: "raw", rawParams: "{" },
        ],
        finish: "length",
        usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, total: 5 },
        delayMs: 0,
      },
      { text: "x", breakAfter: 1, error: { status: 500, message: "boom", retryAfterMs: 10 } },
    ];
    const script = parseModelScript(JSON.stringify(steps), "s.json");
    expect(script).toEqual(steps);
    const types = (await events(createScriptedModel(script))).map(({ type }) => type);
    expect(types).toEqual(["thinking", "text", "tool-call", "tool-call", "finish"]);
  });

  it.each([
    ["{", "it is not JSON"],
    ['{"text": "x"}', "expected an array of steps, got {"],
    ["null", "expected an array of steps, got null"],
    ["[[]]", "step 1: expected an object, got an array"],
    ['[{}, {"txt": "x"}]', 'step 2: unknown field "txt"; did you mean "text"?'],
    ['[{"waitFor": 1}]', 'step 1: unknown field "waitFor"'],
    ['[{"constructor": 1}]', 'step 1: unknown field "constructor"'],
    ['[{"text": 1}]', "step 1.text: expected text, got 1"],
    ['[{"breakAfter": -1}]', "step 1.breakAfter: expected a whole number from 0, got -1"],
    ['[{"finish": "done"}]', "step 1.finish: expected one of stop, length"],
    ['[{"toolCalls": {}}]', "step 1.toolCalls: expected an array of tool calls, got {}"],
    ['[{"toolCalls": [{}]}]', "step 1.toolCalls.0.toolName: expected text, got nothing"],
    ['[{"error": {"status": 500}}]', "step 1.error.message: expected text, got nothing"],
    ['[{"usage": {"input": 0.5}}]', "step 1.usage.input: expected a whole number"],
  ])("rejects %s", (text, problem) => {
    let error: unknown;
    try {
      parseModelScript(text, "demo.json");
    } catch (thrown) {
      error = thrown;
    }
    expect(InvalidModelScriptError.isInstance(error) && error.source).toBe("demo.json");
    expect(error).toHaveProperty(
      "message",
      expect.stringContaining(`model script demo.json is invalid: ${problem}`),
    );
  });
});
