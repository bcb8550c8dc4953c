import type {
  LanguageModelV2,
  LanguageModelV2CallOptions,
  LanguageModelV2StreamPart,
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import {
  createScriptedModel,
  liftLanguageModel,
  UnsupportedModelSpecError,
  UnsupportedPromptPartError,
} from "../../src/index.js";
import {
  assistant,
  collect,
  events,
  failure,
  request,
  toolCall,
  toolResult,
} from "../support/collect.js";

const PNG = new Uint8Array([1, 2, 3]);

/** Every kind of part that v4 and v3 prompts have in common, and file data in each form. */
const PROMPT: LanguageModelV4Prompt = [
  { role: "system", content: "sys" },
  {
    role: "user",
    content: [
      { type: "text", text: "see", providerOptions: { p: { a: 1, b: undefined } } },
      { type: "file", mediaType: "image/png", data: { type: "data", data: PNG } },
      {
        type: "file",
        mediaType: "image/png",
        data: { type: "url", url: new URL("http://x/a.png") },
      },
      { type: "file", mediaType: "text/plain", data: { type: "text", text: "héllo" } },
    ],
  },
  {
    role: "assistant",
    content: [
      { type: "reasoning", text: "hm" },
      { type: "tool-call", toolCallId: "c", toolName: "read", input: { a: 1 } },
    ],
  },
  {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: "c",
        toolName: "read",
        output: {
          type: "content",
          value: [
            { type: "text", text: "a" },
            { type: "file", mediaType: "image/png", data: { type: "data", data: "aGk=" } },
            {
              type: "file",
              mediaType: "text/plain",
              filename: "f",
              data: { type: "text", text: "hi" },
            },
          ],
        },
      },
      {
        type: "tool-result",
        toolCallId: "d",
        toolName: "exec",
        output: { type: "execution-denied", reason: "not today" },
      },
    ],
  },
];

function v2Model(parts: LanguageModelV2StreamPart[]) {
  const asked: LanguageModelV2CallOptions[] = [];
  const model: LanguageModelV2 = {
    specificationVersion: "v2",
    provider: "old",
    modelId: "two",
    supportedUrls: { "image/*": [/x/] },
    async doGenerate(options) {
      asked.push(options);
      return {
        content: [
          { type: "text", text: "hi" },
          { type: "file", mediaType: "image/png", data: "aGk=" },
          { type: "tool-result", toolCallId: "s", toolName: "search", result: undefined },
        ],
        finishReason: "unknown",
        usage: { inputTokens: 5, outputTokens: 2, totalTokens: 7, cachedInputTokens: 3 },
        warnings: [
          { type: "unsupported-setting", setting: "topK", details: "never" },
          { type: "unsupported-tool", tool: { type: "function", name: "t", inputSchema: {} } },
          { type: "other", message: "o" },
        ],
      };
    },
    async doStream(options) {
      asked.push(options);
      return { stream: ReadableStream.from(parts), response: { headers: { a: "b" } } };
    },
  };
  return { model, asked };
}

function v3Model(parts: LanguageModelV3StreamPart[]) {
  const asked: LanguageModelV3CallOptions[] = [];
  const model: LanguageModelV3 = {
    specificationVersion: "v3",
    provider: "middle",
    modelId: "three",
    supportedUrls: {},
    async doGenerate(options) {
      asked.push(options);
      return {
        content: [{ type: "file", mediaType: "image/png", data: PNG }],
        finishReason: { unified: "length", raw: "max_tokens" },
        usage: V3_USAGE,
        warnings: [{ type: "other", message: "o" }],
      };
    },
    async doStream(options) {
      asked.push(options);
      return { stream: ReadableStream.from(parts) };
    },
  };
  return { model, asked };
}

const V3_USAGE = {
  inputTokens: { total: 5, noCache: 2, cacheRead: 3, cacheWrite: undefined },
  outputTokens: { total: 2, text: 1, reasoning: 1 },
};

async function streamed(model: unknown, options: Partial<LanguageModelV4CallOptions> = {}) {
  const { stream } = await liftLanguageModel(model).doStream({ prompt: [], ...options });
  return collect<LanguageModelV4StreamPart>(stream);
}

describe("liftLanguageModel, v4", () => {
  it("[LLM-002] returns the same object", () => {
    const model = createScriptedModel([]);
    expect(liftLanguageModel(model)).toBe(model);
  });
});

