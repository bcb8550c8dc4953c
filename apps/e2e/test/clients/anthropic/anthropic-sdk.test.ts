import Anthropic, { APIUserAbortError, InternalServerError } from "@anthropic-ai/sdk";
import type { Message, MessageParam, Tool } from "@anthropic-ai/sdk/resources/messages";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ClientScene, call } from "../../../src/openai-client-scene.js";

const MODEL = "claude-opus-5-5";
const WEATHER: Tool = {
  name: "get_weather",
  description: "Returns the weather of a city.",
  input_schema: { type: "object", properties: { city: { type: "string" } } },
};
/** Body of a request to the provider. */
interface MarkedBody {
  readonly system: readonly { readonly cache_control?: object }[];
  readonly messages: readonly {
    readonly content: readonly { readonly cache_control?: object }[];
  }[];
}

const THINKING = { type: "enabled", budget_tokens: 2048 } as const;
const question: MessageParam = { role: "user", content: "weather in Oslo" };

/** Conversation that continues after the calls of a reply. */
function answered({ content }: Message): MessageParam[] {
  const results = content.flatMap((block) =>
    block.type === "tool_use"
      ? [{ type: "tool_result" as const, tool_use_id: block.id, content: "rain" }]
      : [],
  );
  return [question, { role: "assistant", content }, { role: "user", content: results }];
}

