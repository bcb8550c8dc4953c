import type { ChatCompletionMessage, ChatCompletionRequest } from "@openclaw/protocol/openai";
import { describe, expect, it } from "vitest";
import { readMessages, readSettings } from "../../../src/openai/chat/request.js";
import { ContentReader } from "../../../src/openai/content.js";

const NOW = 1_700_000_000_000;
const reader = () =>
  new ContentReader(
    () => Promise.reject(new Error("nothing to fetch")),
    new AbortController().signal,
  );
const read = (...messages: ChatCompletionMessage[]) => readMessages(messages, reader(), NOW);
const PIXEL = "data:image/png;base64,iVBORw0KGgo=";

describe("readMessages", () => {
  it("returns the text of a single message", async () => {
    expect(await read({ role: "user", content: "hello" })).toEqual({
      instructions: undefined,
      entries: [{ role: "user", content: [{ type: "text", text: "hello" }], timestamp: NOW }],
    });
  });

  it("collects instructions from any position", async () => {
    expect(
      await read(
        { role: "system", content: "Be brief." },
        { role: "user", content: "one" },
        {
          role: "developer",
          content: [
            { type: "text", text: "Be kind." },
            { type: "text", text: "Be true." },
          ],
        },
        { role: "user", content: "two" },
      ),
    ).toMatchObject({
      instructions: "Be brief.\n\nBe kind.\nBe true.",
      entries: [{ role: "user" }, { role: "user" }],
    });
  });

  it("converts messages with calls, results and images, and replies in which the model declined", async () => {
    const conversation = await read(
      {
        role: "user",
        content: [
          { type: "text", text: "what is this" },
          { type: "image_url", image_url: { url: PIXEL } },
        ],
      },
      {
        role: "assistant",
        content: "I look.",
        tool_calls: [
          { id: "1", type: "function", function: { name: "look", arguments: '{"at":"it"}' } },
          { id: "2", type: "function", function: { name: "look", arguments: "not json" } },
        ],
      },
      { role: "tool", tool_call_id: "1", content: [{ type: "text", text: "a cat" }] },
      { role: "assistant", content: [{ type: "refusal", refusal: "No." }] },
      { role: "assistant", content: null },
    );
    expect(conversation).toMatchObject({
      entries: [
        {
          role: "user",
          content: [
            { type: "text", text: "what is this" },
            { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "text", text: "I look." },
            { type: "toolCall", toolCallId: "1", toolName: "look", params: { at: "it" } },
            { type: "toolCall", toolCallId: "2", toolName: "look", params: "not json" },
          ],
          stopReason: "tool-calls",
        },
        { role: "toolResult", toolCallId: "1", content: [{ type: "text", text: "a cat" }] },
        { role: "assistant", content: [{ type: "text", text: "No." }] },
        { role: "assistant", content: [], stopReason: "stop" },
      ],
    });
  });

  it.each([
    "data:image/svg+xml;base64,PHN2Zz4=",
    "data:image/png;base64,not base64",
    "file:///etc/passwd",
  ])("rejects the image %s", async (url) => {
    const image = { type: "image_url" as const, image_url: { url } };
    expect(await read({ role: "user", content: [image] })).toMatchObject({
      status: 400,
      code: "image_unsupported",
      param: "messages[0].content[0].image_url.url",
    });
  });
});

describe("readSettings", () => {
  const settings = (rest: Partial<ChatCompletionRequest>) =>
    readSettings({ model: "openclaw", messages: [{ role: "user", content: "x" }], ...rest });

  it("maps every sampling parameter", () => {
    expect(
      settings({
        temperature: 0.5,
        top_p: 0.9,
        presence_penalty: 1,
        frequency_penalty: -1,
        seed: 7,
        stop: "END",
        max_completion_tokens: 50,
        response_format: { type: "json_object" },
        reasoning_effort: "low",
      }),
    ).toEqual({
      temperature: 0.5,
      topP: 0.9,
      presencePenalty: 1,
      frequencyPenalty: -1,
      seed: 7,
      stopSequences: ["END"],
      maxOutputTokens: 50,
      responseFormat: { type: "json" },
      reasoning: "low",
    });
    expect(settings({ temperature: null, stop: null, response_format: { type: "text" } })).toEqual(
      {},
    );
  });

  it("rejects two different limits of tokens", () => {
    expect(settings({ max_tokens: 1, max_completion_tokens: 2 })).toMatchObject({
      status: 400,
      param: "max_tokens",
    });
    expect(settings({ max_tokens: 2, max_completion_tokens: 2 })).toEqual({ maxOutputTokens: 2 });
  });
});
