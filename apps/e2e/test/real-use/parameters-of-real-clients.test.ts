import { type ModelServer, startResponsesServer } from "@openclaw/platform-fakes";
import OpenAI from "openai";
import type {
  ResponseCreateParamsNonStreaming,
  ResponseInputItem,
} from "openai/resources/responses/responses";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { GatewayProcess } from "../../src/openclaw-process.js";
import { emptyPlace, type Place } from "../../src/place.js";
import { startGateway } from "../../src/warm-process.js";

let place: Place;
let model: ModelServer;
let gateway: GatewayProcess;
let client: OpenAI;

beforeAll(async () => {
  model = await startResponsesServer([], { apiKey: "sk-test", models: ["gpt-5"] });
  place = emptyPlace({
    ...{ LLM_BACKEND: "openai", OPENAI_API_KEY: "sk-test", OPENAI_MODEL: "gpt-5" },
    OPENAI_BASE_URL: model.baseURL,
  });
  const openai = { config: { api: "responses" } };
  const configuration = { plugins: { entries: { openai } }, models: { retry: { retries: 0 } } };
  place.writeState({ "openclaw.json": JSON.stringify(configuration) });
  gateway = await startGateway(place);
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.token, maxRetries: 0 });
});

afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await model?.close();
  place?.[Symbol.dispose]();
});

beforeEach(() => model.clear());

const SHELL = {
  type: "function" as const,
  name: "exec_command",
  parameters: { type: "object", properties: { cmd: { type: "string" } } },
  strict: false,
};

/** Body in the form in which the Codex command line 0.171.0 sends it. */
function codexRequest(input: readonly ResponseInputItem[]): ResponseCreateParamsNonStreaming {
  const body = {
    ...{ model: "openclaw", input: [...input], store: false, tool_choice: "auto" as const },
    tools: [
      SHELL,
      { type: "namespace", name: "multi_agent_v1", description: "Agents.", tools: [SHELL] },
      { type: "web_search", external_web_access: false },
    ],
    ...{ parallel_tool_calls: true, reasoning: { summary: "auto" as const } },
    include: ["reasoning.encrypted_content" as const],
    prompt_cache_key: "01a22350-9366-73b1-83d0-6b3c679cc12f",
    client_metadata: { session_id: "01a22350", turn_id: "01a22351" },
  };
  // The types of the library do not know all of it.
  return JSON.parse(JSON.stringify(body));
}

const user = (text: string): ResponseInputItem => ({
  type: "message",
  role: "user",
  content: [{ type: "input_text", text }],
});

it("[GW-241] the requests of Codex are answered; one header names what had no effect", async () => {
  model.reply({ text: "Good day." });
  const { data, response } = await client.responses
    .create(codexRequest([user("<environment_context/>"), user("hello")]))
    .withResponse();
  expect(data.output_text).toBe("Good day.");
  expect(response.headers.get("openclaw-ignored")).toBe(
    "client_metadata, prompt_cache_key, tools.namespace, tools.web_search",
  );
  const tools = JSON.stringify(model.requests[0]?.body.tools);
  expect(tools).toContain("exec_command");
  expect(tools).not.toContain("multi_agent_v1");
});

it.each([false, true])(
  "[GW-242] encrypted reasoning goes to the client and back to its provider, streamed: %s",
  async (streamed) => {
    model.reply({ thinking: "Let me think.", text: "One." }, { text: "Two." });
    const request = codexRequest([user("first")]);
    const first = streamed
      ? await client.responses.stream({ ...request, stream: true }).finalResponse()
      : await client.responses.create(request);
    const reasoning = first.output.find(({ type }) => type === "reasoning");
    if (reasoning?.type !== "reasoning") throw new Error("the reply has no reasoning");
    expect(reasoning.summary).toMatchObject([{ text: "Let me think." }]);
    expect(reasoning.encrypted_content).toMatch(/^[A-Za-z0-9+/]{43}=$/);
    const items = first.output.map((item) => JSON.parse(JSON.stringify(item)));
    const second = await client.responses.create(
      codexRequest([user("first"), ...items, user("second")]),
    );
    expect(second.output_text).toBe("Two.");
    expect(model.requests[1]?.text).toContain(reasoning.encrypted_content ?? "nothing");
  },
);

it("[GW-242] reasoning is not encrypted for a client that does not ask for it", async () => {
  model.reply({ thinking: "Let me think.", text: "One." });
  const { include: _, ...request } = codexRequest([user("first")]);
  const { output } = await client.responses.create(request);
  expect(output.map(({ type }) => type)).toEqual(["reasoning", "message"]);
  expect(JSON.stringify(output)).not.toContain("encrypted_content");
});

it.each([
  ["audio", { modalities: ["text", "audio"], audio: { voice: "alloy", format: "wav" } }],
  ["n", { n: 2 }],
  ["logprobs", { logprobs: true }],
])(
  "[GW-241] what would change the meaning of the answer is rejected by name: %s",
  async (_, rest) => {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway.token}`, "content-type": "application/json" },
      body: JSON.stringify({
        ...{ model: "openclaw", messages: [{ role: "user", content: "hi" }] },
        ...rest,
      }),
    });
    expect(response.status).toBe(400);
    const body: unknown = await response.json();
    expect(body).toMatchObject({ error: { param: Object.keys(rest)[0] } });
    expect(model.requests).toHaveLength(0);
  },
);
