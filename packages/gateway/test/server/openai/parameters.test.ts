import { describe, expect, it } from "vitest";
import { createTestHost, serve } from "../../support/host.js";

/** Sends a chat completion with further parameters; returns status, error, ignored parameters, and what the model was asked. */
async function send(parameters: object) {
  const settings: unknown[] = [];
  const host = await createTestHost({
    script: ({ prompt: _prompt, tools: _tools, abortSignal: _signal, ...rest }) => {
      settings.push(rest);
      return { text: "ok" };
    },
  });
  const { url, headers } = await serve(host);
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers,
    body: JSON.stringify({
      model: "openclaw",
      messages: [{ role: "user", content: "hello" }],
      ...parameters,
    }),
  });
  const body = (await response.json()) as { error?: Record<string, unknown> };
  const ignored = response.headers.get("openclaw-ignored");
  return { status: response.status, error: body.error, settings, host, ignored };
}

describe("parameters of chat completions", () => {
  it("[GW-035] are forwarded to the model", async () => {
    const { status, settings } = await send({
      temperature: 0.5,
      top_p: 0.9,
      presence_penalty: 1,
      frequency_penalty: -1,
      seed: 7,
      stop: ["END"],
      max_completion_tokens: 50,
      response_format: { type: "json_object" },
      reasoning_effort: "high",
    });
    expect(status).toBe(200);
    expect(settings).toMatchObject([
      {
        temperature: 0.5,
        topP: 0.9,
        presencePenalty: 1,
        frequencyPenalty: -1,
        seed: 7,
        stopSequences: ["END"],
        maxOutputTokens: 50,
        responseFormat: { type: "json" },
        reasoning: "high",
      },
    ]);
  });

  it("are stored with the message when they are metadata", async () => {
    const { host } = await send({ metadata: { purpose: "test" } });
    const [session] = await host.store.sessions.list({ limit: 1 });
    const row = await host.store.messages.inbox.latest(session?.sessionKey ?? "");
    expect(row?.metadata).toMatchObject({ metadata: { purpose: "test" } });
  });

  it.each([
    ["n", 2],
    ["logprobs", true],
    ["top_logprobs", 3],
    ["logit_bias", { "1": 5 }],
    ["modalities", ["audio"]],
    ["audio", { voice: "a", format: "wav" }],
    ["functions", []],
    ["function_call", "auto"],
    ["a_parameter_of_tomorrow", 1],
    ["__proto__x", 1],
    ["constructor", 1],
  ])("are rejected by name, not ignored: %s", async (param, value) => {
    const { status, error, settings } = await send({ [param]: value });
    expect(status).toBe(400);
    expect(error).toMatchObject({
      type: "invalid_request_error",
      code: "unsupported_parameter",
      param,
      message: expect.stringContaining(`\`${param}\``),
    });
    expect(settings).toEqual([]);
  });

  it("are accepted with values that change nothing", async () => {
    const { status, ignored } = await send({
      n: 1,
      logprobs: false,
      logit_bias: null,
      store: false,
      modalities: ["text"],
      service_tier: "auto",
      prompt_cache_key: null,
      tools: [],
      reasoning_effort: null,
    });
    expect(status).toBe(200);
    expect(ignored).toBeNull();
  });

  it.each([
    ["store", true],
    ["prediction", { type: "content", content: "x" }],
    ["verbosity", "low"],
    ["web_search_options", {}],
    ["service_tier", "flex"],
    ["client_metadata", { session: "1" }],
    ["prompt_cache_key", "key"],
    ["prompt_cache_retention", "24h"],
    ["safety_identifier", "user-1"],
  ])(
    "[GW-241] %s does not change the meaning of an answer: ignored and named",
    async (param, value) => {
      const { status, ignored, settings } = await send({ [param]: value });
      expect(status).toBe(200);
      expect(ignored).toBe(param);
      expect(settings).toHaveLength(1);
      expect(settings).toMatchObject([{}]);
    },
  );

  it("[GW-241] names everything that was ignored in one header, also in an error", async () => {
    const custom = { type: "custom", custom: { name: "grammar" } };
    const rest = { prompt_cache_key: "k", stream_options: { include_obfuscation: false } };
    const ok = await send({ ...rest, tools: [custom, custom, { type: "工具" }] });
    expect(ok.status).toBe(200);
    expect(ok.ignored).toMatch(/^UTF-8''prompt_cache_key/);
    const failed = await send({ ...rest, n: 2, tools: [custom] });
    expect(failed).toMatchObject({ status: 400, error: { param: "n" } });
    expect(failed.ignored).toBe(
      "prompt_cache_key, stream_options.include_obfuscation, tools.custom",
    );
  });

  it.each([
    ["tools[0]", { tools: [{ type: "file_search" }] }],
    ["tools[0]", { tools: [{ type: "mcp" }] }],
    ["tool_choice", { tools: [{ type: "web_search" }], tool_choice: "required" }],
    ["tool_choice", { tools: [{ type: "web_search" }], tool_choice: { type: "web_search" } }],
  ])(
    "[GW-241] what would be missing in the answer is rejected by name: %s",
    async (param, rest) => {
      const { status, error, settings } = await send(rest);
      expect(status).toBe(400);
      expect(error).toMatchObject({ param });
      expect(settings).toEqual([]);
    },
  );

  it.each([
    ["temperature", 3],
    ["top_p", -1],
    ["max_tokens", 0],
    ["seed", 1.5],
    ["stop", ["1", "2", "3", "4", "5"]],
    ["metadata", { key: 1 }],
    ["response_format", { type: "grammar" }],
    ["tool_choice", "sometimes"],
    ["reasoning_effort", "extreme"],
  ])("are rejected with values out of range: %s", async (param, value) => {
    const { status, error } = await send({ [param]: value });
    expect(status).toBe(400);
    expect(error).toMatchObject({ code: "invalid_request" });
    expect(error?.param).toMatch(new RegExp(`^${param}`));
  });

  it.each([
    { type: "input_audio", input_audio: { data: "", format: "wav" } },
    { type: "video_url", video_url: { url: "https://example.com/a.mp4" } },
    { type: "file", file: { file_id: "file-1" } },
    {
      type: "file",
      file: { file_data: "data:application/zip;base64,UEsDBAA=", filename: "a.zip" },
    },
  ])("[GW-035] names the part of a message that is not supported: $type", async (part) => {
    const { status, error, settings } = await send({
      messages: [{ role: "user", content: [part] }],
    });
    expect(status).toBe(400);
    expect(error).toMatchObject({ code: "unsupported_content", param: "messages[0].content[0]" });
    expect(settings).toEqual([]);
  });
});