describe("liftLanguageModel, v3", () => {
  it("[LLM-002] converts streamed parts of v3 to v4", async () => {
    const { model } = v3Model([
      { type: "stream-start", warnings: [{ type: "other", message: "o" }] },
      { type: "text-delta", id: "t", delta: "hi" },
      { type: "file", mediaType: "image/png", data: "aGk=" },
      { type: "finish", finishReason: { unified: "stop", raw: "end" }, usage: V3_USAGE },
    ]);
    expect(await streamed(model, { reasoning: "high" })).toEqual([
      {
        type: "stream-start",
        warnings: [
          expect.objectContaining({ type: "unsupported", feature: "reasoning" }),
          { type: "other", message: "o" },
        ],
      },
      { type: "text-delta", id: "t", delta: "hi" },
      { type: "file", mediaType: "image/png", data: { type: "data", data: "aGk=" } },
      { type: "finish", finishReason: { unified: "stop", raw: "end" }, usage: V3_USAGE },
    ]);
  });

  it("converts generated content to v4", async () => {
    const lifted = liftLanguageModel(v3Model([]).model);
    await expect(lifted.doGenerate({ prompt: [], reasoning: "low" })).resolves.toMatchObject({
      content: [{ type: "file", data: { type: "data", data: PNG } }],
      finishReason: { unified: "length", raw: "max_tokens" },
      warnings: [{ feature: "reasoning" }, { message: "o" }],
    });
  });

  it("converts the prompt to v3", async () => {
    const { model, asked } = v3Model([]);
    await streamed(model, { prompt: PROMPT, temperature: 1, reasoning: "high" });
    expect(asked[0]).not.toHaveProperty("reasoning");
    expect(asked[0]?.temperature).toBe(1);
    expect(asked[0]?.prompt).toMatchObject([
      { role: "system", content: "sys" },
      {
        content: [
          { type: "text", text: "see" },
          { type: "file", data: PNG },
          { type: "file", data: new URL("http://x/a.png") },
          { type: "file", data: Buffer.from("héllo").toString("base64") },
        ],
      },
      {
        content: [
          { type: "reasoning", text: "hm" },
          { type: "tool-call", input: { a: 1 } },
        ],
      },
      {
        content: [
          {
            output: {
              type: "content",
              value: [
                { type: "text", text: "a" },
                { type: "image-data", data: "aGk=", mediaType: "image/png" },
                { type: "file-data", data: "aGk=", mediaType: "text/plain", filename: "f" },
              ],
            },
          },
          { output: { type: "execution-denied", reason: "not today" } },
        ],
      },
    ]);
  });

  it("converts URLs in tool results by kind", async () => {
    const { model, asked } = v3Model([]);
    const file = (mediaType: string) => ({
      type: "file" as const,
      mediaType,
      data: { type: "url" as const, url: new URL("http://x/a") },
    });
    const output = { type: "content" as const, value: [file("image/png"), file("text/csv")] };
    const result = { type: "tool-result" as const, toolCallId: "c", toolName: "t", output };
    await streamed(model, { prompt: [{ role: "tool", content: [result] }] });
    expect(asked[0]?.prompt[0]).toMatchObject({
      content: [
        {
          output: {
            value: [
              { type: "image-url", url: "http://x/a" },
              { type: "file-url", url: "http://x/a" },
            ],
          },
        },
      ],
    });
  });

  it.each<[string, LanguageModelV4Prompt]>([
    [
      "a file by reference",
      [
        {
          role: "user",
          content: [
            { type: "file", mediaType: "a/b", data: { type: "reference", reference: { p: "id" } } },
          ],
        },
      ],
    ],
    ["a part of type custom", [{ role: "assistant", content: [{ type: "custom", kind: "a.b" }] }]],
  ])("rejects %s", async (part, prompt) => {
    const lifting = streamed(v3Model([]).model, { prompt });
    await expect(lifting).rejects.toThrow(UnsupportedPromptPartError);
    await expect(lifting).rejects.toThrow(part);
  });

  it("forwards a cancellation to the stream of the model", async () => {
    let cancelled = false;
    const { model } = v3Model([]);
    const lifted = liftLanguageModel({
      ...model,
      doStream: async () => ({
        stream: new ReadableStream({
          cancel() {
            cancelled = true;
          },
        }),
      }),
    });
    const { stream } = await lifted.doStream({ prompt: [] });
    await stream.cancel();
    expect(cancelled).toBe(true);
  });
});

