import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it } from "vitest";
import { createScriptedModel, isMalformedToolCall, type ScriptToolCall } from "../../src/index.js";
import { assistant, events, request, toolCall, toolResult, user } from "../support/collect.js";

async function callsOf(toolCalls: ScriptToolCall[], messages: AgentMessage[] = [user("go")]) {
  const all = await events(createScriptedModel([{ toolCalls }]), request({ messages }));
  return all.flatMap((event) => (event.type === "tool-call" ? [event.call] : []));
}

describe("createToolCallReader", () => {
  it("returns parsed arguments, and an empty object for none", async () => {
    const calls = await callsOf([
      { toolName: "a", toolCallId: "1", params: { deep: [1, { x: null }] } },
      { toolName: "b", toolCallId: "2", rawParams: "" },
      { toolName: "c", toolCallId: "3", rawParams: "[]" },
    ]);
    expect(calls).toEqual([
      { toolCallId: "1", toolName: "a", params: { deep: [1, { x: null }] } },
      { toolCallId: "2", toolName: "b", params: {} },
      { toolCallId: "3", toolName: "c", params: [] },
    ]);
  });

  it.each(['{"path": "a', "{path: 1}", "read it", '{"a":1} {"b":2}'])(
    "[LLM-038] marks %s as malformed, with instructions",
    async (rawParams) => {
      const [call] = await callsOf([{ toolName: "read", toolCallId: "1", rawParams }]);
      expect(call && isMalformedToolCall(call)).toBe(true);
      expect(call).toMatchObject({ toolCallId: "1", toolName: "read", rawParams });
      expect(call).toHaveProperty(
        "problem",
        expect.stringMatching(/^The arguments are not usable/),
      );
      expect(call).toHaveProperty("problem", expect.stringContaining("did not run"));
    },
  );

  it.each([
    ['{"chat_id": 9007199254740995}', 'write it in quotes: "9007199254740995"'],
    ['{"ids": [{"id": -100123456789012345678}]}', '"-100123456789012345678"'],
    ['{"amount": 1e400}', 'write it in quotes: "1e400"'],
    [`{"id": ${"12".repeat(30)}}`, "write it in quotes"],
  ])("[GW-220] does not round a number in %s", async (rawParams, advice) => {
    const [call] = await callsOf([{ toolName: "send", toolCallId: "1", rawParams }]);
    expect(call).toHaveProperty("problem", expect.stringContaining(advice));
    expect(call).toHaveProperty("problem", expect.stringContaining("did not run"));
  });

  it("[GW-220] keeps large numbers that are exact, and fractions", async () => {
    const rawParams = '{"a": 9007199254740992, "b": 1e21, "c": 0.1, "d": -5}';
    const [call] = await callsOf([{ toolName: "send", toolCallId: "1", rawParams }]);
    expect(call).toHaveProperty("params", { a: 9007199254740992, b: 1e21, c: 0.1, d: -5 });
  });

  it("rejects arguments that would replace a prototype", async () => {
    const [call] = await callsOf([
      { toolName: "read", rawParams: '{"a": {"__proto__": {"admin": true}}}' },
    ]);
    expect(call).toHaveProperty("problem", expect.stringContaining("__proto__"));
  });

  it("marks a call without a tool name as malformed", async () => {
    const [call] = await callsOf([{ toolName: " ", toolCallId: "1", rawParams: "{}" }]);
    expect(call).toMatchObject({
      toolName: "unnamed",
      problem: expect.stringContaining("no tool"),
    });
  });

  it("makes every id unique in the reply and the conversation", async () => {
    const calls = await callsOf(
      [
        { toolName: "a", toolCallId: "same" },
        { toolName: "b", toolCallId: "same" },
        { toolName: "c", toolCallId: "old" },
        { toolName: "d", toolCallId: "" },
        { toolName: "e", toolCallId: "  " },
      ],
      [user("go"), assistant([toolCall("old", "a")]), toolResult("old", "x")],
    );
    expect(calls.map(({ toolCallId }) => toolCallId)).toEqual([
      "same",
      "same-2",
      "old-2",
      "call",
      "call-2",
    ]);
  });
});
