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
import { describe, expect, it } from "vitest";
import {
  type ClientScene,
  clientScene,
  endedTurns,
  PERSON,
  PERSON_SCHEMA,
  PIXEL,
  silentModel,
  WEATHER_CALL,
} from "./client-scene.js";

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
    const scene = await clientScene([{ text: "Good day.", usage: { input: 11, output: 7 } }]);
    const message = await modelOf(scene).invoke([
      new SystemMessage("Answer in Latin."),
      new HumanMessage("first"),
      new AIMessage("second"),
      new HumanMessage("third"),
    ]);
    expect(message.text).toBe("Good day.");
    expect(message.usage_metadata).toMatchObject({ input_tokens: 11, output_tokens: 7 });
    expect(scene.host.asked()[0]).toMatch(/Answer in Latin.*first.*second.*third/);
  });

  it("[GW-035] streams text", async () => {
    const scene = await clientScene([{ text: "Good day to you." }]);
    const chunks: string[] = [];
    for await (const chunk of await modelOf(scene).stream("hello")) chunks.push(chunk.text);
    expect(chunks.join("")).toBe("Good day to you.");
  });

  it.each([false, true])("[GW-036] runs its tools, streaming: %s", async (streams) => {
    const scene = await clientScene([WEATHER_CALL, { text: "It rains." }]);
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
    expect(scene.host.asked()[1]).toContain("provider-1");
    expect(scene.host.asked()[1]).toContain("rain in Oslo");
  });

  it("[GW-035] generates structured output, whose schema the model receives", async () => {
    const formats: unknown[] = [];
    const scene = await clientScene(({ responseFormat }) => {
      formats.push(responseFormat);
      return { text: JSON.stringify(PERSON) };
    });
    const model = modelOf(scene).withStructuredOutput(PERSON_SCHEMA, {
      name: "person",
      method: "jsonSchema",
    });
    expect(await model.invoke("who?")).toEqual(PERSON);
    expect(formats).toMatchObject([{ type: "json", name: "person", schema: PERSON_SCHEMA }]);
  });

  it("[GW-036] generates structured output with a forced function call", async () => {
    const scene = await clientScene(({ toolChoice }) => ({
      toolCalls: [{ toolName: toolChoice?.type === "tool" ? "person" : "other", params: PERSON }],
    }));
    const model = modelOf(scene).withStructuredOutput(PERSON_SCHEMA, {
      name: "person",
      method: "functionCalling",
    });
    expect(await model.invoke("who?")).toEqual(PERSON);
  });

  it("sends images to the model", async () => {
    const scene = await clientScene([{ text: "red" }]);
    const message = await modelOf(scene).invoke([
      new HumanMessage({
        content: [
          { type: "text", text: "which colour?" },
          { type: "image_url", image_url: { url: PIXEL } },
        ],
      }),
    ]);
    expect(message.text).toBe("red");
    expect(scene.host.asked()[0]).toMatch(/which colour\?.*image\/png/);
  });

  it("[GW-035] reports errors with status and message, and does not repeat the request", async () => {
    const scene = await clientScene(() => ({ error: { status: 400, message: "no such thing" } }));
    await expect(modelOf(scene).invoke("x")).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("no such thing"),
    });
    expect(scene.host.asked()).toHaveLength(1);
  });

  it("[GW-038] aborts its turn", async () => {
    const { script, asked } = silentModel();
    const scene = await clientScene(script);
    const connection = new AbortController();
    const answer = modelOf(scene)
      .invoke("x", { signal: connection.signal })
      .catch((error: unknown) => error);
    await asked;
    connection.abort();
    expect(await answer).toBeInstanceOf(Error);
    expect(await endedTurns(scene)).toEqual([]);
  });

  it("[TURN-002] receives the stored reply to a repeated request", async () => {
    const scene = await clientScene([{ text: "Good day." }]);
    const model = modelOf(scene);
    const options = { options: { headers: { "Idempotency-Key": "once" } } };
    expect((await model.invoke("x", options)).text).toBe("Good day.");
    expect((await model.invoke("x", options)).text).toBe("Good day.");
    expect(scene.host.asked()).toHaveLength(1);
  });
});

describe("ChatOpenAI of LangChain with the Responses API", () => {
  it("[GW-037] generates and streams text, and continues a response", async () => {
    const scene = await clientScene(() => ({ text: "Good day to you." }));
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
    expect(scene.host.asked()[1]).toMatch(/I am Alice.*who am I/);
  });
});
