import Anthropic, { APIError } from "@anthropic-ai/sdk";
import type {
  Message,
  MessageCreateParamsNonStreaming,
  MessageParam,
  RawMessageStreamEvent,
  Tool,
} from "@anthropic-ai/sdk/resources/messages";
import { compilePolicy } from "@openclaw/tool-policy";
import { describe, expect, it } from "vitest";
import { createTestHost, serve, type TestHost, TOKEN } from "../../support/host.js";

type Options = Parameters<typeof createTestHost>[0];
type Request = Partial<MessageCreateParamsNonStreaming> & Record<string, unknown>;

interface Scene {
  readonly host: TestHost;
  readonly client: Anthropic;
  readonly url: string;
  /** Sends messages and returns the reply. */
  ask(messages: MessageParam[] | string, rest?: Request): Promise<Message>;
  /** Returns the last prompt of the model. */
  prompt(): { role: string; content: unknown }[];
}

async function scene(
  options: Options = {},
  parts: Parameters<typeof serve>[1] = {},
): Promise<Scene> {
  const host = await createTestHost(options);
  const { url } = await serve(host, parts);
  const client = new Anthropic({ baseURL: url, apiKey: TOKEN, maxRetries: 0 });
  return {
    host,
    url,
    client,
    ask: (messages, rest) => client.messages.create(requestOf(messages, rest)),
    prompt: () => JSON.parse(host.asked().at(-1) ?? "[]"),
  };
}

function requestOf(messages: MessageParam[] | string, rest: Request = {}) {
  const said = typeof messages === "string" ? [user(messages)] : messages;
  return { model: "openclaw", max_tokens: 500, messages: said, ...rest };
}

const user = (content: MessageParam["content"]): MessageParam => ({ role: "user", content });

async function eventsOf({ client }: Scene, rest: Request = {}): Promise<RawMessageStreamEvent[]> {
  const events: RawMessageStreamEvent[] = [];
  for await (const event of client.messages.stream(requestOf("hello", rest))) events.push(event);
  return events;
}

async function failureOf(work: Promise<unknown>): Promise<APIError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof APIError) return error;
  throw new Error(`expected an error of the API, got ${String(error)}`);
}

const WEATHER: Tool = {
  name: "get_weather",
  description: "Returns the weather of a city.",
  input_schema: { type: "object", properties: { city: { type: "string" } } },
};
const weatherCall = (city: string) => ({
  toolName: "get_weather",
  params: { city },
  toolCallId: `provider-${city}`,
});

/** Conversation after which the client answers every call of a reply. */
function answered(reply: Message, ...rest: Exclude<MessageParam["content"], string>) {
  const results = reply.content.flatMap((block) =>
    block.type === "tool_use"
      ? [{ type: "tool_result" as const, tool_use_id: block.id, content: `sun in ${city(block)}` }]
      : [],
  );
  return [
    user("weather"),
    { role: "assistant" as const, content: reply.content },
    user([...results, ...rest]),
  ];
}

const city = ({ input }: { readonly input: unknown }) => (input as { readonly city: string }).city;

const PIXEL = "iVBORw0KGgo=";

