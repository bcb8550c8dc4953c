import {
  AIMessage,
  type AIMessageChunk,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { concat } from "@langchain/core/utils/stream";
import { ChatOpenAI } from "@langchain/openai";
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

let scene: ClientScene;
beforeAll(async () => {
  scene = await ClientScene.open();
});
afterAll(() => scene[Symbol.asyncDispose]());

const modelOf = ({ baseURL, apiKey }: ClientScene) =>
  new ChatOpenAI({ model: "openclaw", apiKey, configuration: { baseURL } });

const weather = tool(({ city }: { city: string }) => `rain in ${city}`, {
  name: "get_weather",
  description: "Returns the weather of a city.",
  schema: {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
  },
});

async function streamed(chunks: AsyncIterable<AIMessageChunk>): Promise<AIMessageChunk> {
  let whole: AIMessageChunk | undefined;
  for await (const chunk of chunks) whole = whole === undefined ? chunk : concat(whole, chunk);
  if (whole === undefined) throw new Error("the stream was empty");
  return whole;
}

describe("ChatOpenAI of LangChain", () => {
  it("[GW-035] generates text with usage, from system and earlier messages", async () => {
    scene.script({ text: "Good day." });
    const message = await modelOf(scene).invoke([
      new SystemMessage("Answer in Latin."),
      new HumanMessage("first"),
      new AIMessage("second"),
      new HumanMessage("third"),
    ]);
    expect(message.text).toBe("Good day.");
    expect(message.usage_metadata).toMatchObject({ input_tokens: 11, output_tokens: 7 });
    expect(scene.conversations()[0]).toMatch(/Answer in Latin.*first.*second.*third/);
  });

  it("[GW-035] streams text", async () => {
    scene.script({ text: "Good day to you." });
    const chunks: string[] = [];
    for await (const chunk of await modelOf(scene).stream("hello")) chunks.push(chunk.text);
    expect(chunks.join("")).toBe("Good day to you.");
  });

  it.each([false, true])("[GW-036] runs its tools, streaming: %s", async (streams) => {
    scene.script(WEATHER_CALL, { text: "It rains." });
    const model = modelOf(scene).bindTools([weather]);
    const question = new HumanMessage("weather?");
    const reply = streams
      ? await streamed(await model.stream([question]))
      : await model.invoke([question]);
    const [call] = reply.tool_calls ?? [];
    expect(call).toMatchObject({ name: "get_weather", args: { city: "Oslo" } });
    const result = new ToolMessage({ tool_call_id: call?.id ?? "", content: "rain in Oslo" });
    const final = await model.invoke([question, reply, result]);
    expect(final.text).toBe("It rains.");
    expect(scene.conversations()[1]).toContain("provider-1");
    expect(scene.conversations()[1]).toContain("rain in Oslo");
  });

  it("[GW-035] generates structured output, whose schema the model receives", async () => {
    scene.script({ text: JSON.stringify(PERSON) });
    const model = modelOf(scene).withStructuredOutput(PERSON_SCHEMA, {
      name: "person",
      method: "jsonSchema",
    });
    expect(await model.invoke("who?")).toEqual(PERSON);
    expect(scene.asked[0]?.body.response_format).toMatchObject({
      json_schema: { name: "person", schema: PERSON_SCHEMA },
    });
  });

  it("[GW-036] generates structured output with a forced function call", async () => {
    scene.script(({ body }) => {
      const choice = JSON.stringify(body.tool_choice);
      return { toolCalls: [call(choice.includes("person") ? "person" : "other", PERSON)] };
    });
    const model = modelOf(scene).withStructuredOutput(PERSON_SCHEMA, {
      name: "person",
      method: "functionCalling",
    });
    expect(await model.invoke("who?")).toEqual(PERSON);
  });

  it("[GW-035] sends images and files to the model", async () => {
    scene.script({ text: "red" });
    const message = await modelOf(scene).invoke([
      new HumanMessage({
        content: [
          { type: "text", text: "which colour?" },
          { type: "image_url", image_url: { url: PIXEL } },
          { type: "image_url", image_url: { url: scene.imageUrl } },
          { type: "file", file: { filename: "a.pdf", file_data: PDF } },
        ],
      }),
    ]);
    expect(message.text).toBe("red");
    expect(scene.conversations()[0]?.split(PIXEL)).toHaveLength(3);
    expect(scene.conversations()[0]).toContain(PDF);
  });

  it("[GW-035] reports errors with status and message, and does not repeat the request", async () => {
    scene.script({ status: 400, message: "no such thing" });
    await expect(modelOf(scene).invoke("x")).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("no such thing"),
    });
    expect(scene.conversations()).toHaveLength(1);
  });

  it("[GW-038] aborts its turn", async () => {
    const asked = scene.silence();
    const connection = new AbortController();
    const answer = modelOf(scene)
      .invoke("x", { signal: connection.signal })
      .catch((error: unknown) => error);
    const { hungUp } = await asked;
    connection.abort();
    expect(await answer).toBeInstanceOf(Error);
    await hungUp;
  });

  it("[TURN-002] receives the stored reply to a repeated request", async () => {
    scene.script({ text: "Good day." });
    const model = modelOf(scene);
    const options = { options: { headers: { "Idempotency-Key": "once" } } };
    expect((await model.invoke("x", options)).text).toBe("Good day.");
    expect((await model.invoke("x", options)).text).toBe("Good day.");
    expect(scene.conversations()).toHaveLength(1);
  });
});

describe("ChatOpenAI of LangChain with the Responses API", () => {
  it("[GW-037] generates and streams text, and continues a response", async () => {
    scene.script({ text: "Good day to you." }, { text: "Good day to you." });
    const { baseURL, apiKey } = scene;
    const model = new ChatOpenAI({
      model: "openclaw",
      apiKey,
      configuration: { baseURL },
      useResponsesApi: true,
    });
    const first = await model.invoke("I am Alice");
    expect(first.text).toBe("Good day to you.");
    const id = first.response_metadata.id;
    const chunks: string[] = [];
    const options = { previous_response_id: String(id) };
    for await (const chunk of await model.stream("who am I", options)) chunks.push(chunk.text);
    expect(chunks.join("")).toBe("Good day to you.");
    expect(scene.conversations()[1]).toMatch(/I am Alice.*who am I/);
  });
});
