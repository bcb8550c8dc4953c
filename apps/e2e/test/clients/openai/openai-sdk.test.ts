import OpenAI, { APIUserAbortError, BadRequestError, RateLimitError } from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  ClientScene,
  call,
  PDF,
  PERSON,
  PERSON_SCHEMA,
  PIXEL,
  WEATHER_CALL,
} from "../../../src/openai-client-scene.js";

const say = (content: string) => ({
  model: "openclaw",
  messages: [{ role: "user" as const, content }],
});

const WEATHER = {
  name: "get_weather",
  description: "Returns the weather of a city.",
  parameters: { type: "object", properties: { city: { type: "string" } } },
};

describe("OpenAI SDK", () => {
  let scene: ClientScene;
  const client = () => new OpenAI({ baseURL: scene.baseURL, apiKey: scene.apiKey });

  beforeAll(async () => {
    scene = await ClientScene.open();
  });
  afterAll(() => scene[Symbol.asyncDispose]());

  it("[GW-035] completes a chat with usage, from system and earlier messages", async () => {
    scene.script({ text: "Good day.", usage: { input: 11, output: 7, cached: 5, reasoning: 2 } });
    const completion = await client().chat.completions.create({
      model: "openclaw",
      messages: [
        { role: "system", content: "Answer in Latin." },
        { role: "user", content: "first" },
        { role: "assistant", content: "second" },
        { role: "user", content: "third" },
      ],
      temperature: 0.5,
      top_p: 0.9,
      presence_penalty: 1,
      frequency_penalty: -1,
      seed: 7,
      stop: ["END"],
      max_completion_tokens: 50,
      reasoning_effort: "high",
    });
    expect(completion.choices[0]).toMatchObject({
      message: { content: "Good day." },
      finish_reason: "stop",
    });
    expect(completion.usage).toEqual({
      prompt_tokens: 11,
      completion_tokens: 7,
      total_tokens: 18,
      prompt_tokens_details: { cached_tokens: 5 },
      completion_tokens_details: { reasoning_tokens: 2 },
    });
    expect(scene.conversations()[0]).toMatch(/Answer in Latin.*first.*second.*third/);
    expect(scene.asked[0]?.body).toMatchObject({
      temperature: 0.5,
      top_p: 0.9,
      presence_penalty: 1,
      frequency_penalty: -1,
      seed: 7,
      stop: ["END"],
      max_tokens: 50,
      reasoning_effort: "high",
    });
  });

  it("[GW-035] streams a chat with usage, and reasoning before the text", async () => {
    scene.script({ thinking: "They greet me.", text: "Good day to you." });
    const stream = await client().chat.completions.create({
      ...say("hello"),
      stream: true,
      stream_options: { include_usage: true },
    });
    const kinds: string[] = [];
    const said = { content: "", reasoning_content: "" };
    let usage: unknown;
    for await (const chunk of stream) {
      usage = chunk.usage ?? usage;
      const delta: { content?: string | null; reasoning_content?: string } =
        chunk.choices[0]?.delta ?? {};
      for (const kind of ["content", "reasoning_content"] as const) {
        if (!delta[kind]) continue;
        said[kind] += delta[kind];
        if (kinds.at(-1) !== kind) kinds.push(kind);
      }
    }
    expect(said).toEqual({ content: "Good day to you.", reasoning_content: "They greet me." });
    expect(kinds).toEqual(["reasoning_content", "content"]);
    expect(usage).toMatchObject({ prompt_tokens: 11, completion_tokens: 7 });
  });

  it("[GW-037] returns and streams responses with reasoning, and continues them after a restart", async () => {
    const reply = { thinking: "They greet me.", text: "Good day." };
    scene.script(reply, reply);
    const first = await client().responses.create({
      model: "openclaw",
      input: "I am Alice",
      reasoning: { effort: "low", summary: "auto" },
    });
    expect(first.output.map(({ type }) => type)).toEqual(["reasoning", "message"]);
    expect(first.output[0]).toMatchObject({ summary: [{ text: "They greet me." }] });
    expect(first.output_text).toBe("Good day.");
    expect(scene.asked[0]?.body.reasoning_effort).toBe("low");
    await scene.restart();
    const stream = client().responses.stream({
      model: "openclaw",
      input: "who am I",
      previous_response_id: first.id,
    });
    const types: string[] = [];
    for await (const { type } of stream) if (types.at(-1) !== type) types.push(type);
    expect(types).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.reasoning_summary_part.added",
      "response.reasoning_summary_text.delta",
      "response.reasoning_summary_text.done",
      "response.reasoning_summary_part.done",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ]);
    const second = await stream.finalResponse();
    expect(second.output.map(({ type }) => type)).toEqual(["reasoning", "message"]);
    expect(scene.conversations()[1]).toMatch(/I am Alice.*Good day\..*who am I/);
  });

  it("[GW-037] accepts the output of a response as input of the next one", async () => {
    const reply = { thinking: "They greet me.", text: "Good day." };
    scene.script(reply, reply);
    const first = await client().responses.create({ model: "openclaw", input: "I am Alice" });
    const again = [
      { role: "user" as const, content: "I am Alice" },
      ...first.output.filter((item) => item.type === "reasoning" || item.type === "message"),
      { role: "user" as const, content: "who am I" },
    ];
    await client().responses.create({ model: "openclaw", input: again, store: false });
    expect(scene.conversations()[1]?.match(/Good day\./g)).toHaveLength(1);
  });

  it("[GW-036] runs tools of the client with its tool runner, and in responses", async () => {
    scene.script(WEATHER_CALL, { text: "It rains." });
    const runner = client().chat.completions.runTools({
      ...say("weather?"),
      tools: [
        {
          type: "function",
          function: {
            ...WEATHER,
            parse: JSON.parse,
            function: ({ city }: { city: string }) => `rain in ${city}`,
          },
        },
      ],
    });
    expect(await runner.finalContent()).toBe("It rains.");
    expect(scene.conversations()[1]).toContain("rain in Oslo");
    scene.script({ toolCalls: [call("get_weather", { city: "Rome" })] });
    const { output } = await client().responses.create({
      model: "openclaw",
      input: "weather?",
      tools: [{ type: "function", ...WEATHER, strict: false }],
    });
    expect(output).toMatchObject([
      { type: "function_call", name: "get_weather", arguments: '{"city":"Rome"}' },
    ]);
  });

  it("[GW-035] parses structured output of chat completions and responses", async () => {
    const reply = { text: JSON.stringify(PERSON) };
    scene.script(reply, reply);
    const schema = { name: "person", schema: PERSON_SCHEMA, strict: true };
    const completion = await client().chat.completions.parse({
      ...say("who?"),
      response_format: { type: "json_schema", json_schema: schema },
    });
    expect(completion.choices[0]?.message.parsed).toEqual(PERSON);
    const response = await client().responses.parse({
      model: "openclaw",
      input: "who?",
      text: { format: { type: "json_schema", ...schema } },
    });
    expect(response.output_parsed).toEqual(PERSON);
    for (const { body } of scene.asked) {
      expect(body.response_format).toMatchObject({
        type: "json_schema",
        json_schema: { name: "person", schema: PERSON_SCHEMA },
      });
    }
  });

  it("[GW-035] sends images and files to the model, and keeps them in the session", async () => {
    scene.script({ text: "red" }, { text: "red" });
    const ask = () =>
      client().chat.completions.create({
        model: "openclaw",
        user: "alice",
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "which colour?" },
              { type: "image_url", image_url: { url: PIXEL } },
              { type: "image_url", image_url: { url: scene.imageUrl } },
              { type: "file", file: { filename: "a.pdf", file_data: PDF } },
              {
                type: "file",
                file: { filename: "b.csv", file_data: "data:text/csv;base64,YSxiCjEsMg==" },
              },
            ],
          },
        ],
      });
    await ask();
    await ask();
    const [first = "", second = ""] = scene.conversations();
    expect(first.split(PIXEL)).toHaveLength(3);
    expect(first).toContain(PDF);
    expect(first).toContain("a,b\\n1,2");
    expect(second.split(PIXEL)).toHaveLength(5);
    expect(second.split(PDF)).toHaveLength(3);
  });

  it("[GW-035] names the image whose URL the network check denies", async () => {
    scene.script();
    const error: unknown = await client()
      .responses.create({
        model: "openclaw",
        input: [
          {
            role: "user",
            content: [
              { type: "input_image", detail: "auto", image_url: "http://127.0.0.1:1/pixel.png" },
            ],
          },
        ],
      })
      .catch((thrown: unknown) => thrown);
    if (!(error instanceof BadRequestError)) throw new Error(`not a bad request: ${error}`);
    expect(error).toMatchObject({
      code: "url_not_fetched",
      param: "input[0].content[0].image_url",
    });
    expect(error.message).toContain("tools.http.allowHosts");
    expect(scene.asked).toHaveLength(0);
  });

  it.each([
    [401, 424, "model_authentication_failed"],
    [403, 424, "model_authentication_failed"],
    [400, 400, "model_request_failed"],
    [500, 502, "model_request_failed"],
    [503, 502, "model_request_failed"],
  ])("[GW-035] receives a provider's %s as %s", async (status, received, code) => {
    scene.script({ status, message: "no" });
    await expect(client().chat.completions.create(say("x"))).rejects.toMatchObject({
      status: received,
      code,
    });
    expect(scene.asked).toHaveLength(1);
  });

  it("[GW-035] waits and repeats after a rate limit, and reports it in the end", async () => {
    const limit = { status: 429, message: "slow down", headers: { "retry-after-ms": "1" } };
    scene.script(limit, { text: "Good day." });
    const completion = await client().chat.completions.create(say("x"));
    expect(completion.choices[0]?.message.content).toBe("Good day.");
    scene.script(limit, limit, limit);
    const error: unknown = await client()
      .chat.completions.create(say("x"))
      .catch((thrown: unknown) => thrown);
    if (!(error instanceof RateLimitError)) throw new Error(`not a rate limit: ${error}`);
    expect(error.headers.get("retry-after")).toBe("1");
    expect(scene.asked).toHaveLength(3);
  });

  it("[GW-035] receives an error of the form of the API for invalid requests", async () => {
    const error: unknown = await client()
      .chat.completions.create({ ...say("x"), n: 2 })
      .catch((thrown: unknown) => thrown);
    if (!(error instanceof BadRequestError)) throw new Error(`not a bad request: ${error}`);
    expect(error).toMatchObject({
      type: "invalid_request_error",
      code: "unsupported_parameter",
      param: "n",
    });
  });

  it("[GW-037] lists the models, and reads one", async () => {
    const ids = (await client().models.list()).data.map(({ id }) => id);
    expect(ids).toContain("openclaw");
    expect(ids).toContain("openai-compatible/large");
    expect((await client().models.retrieve("openclaw")).id).toBe("openclaw");
  });

  it("[GW-038] aborts its turn", async () => {
    const asked = scene.silence();
    const connection = new AbortController();
    const answer = client()
      .chat.completions.create(say("x"), { signal: connection.signal })
      .catch((error: unknown) => error);
    const { hungUp } = await asked;
    connection.abort();
    expect(await answer).toBeInstanceOf(APIUserAbortError);
    await hungUp;
  });

  it("[TURN-002] receives the stored reply to a repeated request after a restart", async () => {
    scene.script({ thinking: "They greet me.", text: "Good day." });
    const options = { headers: { "Idempotency-Key": "once" } };
    const send = () => client().chat.completions.create(say("x"), options);
    const first = await send();
    await scene.restart();
    expect((await send()).choices).toEqual(first.choices);
    let streamed = "";
    const again = { headers: { "Idempotency-Key": "streamed" } };
    scene.script({ text: "Good day." });
    for (let round = 1; round <= 2; round += 1) {
      const stream = await client().chat.completions.create({ ...say("x"), stream: true }, again);
      for await (const chunk of stream) streamed += chunk.choices[0]?.delta.content ?? "";
    }
    expect(streamed).toBe("Good day.Good day.");
    expect(scene.asked).toHaveLength(1);
  });
});