describe("messages", () => {
  it("[GW-540] have the text, the stop reason and the usage without what a cache counts", async () => {
    const { ask, prompt } = await scene({
      script: [{ text: "Good day.", usage: { input: 11, output: 7, cacheRead: 4 } }],
    });
    const reply = await ask("hello", {
      system: [{ type: "text", text: "Answer in Latin.", cache_control: { type: "ephemeral" } }],
    });
    expect(reply).toEqual({
      id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
      type: "message",
      role: "assistant",
      model: "openclaw",
      content: [{ type: "text", text: "Good day.", citations: null }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: {
        input_tokens: 7,
        output_tokens: 7,
        cache_read_input_tokens: 4,
        cache_creation_input_tokens: 0,
      },
    });
    expect(JSON.stringify(prompt()[0])).toContain("Answer in Latin.");
  });

  it("[GW-540] carry text, images, documents, search results and earlier replies to the model", async () => {
    const { ask, prompt } = await scene();
    await ask([
      user("first"),
      { role: "assistant", content: [{ type: "text", text: "second" }] },
      user([
        { type: "text", text: "third" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } },
        {
          type: "document",
          title: "rules.txt",
          source: { type: "text", media_type: "text/plain", data: "No dogs." },
        },
        {
          type: "document",
          source: { type: "base64", media_type: "application/pdf", data: btoa("%PDF-1.7\n") },
        },
        {
          type: "search_result",
          source: "https://zoo.example",
          title: "Zoo",
          content: [{ type: "text", text: "Open at nine." }],
        },
      ]),
    ]);
    expect(prompt().map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    const last = JSON.stringify(prompt()[3]);
    for (const part of ["third", "image/png", "rules.txt", "No dogs.", "application/pdf", "Zoo"]) {
      expect(last).toContain(part);
    }
    expect(last).toContain("Open at nine.");
  });

  it("[GW-540] forward settings of the model", async () => {
    const seen: unknown[] = [];
    const { ask } = await scene({
      script: (call) => {
        const { maxOutputTokens, stopSequences, topP, topK, temperature, reasoning } = call;
        const { responseFormat } = call;
        seen.push({ maxOutputTokens, stopSequences, topP, topK, temperature, reasoning });
        seen.push(responseFormat);
        return { text: "{}" };
      },
    });
    await ask("hello", {
      max_tokens: 77,
      stop_sequences: ["END"],
      top_p: 0.5,
      top_k: 4,
      temperature: 0.25,
      thinking: { type: "enabled", budget_tokens: 2048 },
      output_config: { format: { type: "json_schema", schema: { type: "object" } } },
    });
    expect(seen[0]).toEqual({
      ...{ maxOutputTokens: 77, stopSequences: ["END"], topP: 0.5, topK: 4, temperature: 0.25 },
      reasoning: "low",
    });
    expect(seen[1]).toMatchObject({ type: "json", schema: { type: "object" } });
  });

  it.each<[MessageCreateParamsNonStreaming["thinking"], string | undefined]>([
    [{ type: "enabled", budget_tokens: 16_000 }, "medium"],
    [{ type: "enabled", budget_tokens: 64_000 }, "high"],
    [{ type: "adaptive" }, "high"],
    [{ type: "disabled" }, "none"],
    [undefined, undefined],
  ])("[GW-540] ask for reasoning as thinking says: %j", async (thinking, expected) => {
    const seen: unknown[] = [];
    const { ask } = await scene({
      script: ({ reasoning }) => {
        seen.push(reasoning);
        return { text: "ok" };
      },
    });
    await ask("hello", thinking === undefined ? {} : { thinking });
    expect(seen).toEqual([expected]);
  });

  it.each([
    ["length", "max_tokens"],
    ["content-filter", "refusal"],
  ] as const)(
    "[GW-540] stop with the reason of a model that stops with %s",
    async (finish, reason) => {
      const { ask } = await scene({ script: [{ text: "Good", finish }] });
      expect(await ask("hello")).toMatchObject({ stop_reason: reason });
    },
  );

  it("[GW-540] belong to the session of metadata.user_id, who is not an owner", async () => {
    const told: unknown[] = [];
    const { client } = await scene({
      register: (api) =>
        api.registerTool(
          ({ requesterSenderId, senderIsOwner }) => {
            told.push([requesterSenderId, senderIsOwner]);
            return null;
          },
          { names: [] },
        ),
    });
    const request = requestOf("hello", { metadata: { user_id: "alice" } });
    const { response } = await client.messages.create(request).withResponse();
    expect(response.headers.get("x-openclaw-session-key")).toBe("agent:main:api:direct:alice");
    await client.messages.create(requestOf("hello"));
    expect(told).toEqual([
      ["alice", false],
      ["api", true],
    ]);
  });

  it("[GW-540] are streamed in the events of the API, one block open at a time", async () => {
    const opened = await scene({
      script: [{ thinking: "Let me see.", text: "Good day.", usage: { input: 3, output: 2 } }],
    });
    const events = await eventsOf(opened, { thinking: { type: "adaptive" } });
    const types = events.map(({ type }) => type);
    expect(types[0]).toBe("message_start");
    expect(types.slice(-2)).toEqual(["message_delta", "message_stop"]);
    let open = -1;
    for (const event of events) {
      if (event.type === "content_block_start") open += 1;
      if (event.type === "content_block_start") expect(event.index).toBe(open);
      if (event.type === "content_block_delta") expect(event.index).toBe(open);
    }
    const starts = events.flatMap((event) =>
      event.type === "content_block_start" ? [event.content_block.type] : [],
    );
    expect(starts).toEqual(["thinking", "text"]);
    expect(events.at(-2)).toMatchObject({
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { input_tokens: 3, output_tokens: 2 },
    });
  });

  it("[GW-540] have the same content whole and streamed", async () => {
    const script = () => ({
      ...{ thinking: "Hm.", text: "One moment.", toolCalls: [weatherCall("Oslo")] },
    });
    const { client, ask } = await scene({ script });
    const rest: Request = { tools: [WEATHER], thinking: { type: "adaptive" } };
    const whole = await ask("weather", rest);
    const stream = client.messages.stream(requestOf("weather", rest));
    const streamed = await stream.finalMessage();
    const shape = ({ content, stop_reason }: Message) => ({
      stop_reason,
      content: content.map((block) => {
        if (block.type === "tool_use") return { ...block, id: "" };
        return block.type === "thinking" ? { ...block, signature: "" } : block;
      }),
    });
    expect(shape(streamed)).toEqual(shape(whole));
    expect(whole.content.map(({ type }) => type)).toEqual(["thinking", "text", "tool_use"]);
  });
});

describe("tools of the client", () => {
  it("[GW-541] end the message with tool_use, and their results continue the same session", async () => {
    const { ask, client, prompt } = await scene({
      script: [
        { text: "One moment.", toolCalls: [weatherCall("Oslo"), weatherCall("Rome")] },
        { text: "Sun." },
      ],
    });
    const first = await ask("weather", { tools: [WEATHER] });
    expect(first).toMatchObject({
      stop_reason: "tool_use",
      content: [
        { type: "text", text: "One moment." },
        { type: "tool_use", name: "get_weather", input: { city: "Oslo" } },
        { type: "tool_use", name: "get_weather", input: { city: "Rome" } },
      ],
    });
    const second = await client.messages
      .create(requestOf(answered(first), { tools: [WEATHER] }))
      .withResponse();
    expect(second.data.content).toMatchObject([{ type: "text", text: "Sun." }]);
    expect(prompt().map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool"]);
    expect(JSON.stringify(prompt()[3])).toMatch(/sun in Oslo.*sun in Rome/);
  });

  it("[GW-541] carry a message of the user after their results", async () => {
    const seen: string[] = [];
    const { ask, prompt } = await scene({
      script: [{ toolCalls: [weatherCall("Oslo")] }, { text: "Sun." }],
      register: (api) =>
        api.on("after_tool_call", ({ toolName }) => {
          seen.push(toolName);
        }),
    });
    const first = await ask("weather", { tools: [WEATHER] });
    await ask(answered(first, { type: "text", text: "and in Fahrenheit" }), { tools: [WEATHER] });
    expect(prompt().map(({ role }) => role)).toEqual([
      ...["system", "user", "assistant", "tool", "user"],
    ]);
    expect(JSON.stringify(prompt()[4])).toContain("and in Fahrenheit");
    expect(seen).toEqual(["get_weather"]);
  });

  it("[GW-541] tell the model that they failed", async () => {
    const { ask, prompt } = await scene({
      script: [{ toolCalls: [weatherCall("Oslo")] }, { text: "Sorry." }],
    });
    const first = await ask("weather", { tools: [WEATHER] });
    const [call] = first.content.filter((block) => block.type === "tool_use");
    await ask([
      user("weather"),
      { role: "assistant", content: first.content },
      user([
        { type: "tool_result", tool_use_id: call?.id ?? "", is_error: true, content: "no net" },
      ]),
    ]);
    expect(JSON.stringify(prompt()[3])).toMatch(/error-text.*no net|no net.*error-text/);
  });

  it.each([
    [{ type: "any" }, { type: "required" }],
    [
      { type: "tool", name: "get_weather" },
      { type: "tool", toolName: "get_weather" },
    ],
    [{ type: "none" }, undefined],
    [{ type: "auto" }, { type: "auto" }],
  ])("[GW-541] are chosen as tool_choice says: %j", async (choice, expected) => {
    const seen: unknown[] = [];
    const { ask } = await scene({
      script: ({ toolChoice }) => {
        seen.push(toolChoice);
        return { text: "ok" };
      },
    });
    await ask("weather", { tools: [WEATHER], tool_choice: choice as never });
    expect(seen[0]).toEqual(expected);
  });

  it("[GW-541] are returned one at a time with disable_parallel_tool_use", async () => {
    const { ask } = await scene({
      script: [{ toolCalls: [weatherCall("Oslo"), weatherCall("Rome")] }, { text: "no" }],
    });
    const reply = await ask("weather", {
      tools: [WEATHER],
      tool_choice: { type: "auto", disable_parallel_tool_use: true },
    });
    expect(reply.content.filter(({ type }) => type === "tool_use")).toHaveLength(1);
  });

  it("[GW-541] are rejected by the tool policy with the permission error of the API", async () => {
    const { ask } = await scene({
      policy: compilePolicy([{ layer: "global", deny: ["get_weather"] }]),
    });
    const error = await failureOf(ask("weather", { tools: [WEATHER] }));
    expect(error.status).toBe(403);
    expect(error.error).toMatchObject({
      type: "error",
      error: { type: "permission_error", code: "client_tool_denied" },
    });
  });
});