describe("Anthropic SDK", () => {
  let scene: ClientScene;
  const client = () => new Anthropic({ baseURL: scene.url, apiKey: scene.apiKey, maxRetries: 0 });
  const ask = (messages: MessageParam[], rest: object = {}) =>
    client().messages.create({ model: MODEL, max_tokens: 4000, messages, ...rest });

  beforeAll(async () => {
    scene = await ClientScene.open("anthropic");
  });
  afterAll(() => scene[Symbol.asyncDispose]());

  it("[GW-541] [GW-542] runs a tool between two requests, and the provider gets its own signed thinking back", async () => {
    scene.script(
      {
        thinking: "I need the weather.",
        text: "Let me look.",
        toolCalls: [call("get_weather", { city: "Oslo" })],
      },
      { text: "Rain in Oslo." },
    );
    const rest = { tools: [WEATHER], thinking: THINKING };
    const first = await ask([question], rest);
    expect(first.content.map(({ type }) => type)).toEqual(["thinking", "text", "tool_use"]);
    const second = await ask(answered(first), rest);
    expect(second).toMatchObject({
      stop_reason: "end_turn",
      content: [{ type: "text", text: "Rain in Oslo." }],
    });
    // The fake server rejects thinking that it did not sign, and a loop without it.
    expect(scene.asked).toHaveLength(2);
    expect(scene.conversations()[1]).toContain("I need the weather.");
    expect(scene.conversations()[1]).toContain("rain");
  });

  it("[GW-542] brings thinking that the provider signed for another client", async () => {
    const { baseURL, apiKey } = scene.model;
    const direct = new Anthropic({ baseURL: baseURL.replace(/\/v1$/, ""), apiKey });
    const reply = {
      thinking: "I need the weather.",
      toolCalls: [call("get_weather", { city: "Oslo" })],
    };
    scene.script(reply, { text: "Rain in Oslo." });
    const first = await direct.messages
      .stream({
        model: MODEL,
        max_tokens: 4000,
        messages: [question],
        tools: [WEATHER],
        thinking: THINKING,
      })
      .finalMessage();
    const second = await ask(answered(first), { tools: [WEATHER], thinking: THINKING });
    expect(second.content).toMatchObject([{ type: "text", text: "Rain in Oslo." }]);
    const [, through] = scene.asked;
    expect(JSON.stringify(through?.body.messages)).toContain(
      JSON.stringify(first.content.find(({ type }) => type === "thinking")),
    );
  });

  it("[GW-540] streams a reply", async () => {
    scene.script({
      text: "Good day to you.",
      usage: { input: 20, output: 9, cached: 5, cacheWrite: 3 },
    });
    const stream = client().messages.stream({
      model: MODEL,
      max_tokens: 500,
      messages: [question],
    });
    const chunks: string[] = [];
    stream.on("text", (text) => chunks.push(text));
    const { usage } = await stream.finalMessage();
    expect(chunks.join("")).toBe("Good day to you.");
    expect(usage).toMatchObject({
      ...{ input_tokens: 12, cache_read_input_tokens: 5, output_tokens: 9 },
      cache_creation_input_tokens: 3,
    });
  });

  it("[GW-720] learns at which stop sequence the model stopped, whole and streamed", async () => {
    const stop_sequences = ["\n\nHuman:", "END"];
    scene.script({ text: "Good day END of it." }, { text: "Good day END of it." });
    const whole = await ask([question], { stop_sequences });
    expect(whole).toMatchObject({
      ...{ stop_reason: "stop_sequence", stop_sequence: "END" },
      content: [{ type: "text", text: "Good day " }],
    });
    const request = { model: MODEL, max_tokens: 500, messages: [question], stop_sequences };
    const streamed = await client().messages.stream(request).finalMessage();
    expect(streamed).toMatchObject({ stop_reason: "stop_sequence", stop_sequence: "END" });
  });

  it("[GW-720] gets a reply that ends at a stop sequence before any text, without a second model call", async () => {
    scene.script({ text: "END" });
    const reply = await ask([question], { stop_sequences: ["END"] });
    expect(reply).toMatchObject({
      content: [],
      stop_reason: "stop_sequence",
      stop_sequence: "END",
    });
    expect(scene.asked).toHaveLength(1);
  });

  it("[GW-721] has what it marks for the cache marked at its provider, for the time that it asks", async () => {
    scene.script({ text: "It rains." });
    const long = { cache_control: { type: "ephemeral", ttl: "1h" } } as const;
    const short = { cache_control: { type: "ephemeral" } } as const;
    await ask(
      [
        {
          role: "user",
          content: [
            { type: "text", text: "a long document", ...long },
            { type: "text", text: "What does it say?" },
          ],
        },
        { role: "assistant", content: "That it rains." },
        { role: "user", content: [{ type: "text", text: "Where?", ...short }] },
      ],
      { system: [{ type: "text", text: "Be brief.", ...long }], tools: [WEATHER] },
    );
    const { system, messages }: MarkedBody = JSON.parse(scene.asked[0]?.text ?? "");
    expect(system.at(-1)).toMatchObject(long);
    const marks = messages.map(({ content }) => content.map(({ cache_control }) => cache_control));
    expect(marks).toEqual([
      [long.cache_control, undefined],
      // The gateway adds its own breakpoint where there is room.
      [short.cache_control],
      [short.cache_control],
    ]);
  });

  it("[GW-721] has no more breakpoints than its provider accepts, and none for minutes before one for an hour", async () => {
    scene.script({ text: "Fine." }, { text: "Fine." });
    const marked = (ttl: "5m" | "1h", text: string) => [
      { type: "text" as const, text, cache_control: { type: "ephemeral" as const, ttl } },
    ];
    const said = (content: MessageParam["content"]): MessageParam => ({ role: "user", content });
    const reply: MessageParam = { role: "assistant", content: "Yes." };
    await ask([said("one"), reply, said("two"), reply, said(marked("1h", "three"))]);
    await ask([
      ...[said(marked("5m", "one")), reply, said(marked("5m", "two")), reply],
      ...[said(marked("5m", "three")), reply, said(marked("5m", "four"))],
    ]);
    const marks = scene.asked.map(({ body }) => JSON.stringify(body).match(/"ephemeral"[^}]*/g));
    expect(marks).toEqual([
      Array.from({ length: 4 }, () => '"ephemeral","ttl":"1h"'),
      Array.from({ length: 4 }, () => '"ephemeral"'),
    ]);
  });

  it("[GW-543] gets the error of the model, whole and streamed", async () => {
    scene.script({ failure: "server-error" });
    await expect(ask([question])).rejects.toBeInstanceOf(InternalServerError);
    scene.script({ text: "Good day to you.", fault: { afterEvents: 4, kind: "error-event" } });
    const stream = client().messages.stream({
      model: MODEL,
      max_tokens: 500,
      messages: [question],
    });
    await expect(stream.finalMessage()).rejects.toThrow(/api_error|overloaded_error/);
  });

  it("[GW-540] aborts the turn when it disconnects", async () => {
    const asked = scene.silence();
    const stream = client().messages.stream({
      model: MODEL,
      max_tokens: 500,
      messages: [question],
    });
    const ended = stream.finalMessage();
    const { hungUp } = await asked;
    stream.abort();
    await expect(ended).rejects.toBeInstanceOf(APIUserAbortError);
    await hungUp;
  });

  it("[GW-540] continues a long conversation", async () => {
    scene.script({ text: "Number 60." });
    const messages = Array.from({ length: 60 }, (_, index): MessageParam[] => [
      { role: "user", content: `question ${index}` },
      { role: "assistant", content: [{ type: "text", text: `answer ${index}` }] },
    ]).flat();
    await ask([...messages, { role: "user", content: "and now" }]);
    const sent = scene.asked[0]?.body.messages;
    expect(sent).toHaveLength(121);
    expect(JSON.stringify(sent)).toContain("answer 0");
  });
});
