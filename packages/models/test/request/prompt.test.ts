import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createScriptedModel } from "../../src/index.js";
import { assistant, events, request, toolCall, toolResult, user } from "../support/collect.js";

/** Returns the prompt in the form that the model receives. */
async function promptOf(messages: AgentMessage[], system?: string): Promise<LanguageModelV4Prompt> {
  const model = createScriptedModel([{ text: "ok" }]);
  await events(model, request({ messages, ...(system === undefined ? {} : { system }) }));
  const [sent] = model.requests;
  if (sent === undefined) throw new Error("the model was not asked");
  return sent.prompt;
}

describe("modelPrompt", () => {
  it("[GW-542] sends reasoning that a client brings only to the provider that signed it", async () => {
    const reply = (provider: string): AgentMessage => ({
      role: "assistant",
      content: [
        { type: "thinking", text: "Hm.", providerData: { [provider]: { signature: "s" } } },
        { type: "text", text: "Yes." },
      ],
      ...{ provider: "api", model: "caller", stopReason: "stop", timestamp: 0 },
    });
    const [own] = await promptOf([reply("scripted")]);
    expect(own?.content).toMatchObject([{ type: "reasoning", text: "Hm." }, { text: "Yes." }]);
    const [other] = await promptOf([reply("anthropic")]);
    expect(other?.content).toEqual([{ type: "text", text: "Yes." }]);
  });

  it("[LLM-046] sends signed reasoning and data of calls back to the model that made them only", async () => {
    const providerData = { anthropic: { signature: "s" } };
    const reply = (model: string): AgentMessage => ({
      role: "assistant",
      content: [
        { type: "thinking", text: "I should look.", providerData },
        { type: "thinking", text: "unsigned" },
        { ...toolCall("c1", "read"), providerData: { google: { thoughtSignature: "t" } } },
      ],
      ...{ provider: "scripted", model, stopReason: "tool-calls", timestamp: 0 },
    });
    const call = { type: "tool-call", toolCallId: "c1", toolName: "read", input: {} };
    const own = await promptOf([user("hi"), reply("script"), toolResult("c1", "text")]);
    expect(own[1]).toEqual({
      role: "assistant",
      content: [
        { type: "reasoning", text: "I should look.", providerOptions: providerData },
        { ...call, providerOptions: { google: { thoughtSignature: "t" } } },
      ],
    });
    const foreign = await promptOf([user("hi"), reply("other"), toolResult("c1", "text")]);
    expect(foreign[1]).toEqual({ role: "assistant", content: [call] });
  });

  it("leaves out a message that has only reasoning, even if it is signed", async () => {
    const content = [{ type: "thinking" as const, text: "hm", providerData: { a: {} } }];
    const thought = { role: "assistant", content, provider: "scripted", model: "script" } as const;
    const prompt = await promptOf([
      user("hi"),
      { ...thought, content, stopReason: "length", timestamp: 0 },
      user("go on"),
    ]);
    expect(prompt.map(({ role }) => role)).toEqual(["user", "user"]);
  });

  it("contains user text and images, assistant text and calls, and results", async () => {
    const prompt = await promptOf(
      [
        {
          role: "user",
          content: [
            { type: "text", text: "what is this?" },
            { type: "image", data: "aGk=", mimeType: "image/png" },
          ],
          timestamp: 0,
        },
        assistant([
          { type: "thinking", text: "secret thoughts" },
          { type: "text", text: "Let me look." },
          toolCall("c1", "read", { path: "a" }),
        ]),
        toolResult("c1", "a cat", { details: { hidden: true } }),
        assistant([{ type: "text", text: "A cat." }]),
        user("thanks"),
      ],
      "be kind",
    );
    expect(prompt).toEqual([
      { role: "system", content: "be kind" },
      {
        role: "user",
        content: [
          { type: "text", text: "what is this?" },
          { type: "file", mediaType: "image/png", data: { type: "data", data: "aGk=" } },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "text", text: "Let me look." },
          { type: "tool-call", toolCallId: "c1", toolName: "read", input: { path: "a" } },
        ],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "c1",
            toolName: "read",
            output: { type: "text", value: "a cat" },
          },
        ],
      },
      { role: "assistant", content: [{ type: "text", text: "A cat." }] },
      { role: "user", content: [{ type: "text", text: "thanks" }] },
    ]);
    expect(JSON.stringify(prompt)).not.toMatch(/hidden|secret thoughts/);
  });

  it("marks failed results and fills empty ones", async () => {
    const prompt = await promptOf([
      assistant([toolCall("a", "read"), toolCall("b", "read")]),
      toolResult("a", "no such file", { isError: true }),
      toolResult("b", ""),
    ]);
    expect(prompt[1]).toMatchObject({
      content: [
        { output: { type: "error-text", value: "no such file" } },
        { output: { type: "text", value: "(the tool gave no output)" } },
      ],
    });
  });

  it("adds the images of results as a user message after all results", async () => {
    const image = { type: "image" as const, data: "aGk=", mimeType: "image/png" };
    const prompt = await promptOf([
      assistant([toolCall("a", "read"), toolCall("b", "read")]),
      {
        role: "toolResult",
        toolCallId: "a",
        toolName: "read",
        content: [{ type: "text", text: "cat.png" }, image],
        isError: false,
        timestamp: 0,
      },
      toolResult("b", "text"),
    ]);
    expect(prompt.map(({ role }) => role)).toEqual(["assistant", "tool", "user"]);
    expect(JSON.stringify(prompt[1])).not.toContain("aGk=");
    expect(prompt[2]).toMatchObject({
      content: [
        { type: "text" },
        { type: "text", text: "From read (a):" },
        { type: "file", mediaType: "image/png", data: { type: "data", data: "aGk=" } },
      ],
    });
  });

  it("moves a late result to its call, before the messages in between", async () => {
    const prompt = await promptOf([
      assistant([toolCall("a", "read")]),
      user("wait, also this"),
      toolResult("a", "late"),
    ]);
    expect(prompt.map(({ role }) => role)).toEqual(["assistant", "tool", "user"]);
  });

  it("answers a call without a result, and leaves out results without a call", async () => {
    const prompt = await promptOf([
      toolResult("gone", "of a call that compaction cut"),
      assistant([toolCall("a", "exec")], "interrupted"),
      user("go on"),
      toolResult("a", "first"),
      toolResult("a", "second"),
      assistant([toolCall("b", "exec")], "interrupted"),
    ]);
    expect(JSON.stringify(prompt)).not.toMatch(/gone|second/);
    expect(prompt.at(-1)).toMatchObject({
      role: "tool",
      content: [{ toolCallId: "b", output: { type: "error-text" } }],
    });
  });

  it("assigns results of repeated ids to the newest turn's calls in order", async () => {
    const prompt = await promptOf([
      assistant([toolCall("x", "one")]),
      assistant([toolCall("x", "two"), toolCall("x", "three")]),
      toolResult("x", "of two"),
      toolResult("x", "of three"),
    ]);
    const results = prompt.flatMap((message) => (message.role === "tool" ? message.content : []));
    expect(results).toMatchObject([
      { toolCallId: "x", toolName: "one", output: { type: "error-text" } },
      { toolCallId: "x-2", toolName: "two", output: { value: "of two" } },
      { toolCallId: "x-3", toolName: "three", output: { value: "of three" } },
    ]);
  });

  it("replaces IDs and names that an API would reject, in calls and results", async () => {
    const id = "functions.read:0";
    const long = "x".repeat(80);
    const prompt = await promptOf([
      assistant([toolCall(id, "fs.read file"), toolCall(long, "")]),
      toolResult(id, "a"),
      toolResult(long, "b"),
    ]);
    expect(prompt).toMatchObject([
      {
        content: [
          { toolCallId: "functions_read_0", toolName: "fs_read_file" },
          { toolCallId: "x".repeat(40), toolName: "unnamed" },
        ],
      },
      {
        content: [
          { toolCallId: "functions_read_0", toolName: "fs_read_file", output: { value: "a" } },
          { toolCallId: "x".repeat(40), toolName: "unnamed", output: { value: "b" } },
        ],
      },
    ]);
  });

  it("wraps arguments that are not an object", async () => {
    const prompt = await promptOf([
      assistant([toolCall("a", "read", '{"path": "cut'), toolCall("b", "read", [1])]),
    ]);
    expect(prompt[0]).toMatchObject({
      content: [{ input: { unparsed: '{"path": "cut' } }, { input: { unparsed: [1] } }],
    });
  });

  it("leaves out blank text and empty messages", async () => {
    const prompt = await promptOf(
      [
        user("  \n"),
        assistant([{ type: "thinking", text: "hm" }]),
        assistant([{ type: "text", text: " " }]),
        user("hi"),
      ],
      "  ",
    );
    expect(prompt).toEqual([{ role: "user", content: [{ type: "text", text: "hi" }] }]);
  });

  it("follows every call with exactly its results, for any transcript", async () => {
    const id = fc.constantFrom("a", "b", "a.b", "", "x".repeat(50));
    const name = fc.constantFrom("read", "", "bad name!");
    const textPart = fc.record({ type: fc.constant("text" as const), text: fc.string() });
    const callPart = fc.record({
      type: fc.constant("toolCall" as const),
      toolCallId: id,
      toolName: name,
      params: fc.constant({}),
    });
    const imagePart = fc.constant({ type: "image" as const, data: "aGk=", mimeType: "image/png" });
    const content = fc.array(fc.oneof(textPart, imagePart), { maxLength: 3 });
    const message: fc.Arbitrary<AgentMessage> = fc.oneof(
      content.map((parts) => ({ role: "user" as const, content: parts, timestamp: 0 })),
      fc.array(fc.oneof(textPart, callPart), { maxLength: 4 }).map((parts) => assistant(parts)),
      fc.record({
        role: fc.constant("toolResult" as const),
        toolCallId: id,
        toolName: name,
        content,
        isError: fc.boolean(),
        timestamp: fc.constant(0),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 12 }), async (messages) => {
        const prompt = await promptOf(messages);
        const seen = new Set<string>();
        for (const [index, entry] of prompt.entries()) {
          expect(entry.content.length).toBeGreaterThan(0);
          if (entry.role === "tool") expect(prompt[index - 1]?.role).toBe("assistant");
          if (entry.role !== "assistant") continue;
          const calls = entry.content.flatMap((part) => (part.type === "tool-call" ? [part] : []));
          const next = prompt[index + 1];
          const results = next?.role === "tool" ? next.content : [];
          const pairs = (parts: typeof calls | typeof results) =>
            parts.map((part) => ("toolName" in part ? [part.toolCallId, part.toolName] : []));
          expect(pairs(results)).toEqual(pairs(calls));
          for (const { toolCallId, toolName } of calls) {
            expect(seen.has(toolCallId)).toBe(false);
            seen.add(toolCallId);
            expect(toolCallId).toMatch(/^[A-Za-z0-9_-]{1,40}$/);
            expect(toolName).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
          }
        }
      }),
    );
  });
});
