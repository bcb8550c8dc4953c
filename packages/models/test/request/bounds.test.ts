import { describe, expect, it } from "vitest";
import { createScriptedModel, isMalformedToolCall, type ScriptToolCall } from "../../src/index.js";
import { events, request, user } from "../support/collect.js";

async function callsOf(toolCalls: ScriptToolCall[]) {
  const all = await events(
    createScriptedModel([{ toolCalls }]),
    request({ messages: [user("go")] }),
  );
  return all.flatMap((event) => (event.type === "tool-call" ? [event.call] : []));
}

async function problemOf(rawParams: string) {
  const [call] = await callsOf([{ toolName: "write", rawParams }]);
  if (call === undefined) throw new Error("no call");
  return isMalformedToolCall(call) ? call : undefined;
}

describe("limits of a reply's tool calls", () => {
  it("leave out everything after the first 64 calls, and answer one call for all of them", async () => {
    const calls = await callsOf(
      Array.from({ length: 10_000 }, () => ({ toolName: "write", toolCallId: "same", params: {} })),
    );
    expect(calls).toHaveLength(65);
    expect(new Set(calls.map(({ toolCallId }) => toolCallId)).size).toBe(65);
    expect(calls.slice(0, 64).some(isMalformedToolCall)).toBe(false);
    expect(calls.at(64)).toMatchObject({
      problem: expect.stringContaining("more than 64 tool calls"),
    });
  });

  it("reject arguments that are too long, for one call or for all, and keep their start", async () => {
    const long = await problemOf(`{"content":"${"x".repeat(262_144)}"}`);
    expect(long?.problem).toContain("at most 262144 for one call");
    expect(long?.rawParams).toHaveLength(1000);
    const content = "x".repeat(200_000);
    const calls = await callsOf(
      Array.from({ length: 7 }, () => ({ toolName: "write", params: { content } })),
    );
    expect(calls.map(isMalformedToolCall)).toEqual([false, false, false, false, false, true, true]);
  });

  it("reject arguments that are too deep or have too many values", async () => {
    const deep = (levels: number) => `{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
    expect((await problemOf(deep(100_000)))?.problem).toContain("more than 64 levels");
    expect((await problemOf(deep(65)))?.problem).toContain("more than 64 levels");
    expect(await problemOf(deep(64))).toBeUndefined();
    const list = (length: number) => `{"a":[${Array(length).fill(1).join(",")}]}`;
    expect((await problemOf(list(100_000)))?.problem).toContain("more than 10000 values");
    expect(await problemOf(list(9_990))).toBeUndefined();
    // Brackets and commas in strings are not structure.
    expect(await problemOf(`{"a":"${'[,\\"{'.repeat(5000)}"}`)).toBeUndefined();
  });
});