describe("liftLanguageModel, v2", () => {
  it("[LLM-002] converts streamed parts of v2 to v4", async () => {
    const { model } = v2Model([
      { type: "stream-start", warnings: [{ type: "unsupported-setting", setting: "seed" }] },
      { type: "reasoning-delta", id: "r", delta: "hm" },
      { type: "tool-call", toolCallId: "c", toolName: "read", input: "{}" },
      {
        type: "tool-result",
        toolCallId: "s",
        toolName: "search",
        result: { n: 1 },
        providerExecuted: true,
      },
      { type: "file", mediaType: "image/png", data: "aGk=" },
      {
        type: "finish",
        finishReason: "tool-calls",
        usage: {
          inputTokens: 5,
          outputTokens: 2,
          totalTokens: 7,
          cachedInputTokens: 3,
          reasoningTokens: 1,
        },
      },
    ]);
    expect(await streamed(model)).toEqual([
      { type: "stream-start", warnings: [{ type: "unsupported", feature: "seed" }] },
      { type: "reasoning-delta", id: "r", delta: "hm" },
      { type: "tool-call", toolCallId: "c", toolName: "read", input: "{}" },
      { type: "tool-result", toolCallId: "s", toolName: "search", result: { n: 1 } },
      { type: "file", mediaType: "image/png", data: { type: "data", data: "aGk=" } },
      {
        type: "finish",
        finishReason: { unified: "tool-calls", raw: undefined },
        usage: {
          inputTokens: { total: 5, noCache: undefined, cacheRead: 3, cacheWrite: undefined },
          outputTokens: { total: 2, text: undefined, reasoning: 1 },
        },
      },
    ]);
  });

  it("converts generated content, warnings and finish reason to v4", async () => {
    const lifted = liftLanguageModel(v2Model([]).model);
    await expect(lifted.doGenerate({ prompt: [] })).resolves.toMatchObject({
      content: [
        { type: "text", text: "hi" },
        { type: "file", data: { type: "data", data: "aGk=" } },
        { type: "tool-result", result: "" },
      ],
      finishReason: { unified: "other", raw: undefined },
      warnings: [
        { type: "unsupported", feature: "topK", details: "never" },
        { type: "unsupported", feature: "tool t" },
        { type: "other", message: "o" },
      ],
    });
    expect(lifted.supportedUrls).toEqual({ "image/*": [/x/] });
  });

  it("converts prompt, tools and options to v2", async () => {
    const { model, asked } = v2Model([]);
    await streamed(model, {
      prompt: PROMPT,
      providerOptions: { p: { a: 1, b: undefined } },
      tools: [
        {
          type: "function",
          name: "f",
          inputSchema: {},
          strict: true,
          inputExamples: [{ input: {} }],
        },
        { type: "provider", id: "p.search", name: "search", args: {} },
      ],
    });
    expect(asked[0]?.providerOptions).toStrictEqual({ p: { a: 1 } });
    expect(asked[0]?.tools).toStrictEqual([
      { type: "function", name: "f", inputSchema: {} },
      { type: "provider-defined", id: "p.search", name: "search", args: {} },
    ]);
    expect(asked[0]?.prompt[1]).toMatchObject({
      content: [{ providerOptions: { p: { a: 1 } } }, { data: PNG }, {}, {}],
    });
    expect(asked[0]?.prompt[3]).toMatchObject({
      content: [
        {
          output: {
            type: "content",
            value: [
              { type: "text", text: "a" },
              { type: "media", data: "aGk=", mediaType: "image/png" },
              { type: "media", data: "aGk=", mediaType: "text/plain" },
            ],
          },
        },
        { output: { type: "error-text", value: "not today" } },
      ],
    });
  });

  it("rejects prompt parts that v2 cannot express", async () => {
    const prompt: LanguageModelV4Prompt = [
      {
        role: "tool",
        content: [{ type: "tool-approval-response", approvalId: "a", approved: true }],
      },
    ];
    await expect(streamed(v2Model([]).model, { prompt })).rejects.toThrow(
      "model old/two implements specification version v2, which has no form for a tool-approval-response",
    );
  });

  it("supports a conversation with tools", async () => {
    const { model, asked } = v2Model([
      { type: "text-delta", id: "t", delta: "done" },
      {
        type: "finish",
        finishReason: "stop",
        usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
      },
    ]);
    const messages = [assistant([toolCall("c", "read")]), toolResult("c", "x")];
    expect(await events(liftLanguageModel(model), request({ messages }))).toEqual([
      { type: "text", delta: "done" },
      { type: "finish", stopReason: "stop", usage: { input: 1, output: 1, total: 2 } },
    ]);
    expect(asked[0]?.prompt.map(({ role }) => role)).toEqual(["assistant", "tool"]);
  });

  it("keeps errors of the stream unchanged", async () => {
    const { model } = v2Model([{ type: "error", error: new Error("boom") }]);
    const { error } = await failure(liftLanguageModel(model));
    expect(error.message).toContain("boom");
  });
});

describe("liftLanguageModel, other values", () => {
  it.each([
    [{ specificationVersion: "v1", provider: "p", modelId: "m" }, "v1", "model p/m implements"],
    [{ specificationVersion: "v5", modelId: "m", doStream() {}, doGenerate() {} }, "v5", "model m"],
    [{ modelId: "m" }, "none", "model m implements specification version none"],
    [() => ({}), "none", "the object that should be a model"],
    [undefined, "none", "the value undefined"],
    ["openai/gpt-4o", "none", "the value openai/gpt-4o"],
  ])("rejects %j and names the version %s", (model, version, words) => {
    let error: unknown;
    try {
      liftLanguageModel(model);
    } catch (thrown) {
      error = thrown;
    }
    expect(UnsupportedModelSpecError.isInstance(error) && error.specificationVersion).toBe(version);
    expect(error).toHaveProperty("message", expect.stringContaining(words));
    expect(error).toHaveProperty("message", expect.stringContaining("expected v2, v3 or v4"));
  });

  it("rejects a model that lacks its methods", () => {
    expect(() => liftLanguageModel({ specificationVersion: "v4" })).toThrow(/doStream/);
  });
});
