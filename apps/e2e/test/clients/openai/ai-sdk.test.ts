import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { APICallError, generateText, isStepCount, jsonSchema, Output, streamText, tool } from "ai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  ClientScene,
  PDF,
  PERSON,
  PERSON_SCHEMA,
  PIXEL,
  WEATHER_CALL,
} from "../../../src/openai-client-scene.js";

const PROVIDERS = {
  "@ai-sdk/openai": ({ baseURL, apiKey }: ClientScene) =>
    createOpenAI({ baseURL, apiKey })("openclaw"),
  "@ai-sdk/openai, chat": ({ baseURL, apiKey }: ClientScene) =>
    createOpenAI({ baseURL, apiKey }).chat("openclaw"),
  "@ai-sdk/openai-compatible": ({ baseURL, apiKey }: ClientScene) =>
    createOpenAICompatible({ name: "openclaw", baseURL, apiKey, includeUsage: true })("openclaw"),
};

let scene: ClientScene;
beforeAll(async () => {
  scene = await ClientScene.open();
});
afterAll(() => scene[Symbol.asyncDispose]());

const weather = tool({
  description: "Returns the weather of a city.",
  inputSchema: jsonSchema<{ city: string }>({
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  }),
  execute: ({ city }) => `rain in ${city}`,
});

describe.each(Object.entries(PROVIDERS))("%s", (client, modelOf) => {
  it("[GW-035] generates text with usage, from system and earlier messages", async () => {
    scene.script({ text: "Good day." });
    const { text, usage, finishReason } = await generateText({
      model: modelOf(scene),
      system: "Answer in Latin.",
      messages: [
        { role: "user", content: "first" },
        { role: "assistant", content: "second" },
        { role: "user", content: "third" },
      ],
      temperature: 0.5,
      maxOutputTokens: 100,
    });
    expect(text).toBe("Good day.");
    expect(finishReason).toBe("stop");
    expect(usage).toMatchObject({ inputTokens: 11, outputTokens: 7 });
    expect(scene.conversations()[0]).toMatch(/Answer in Latin.*first.*second.*third/);
  });

  it("[GW-035] streams text with usage", async () => {
    scene.script({ thinking: "They greet me.", text: "Good day to you." });
    const result = streamText({ model: modelOf(scene), prompt: "hello" });
    const chunks: string[] = [];
    for await (const chunk of result.textStream) chunks.push(chunk);
    expect(chunks.join("")).toBe("Good day to you.");
    expect(await result.usage).toMatchObject({ inputTokens: 11, outputTokens: 7 });
  });

  it.each([false, true])("[GW-036] runs its tools in a loop, streaming: %s", async (streams) => {
    scene.script(WEATHER_CALL, { text: "It rains." });
    const options = {
      model: modelOf(scene),
      prompt: "weather?",
      tools: { get_weather: weather },
      stopWhen: isStepCount(3),
    };
    const text = streams ? await streamText(options).text : (await generateText(options)).text;
    expect(text).toBe("It rains.");
    expect(scene.conversations()[1]).toContain("provider-1");
    expect(scene.conversations()[1]).toContain("rain in Oslo");
  });

  it("[GW-035] generates structured output, in the format that the client requested", async () => {
    scene.script({ text: JSON.stringify(PERSON) });
    const { output } = await generateText({
      model: modelOf(scene),
      prompt: "who?",
      output: Output.object({ schema: jsonSchema<typeof PERSON>(PERSON_SCHEMA) }),
    });
    expect(output).toEqual(PERSON);
    // This client sends no schema unless a setting says that the server supports it.
    const hasSchema = client !== "@ai-sdk/openai-compatible";
    expect(scene.asked[0]?.body.response_format).toMatchObject(
      hasSchema ? { json_schema: { schema: PERSON_SCHEMA } } : { type: "json_object" },
    );
  });

  it("[GW-035] sends images and files to the model", async () => {
    scene.script({ text: "red" });
    const { text } = await generateText({
      model: modelOf(scene),
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "which colour?" },
            { type: "file", data: PIXEL, mediaType: "image/png" },
            { type: "file", data: PDF, mediaType: "application/pdf", filename: "a.pdf" },
          ],
        },
      ],
    });
    expect(text).toBe("red");
    expect(scene.conversations()[0]).toContain(PIXEL);
    expect(scene.conversations()[0]).toContain(PDF);
  });

  it("[GW-035] reports errors with status and message, and repeats only what may succeed", async () => {
    scene.script({ status: 400, message: "no such thing" });
    const error: unknown = await generateText({ model: modelOf(scene), prompt: "x" }).catch(
      (thrown: unknown) => thrown,
    );
    if (!APICallError.isInstance(error)) throw new Error(`not an error of the API: ${error}`);
    expect(error.statusCode).toBe(400);
    expect(error.message).toContain("no such thing");
    expect(scene.conversations()).toHaveLength(1);
  });

  it("[GW-035] repeats a request after the wait that a rate limit asks for", async () => {
    scene.script(
      { status: 429, message: "slow down", headers: { "retry-after-ms": "1" } },
      { text: "Good day." },
    );
    const { text } = await generateText({ model: modelOf(scene), prompt: "x" });
    expect(text).toBe("Good day.");
    expect(scene.conversations()).toHaveLength(2);
  });

  it("[TURN-002] receives the stored reply to a repeated request", async () => {
    scene.script({ text: "Good day." });
    const headers = { "Idempotency-Key": client };
    const send = () => generateText({ model: modelOf(scene), prompt: "x", headers });
    expect((await send()).text).toBe("Good day.");
    expect((await send()).text).toBe("Good day.");
    expect(scene.conversations()).toHaveLength(1);
  });
});

describe.each(Object.entries(PROVIDERS).slice(1))("%s", (_, modelOf) => {
  it("[GW-038] aborts its turn", async () => {
    const asked = scene.silence();
    const connection = new AbortController();
    const answer = generateText({
      model: modelOf(scene),
      prompt: "x",
      abortSignal: connection.signal,
    }).catch((error: unknown) => error);
    const { hungUp } = await asked;
    connection.abort();
    expect(await answer).toMatchObject({ name: "AbortError" });
    await hungUp;
  });
});
