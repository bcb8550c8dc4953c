import OpenAI from "openai";
import { expect, it } from "vitest";
import { answering, createTestHost, serve, TOKEN } from "../../support/host.js";

const QUESTION = { role: "user" as const, content: "deploy it" };
const DENIED = { status: "denied", tools: ["deploy"] };
const TURN = [{ toolCalls: [{ toolName: "deploy" }] }, { text: "I may not." }];

/** Starts a host whose model asks for `deploy` in each of two turns; an approver denies each call. */
async function denying(): Promise<OpenAI> {
  const host = await createTestHost({
    register: (api) =>
      api.registerTool({
        name: "deploy",
        description: "Deploys.",
        parameters: { type: "object", properties: {} },
        approval: "always",
        execute: () => "deployed",
      }),
    script: [...TURN, ...TURN],
  });
  host.presence.attend(answering(host, "deny"));
  const { url } = await serve(host);
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: TOKEN, maxRetries: 0 });
}

it("[GW-460] a completion and its stream name in openclaw_outcome the tools of which an approver denied a call", async () => {
  const client = await denying();
  const body = { model: "openclaw", messages: [QUESTION] };
  const plain = await client.chat.completions.create(body);
  expect(plain).toMatchObject({ openclaw_outcome: DENIED });
  expect(plain.choices[0]?.finish_reason).toBe("stop");
  const told: unknown[] = [];
  for await (const chunk of await client.chat.completions.create({ ...body, stream: true })) {
    const outcome: unknown = Reflect.get(chunk, "openclaw_outcome");
    if (outcome !== undefined) told.push(outcome);
  }
  expect(told).toEqual([DENIED]);
});

it("[GW-460] a response, the stored one and the last event of its stream name the tools of which an approver denied a call", async () => {
  const client = await denying();
  const body = { model: "openclaw", input: "deploy it" };
  const plain = await client.responses.create(body);
  expect(plain).toMatchObject({ status: "completed", openclaw_outcome: DENIED });
  expect(await client.responses.retrieve(plain.id)).toMatchObject({ openclaw_outcome: DENIED });
  const ends: unknown[] = [];
  for await (const event of await client.responses.create({ ...body, stream: true })) {
    if (event.type === "response.completed") ends.push(event.response);
  }
  expect(ends).toMatchObject([{ openclaw_outcome: DENIED }]);
});

it("[GW-460] a message of the Messages API and its stream name the tools of which an approver denied a call", async () => {
  const client = await denying();
  const body = { model: "openclaw", max_tokens: 100, messages: [QUESTION] };
  expect(await client.post("/messages", { body })).toMatchObject({ openclaw_outcome: DENIED });
  const response = await client.post("/messages", { body: { ...body, stream: true } }).asResponse();
  const lines = (await response.text()).split("\n");
  expect(lines.filter((line) => line.includes("openclaw_outcome"))).toEqual([
    expect.stringContaining(JSON.stringify(DENIED)),
  ]);
});
