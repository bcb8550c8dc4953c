import OpenAI, { APIUserAbortError, BadRequestError, RateLimitError } from "openai";
import { describe, expect, it } from "vitest";
import {
  type ClientScene,
  clientScene,
  endedTurns,
  PERSON,
  PERSON_SCHEMA,
  PIXEL,
  silentModel,
} from "./client-scene.js";

const clientOf = ({ baseURL, apiKey }: ClientScene) => new OpenAI({ baseURL, apiKey });
const say = (content: string) => ({
  model: "openclaw",
  messages: [{ role: "user" as const, content }],
});

describe("OpenAI SDK", () => {
  it("[GW-035] parses structured output of chat completions and responses", async () => {
    const formats: unknown[] = [];
    const scene = await clientScene(({ responseFormat }) => {
      formats.push(responseFormat);
      return { text: JSON.stringify(PERSON) };
    });
    const client = clientOf(scene);
    const completion = await client.chat.completions.parse({
      ...say("who?"),
      response_format: {
        type: "json_schema",
        json_schema: { name: "person", schema: PERSON_SCHEMA, strict: true },
      },
    });
    expect(completion.choices[0]?.message.parsed).toEqual(PERSON);
    const response = await client.responses.parse({
      model: "openclaw",
      input: "who?",
      text: {
        format: { type: "json_schema", name: "person", schema: PERSON_SCHEMA, strict: true },
      },
    });
    expect(response.output_parsed).toEqual(PERSON);
    const format = { type: "json", name: "person", schema: PERSON_SCHEMA };
    expect(formats).toEqual([format, format]);
  });

  it("sends images to the model, and keeps them in the session", async () => {
    const scene = await clientScene(() => ({ text: "red" }));
    const client = clientOf(scene);
    await client.chat.completions.create({
      model: "openclaw",
      user: "alice",
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "which colour?" },
            { type: "image_url", image_url: { url: PIXEL } },
          ],
        },
      ],
    });
    await client.chat.completions.create({
      model: "openclaw",
      user: "alice",
      messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: PIXEL } }] }],
    });
    const [first, second] = scene.host.asked();
    expect([...(first ?? "").matchAll(/image\/png/g)]).toHaveLength(1);
    expect([...(second ?? "").matchAll(/image\/png/g)]).toHaveLength(2);
  });

  it.each([
    [401, 424, "model_authentication_failed"],
    [403, 424, "model_authentication_failed"],
    [400, 400, "model_request_failed"],
    [500, 502, "model_request_failed"],
    [503, 502, "model_request_failed"],
  ])("[GW-035] receives a provider's %s as %s", async (status, received, code) => {
    const scene = await clientScene(() => ({ error: { status, message: "no" } }));
    await expect(clientOf(scene).chat.completions.create(say("x"))).rejects.toMatchObject({
      status: received,
      code,
    });
    expect(scene.host.asked()).toHaveLength(1);
  });

  it("[GW-035] waits and repeats after a rate limit, and reports it in the end", async () => {
    const limit = { error: { status: 429, message: "slow down", retryAfterMs: 1 } };
    const recovering = await clientScene([limit, { text: "Good day." }]);
    const completion = await clientOf(recovering).chat.completions.create(say("x"));
    expect(completion.choices[0]?.message.content).toBe("Good day.");
    const limited = await clientScene(() => limit);
    const error: unknown = await clientOf(limited)
      .chat.completions.create(say("x"))
      .catch((thrown: unknown) => thrown);
    if (!(error instanceof RateLimitError)) throw new Error(`not a rate limit: ${error}`);
    expect(error.headers.get("retry-after")).toBe("1");
    expect(limited.host.asked()).toHaveLength(3);
  });

  it("[GW-035] receives an error of the form of the API for invalid requests", async () => {
    const scene = await clientScene([]);
    const error: unknown = await clientOf(scene)
      .chat.completions.create({ ...say("x"), n: 2 })
      .catch((thrown: unknown) => thrown);
    if (!(error instanceof BadRequestError)) throw new Error(`not a bad request: ${error}`);
    expect(error).toMatchObject({
      type: "invalid_request_error",
      code: "unsupported_parameter",
      param: "n",
    });
  });

  it("[GW-038] aborts its turn", async () => {
    const { script, asked } = silentModel();
    const scene = await clientScene(script);
    const connection = new AbortController();
    const answer = clientOf(scene)
      .chat.completions.create(say("x"), { signal: connection.signal })
      .catch((error: unknown) => error);
    await asked;
    connection.abort();
    expect(await answer).toBeInstanceOf(APIUserAbortError);
    expect(await endedTurns(scene)).toEqual([]);
  });
});
