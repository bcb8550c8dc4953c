import { createManualClock } from "@openclaw/foundation";
import { compilePolicy } from "@openclaw/tool-policy";
import OpenAI, { APIError } from "openai";
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from "openai/resources";
import { describe, expect, it } from "vitest";
import { answering, createTestHost, serve, type TestHost, TOKEN } from "../../support/host.js";

type Options = Parameters<typeof createTestHost>[0];

interface Scene {
  readonly host: TestHost;
  readonly client: OpenAI;
  ask(
    messages: ChatCompletionMessageParam[],
    rest?: Partial<ChatCompletionCreateParamsNonStreaming>,
  ): Promise<ChatCompletion>;
}

async function scene(
  options: Options = {},
  parts: Parameters<typeof serve>[1] = {},
): Promise<Scene> {
  const host = await createTestHost(options);
  const server = await serve(host, parts);
  const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: TOKEN, maxRetries: 0 });
  return {
    host,
    client,
    ask: (messages, rest = {}) =>
      client.chat.completions.create({ model: "openclaw", messages, tools: TOOLS, ...rest }),
  };
}

const WEATHER: ChatCompletionTool = {
  type: "function",
  function: {
    name: "get_weather",
    description: "Returns the weather of a city.",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
};
const CLOCK: ChatCompletionTool = { type: "function", function: { name: "clock" } };
const TOOLS = [WEATHER, CLOCK];
const question: ChatCompletionMessageParam = { role: "user", content: "What is the weather?" };
const weatherCall = (city: string) => ({
  toolName: "get_weather",
  params: { city },
  toolCallId: `provider-${city}`,
});

/** Messages of a client that answers every call of a completion. */
function answered(
  completion: ChatCompletion,
  result: (args: string) => string,
): ChatCompletionMessageParam[] {
  const [choice] = completion.choices;
  if (choice === undefined) throw new Error("the completion has no choice");
  const calls = (choice.message.tool_calls ?? []).filter((call) => call.type === "function");
  return [
    choice.message,
    ...calls.map((call) => ({
      role: "tool" as const,
      tool_call_id: call.id,
      content: result(call.function.arguments),
    })),
  ];
}

const reasonOf = ({ choices }: ChatCompletion) => choices[0]?.finish_reason;
const textOf = ({ choices }: ChatCompletion) => choices[0]?.message.content;

async function failureOf(work: Promise<unknown>): Promise<APIError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof APIError) return error;
  throw new Error(`expected an error of the API, got ${String(error)}`);
}

/** Registers a tool of the host that the model can call in addition to those of the client. */
const withServerTool: Options = {
  register: (api) =>
    api.registerTool({
      name: "lookup",
      description: "Looks a city up.",
      parameters: { type: "object", properties: {} },
      execute: () => "the city is Oslo",
    }),
};

describe("tools of the client", () => {
  it("[GW-036] are offered in addition to the tools of the host, and a call ends the response with tool_calls", async () => {
    const offered: (string[] | undefined)[] = [];
    const { ask } = await scene({
      ...withServerTool,
      script: ({ tools }) => {
        offered.push(tools?.map(({ name }) => name));
        return { text: "One moment.", toolCalls: [weatherCall("Oslo")] };
      },
    });
    const completion = await ask([question]);
    expect(offered[0]?.slice(-3)).toEqual(["lookup", "get_weather", "clock"]);
    expect(completion.choices).toMatchObject([
      {
        finish_reason: "tool_calls",
        message: {
          role: "assistant",
          content: "One moment.",
          tool_calls: [
            {
              id: expect.stringMatching(/^call_[0-9a-z]{34}$/),
              type: "function",
              function: { name: "get_weather", arguments: '{"city":"Oslo"}' },
            },
          ],
        },
      },
    ]);
  });

  it("[GW-036] continue in the same session when the next request has the results", async () => {
    const { ask, host } = await scene({
      ...withServerTool,
      script: [
        { toolCalls: [{ toolName: "lookup", toolCallId: "hidden" }] },
        { toolCalls: [weatherCall("Oslo")] },
        { text: "It rains." },
      ],
    });
    const first = await ask([question]);
    const second = await ask([question, ...answered(first, () => "rain")]);
    expect(reasonOf(second)).toBe("stop");
    expect(textOf(second)).toBe("It rains.");
    const last = JSON.parse(host.asked().at(-1) ?? "[]") as { role: string; content: unknown }[];
    expect(last.map(({ role }) => role).slice(1)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "tool",
    ]);
    expect(JSON.stringify(last[3])).toContain("the city is Oslo");
    expect(JSON.stringify(last[5])).toContain("provider-Oslo");
    expect(JSON.stringify(last[5])).toContain("rain");
    const sessions = await host.store.sessions.list({ limit: 10 });
    expect(sessions).toHaveLength(1);
    const { sessionId = "" } = sessions[0] ?? {};
    const transcript = await host.store.messages.transcript.load(sessionId);
    expect(transcript.map(({ message }) => message.role)).toEqual([
      "user",
      "assistant",
      "toolResult",
      "assistant",
      "toolResult",
      "assistant",
    ]);
  });

  it("[GW-036] continue over several rounds, with several calls in one reply", async () => {
    const { ask, host } = await scene({
      script: [
        { toolCalls: [weatherCall("Oslo"), weatherCall("Rome")] },
        { toolCalls: [{ toolName: "clock", toolCallId: "provider-Oslo" }] },
        { text: "Rain and sun at noon." },
      ],
    });
    const first = await ask([question]);
    const ids = first.choices[0]?.message.tool_calls?.map(({ id }) => id) ?? [];
    expect(new Set(ids).size).toBe(2);
    const one = [question, ...answered(first, (args) => (args.includes("Oslo") ? "rain" : "sun"))];
    const second = await ask(one);
    expect(reasonOf(second)).toBe("tool_calls");
    const third = await ask([...one, ...answered(second, () => "noon")]);
    expect(textOf(third)).toBe("Rain and sun at noon.");
    const asked = host.asked().at(-1) ?? "";
    expect([...asked.matchAll(/"role":"assistant"/g)]).toHaveLength(2);
    for (const result of ["rain", "sun", "noon"]) {
      expect([...asked.matchAll(new RegExp(`"value":"${result}"`, "g"))]).toHaveLength(1);
    }
  });

  it("[GW-036] continue after a restart of the host", async () => {
    const before = await scene({ script: [{ toolCalls: [weatherCall("Oslo")] }] });
    const first = await before.ask([question]);
    const after = await scene({ store: before.host.store, script: [{ text: "It rains." }] });
    const second = await after.ask([question, ...answered(first, () => "rain")]);
    expect(textOf(second)).toBe("It rains.");
    expect(after.host.asked()[0]).toContain("provider-Oslo");
  });

  it("[GW-036] are streamed as chunks with the complete arguments", async () => {
    const { client } = await scene({
      script: [{ text: "Wait.", toolCalls: [weatherCall("Oslo")] }],
    });
    const stream = client.chat.completions.stream({
      model: "openclaw",
      messages: [question],
      tools: TOOLS,
    });
    const chunks: ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const completion = await stream.finalChatCompletion();
    expect(completion.choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: {
        content: "Wait.",
        tool_calls: [{ function: { name: "get_weather", arguments: '{"city":"Oslo"}' } }],
      },
    });
    expect(chunks.at(-1)?.choices[0]).toMatchObject({ delta: {}, finish_reason: "tool_calls" });
  });

  it("[GW-036] work with the tool runner of the official SDK", async () => {
    const { client } = await scene({
      script: [{ toolCalls: [weatherCall("Oslo")] }, { text: "It rains." }],
    });
    const asked: unknown[] = [];
    const runner = client.chat.completions.runTools({
      model: "openclaw",
      messages: [question],
      tools: [
        {
          type: "function",
          function: {
            name: "get_weather",
            description: "Returns the weather.",
            parameters: { type: "object", properties: { city: { type: "string" } } },
            parse: JSON.parse,
            function: (args: unknown) => {
              asked.push(args);
              return "rain";
            },
          },
        },
      ],
    });
    expect(await runner.finalContent()).toBe("It rains.");
    expect(asked).toEqual([{ city: "Oslo" }]);
  });

  it("[GW-036] are rejected with a clear error when clientTools is false", async () => {
    const { ask, host } = await scene({}, { clientTools: false });
    const error = await failureOf(ask([question]));
    expect(error).toMatchObject({ status: 400, code: "client_tools_disabled", param: "tools" });
    expect(error.message).toContain("gateway.openai.clientTools");
    expect(host.asked()).toEqual([]);
    expect(textOf(await ask([question], { tools: [] }))).toBe("ok");
  });

  it("[GW-036] hide a tool of the host with the same name, which does not run", async () => {
    const ran: string[] = [];
    const offered: (string[] | undefined)[] = [];
    const { ask } = await scene({
      register: (api) =>
        api.registerTool({
          name: "get_weather",
          description: "The host's own.",
          parameters: { type: "object", properties: {} },
          execute: () => {
            ran.push("host");
            return "host";
          },
        }),
      script: ({ tools }) => {
        offered.push(tools?.map(({ name }) => name).filter((name) => name === "get_weather"));
        return { toolCalls: [weatherCall("Oslo")] };
      },
    });
    expect(reasonOf(await ask([question]))).toBe("tool_calls");
    expect(offered).toEqual([["get_weather"]]);
    expect(ran).toEqual([]);
  });

  it("returns one call at a time with parallel_tool_calls: false", async () => {
    const { ask, host } = await scene({
      script: [{ toolCalls: [weatherCall("Oslo"), weatherCall("Rome")] }, { text: "done" }],
    });
    const first = await ask([question], { parallel_tool_calls: false });
    expect(first.choices[0]?.message.tool_calls).toHaveLength(1);
    await ask([question, ...answered(first, () => "rain")], { parallel_tool_calls: false });
    expect(host.asked()[1]).toContain("accepts one tool call at a time");
  });

  it("are forwarded with their schema, and with the choice of the first call only", async () => {
    const choices: unknown[] = [];
    const offered: unknown[] = [];
    const { ask } = await scene({
      ...withServerTool,
      script: ({ toolChoice, tools }) => {
        choices.push(toolChoice);
        offered.push(tools?.find(({ name }) => name === "get_weather"));
        return choices.length === 1 ? { toolCalls: [{ toolName: "lookup" }] } : { text: "ok" };
      },
    });
    const choice = { type: "function" as const, function: { name: "get_weather" } };
    await ask([question], { tool_choice: choice });
    expect(choices).toEqual([{ type: "tool", toolName: "get_weather" }, { type: "auto" }]);
    expect(offered[0]).toMatchObject({
      description: "Returns the weather of a city.",
      inputSchema: WEATHER.function.parameters,
    });
  });

  it("are not offered with tool_choice none", async () => {
    const { ask } = await scene({
      script: ({ tools }) => ({ text: tools === undefined ? "none" : "some" }),
    });
    expect(textOf(await ask([question], { tool_choice: "none" }))).toBe("none");
  });
});

describe("guards of the client's tools", () => {
  it("[GW-036] let a hook change the arguments, block a call, and see the result", async () => {
    const seen: unknown[] = [];
    const { ask, host } = await scene({
      register: (api) => {
        api.on("before_tool_call", ({ toolName, toolKind, params }) => {
          seen.push([toolName, toolKind]);
          if (params.city === "Rome") return { block: true, blockReason: "not Rome" };
          return { params: { city: "OSLO" }, guidance: "Mention the wind." };
        });
        api.on("after_tool_call", ({ toolName, result }) => void seen.push([toolName, result]));
      },
      script: [{ toolCalls: [weatherCall("Rome"), weatherCall("Oslo")] }, { text: "ok" }],
    });
    const first = await ask([question]);
    expect(first.choices[0]?.message.tool_calls).toMatchObject([
      { function: { arguments: '{"city":"OSLO"}' } },
    ]);
    await ask([question, ...answered(first, () => "rain")]);
    await expect.poll(() => seen).toHaveLength(3);
    expect(seen.slice(0, 2)).toEqual([
      ["get_weather", "client"],
      ["get_weather", "client"],
    ]);
    expect(JSON.stringify(seen[2])).toContain("rain");
    const asked = host.asked()[1] ?? "";
    expect(asked).toContain("not Rome");
    expect(asked).toContain("Mention the wind.");
  });

  it("[GW-036] deny a tool by policy, with the rule in the error", async () => {
    const policy = compilePolicy([{ layer: "global", deny: ["get_weather"] }]);
    const { ask, host } = await scene({ policy });
    const error = await failureOf(ask([question]));
    expect(error).toMatchObject({ status: 403, code: "client_tool_denied", param: "tools" });
    expect(error.message).toContain("get_weather");
    expect(host.asked()).toEqual([]);
  });

  it("[GW-036] allow tools of clients as a group in addition to an allow list", async () => {
    const allow = (...entries: string[]) => compilePolicy([{ layer: "global", allow: entries }]);
    const denied = await scene({ policy: allow("lookup") });
    expect(await failureOf(denied.ask([question]))).toMatchObject({ code: "client_tool_denied" });
    const { ask } = await scene({ policy: allow("lookup", "group:client") });
    expect(textOf(await ask([question]))).toBe("ok");
  });

  it("[GW-036] require an approval before a call is returned", async () => {
    const { ask, host } = await scene({
      register: (api) =>
        api.on("before_tool_call", () => ({
          requireApproval: { title: "Ask the client?", description: "It has tools." },
        })),
      script: [{ toolCalls: [weatherCall("Oslo")] }],
    });
    host.presence.attend(answering(host, "allow-once"));
    expect(reasonOf(await ask([question]))).toBe("tool_calls");
  });

  it("redact secrets in a result before the model sees it", async () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const { ask, host } = await scene({
      script: [{ toolCalls: [weatherCall("Oslo")] }, { text: "ok" }],
    });
    const first = await ask([question]);
    await ask([question, ...answered(first, () => `the token is ${secret}`)]);
    expect(host.asked()[1]).toContain("the token is");
    expect(host.asked()[1]).not.toContain(secret);
  });
});

describe("results of the client's tools", () => {
  const withCall = async () => {
    const made = await scene({
      script: [{ toolCalls: [weatherCall("Oslo"), weatherCall("Rome")] }, { text: "ok" }],
    });
    return { ...made, first: await made.ask([question]) };
  };

  it("are rejected when one is missing, unknown or repeated", async () => {
    const { ask, first, host } = await withCall();
    const [reply, one, two] = answered(first, () => "rain");
    if (reply === undefined || one === undefined || two === undefined) throw new Error("no calls");
    const stray = { role: "tool" as const, tool_call_id: "call_unknown", content: "x" };
    for (const [messages, code] of [
      [[question, reply, one], "missing_tool_result"],
      [[question, reply, one, two, stray], "unexpected_tool_result"],
      [[question, reply, one, one], "unexpected_tool_result"],
      [[question, one, two], "unexpected_tool_result"],
      [[one], "unexpected_tool_result"],
    ] as const) {
      const error = await failureOf(ask([...messages]));
      expect(error).toMatchObject({ status: 400, code, param: "messages" });
    }
    expect(host.asked()).toHaveLength(1);
  });

  it("may be left out: a new message continues without them", async () => {
    const { ask, first, host } = await withCall();
    const [reply] = answered(first, () => "");
    if (reply === undefined) throw new Error("no reply");
    await ask([question, reply, { role: "user", content: "never mind" }]);
    expect(host.asked()[1]).toContain("No result of this call was recorded");
  });

  it("of another user are not joined with the turn of the owner", async () => {
    const { ask, first, host } = await withCall();
    await ask([question, ...answered(first, () => "rain")], { user: "mallory" });
    expect(host.asked()[1]).not.toContain("provider-Oslo");
    const keys = (await host.store.sessions.list({ limit: 5 })).map((each) => each.sessionKey);
    expect(keys).toContain("agent:main:api:direct:mallory");
  });

  it("of calls that another server made are accepted", async () => {
    const { ask, host } = await scene({ script: [{ text: "It rains." }] });
    const reply: ChatCompletionMessageParam = {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "call_x", type: "function", function: { name: "get_weather", arguments: "{}" } },
      ],
    };
    const result = { role: "tool" as const, tool_call_id: "call_x", content: "rain" };
    expect(textOf(await ask([question, reply, result]))).toBe("It rains.");
    expect(host.asked()[0]).toContain("rain");
  });
});

describe("tools of a request", () => {
  it.each([
    ["a name with spaces", [{ type: "function", function: { name: "a b" } }], "invalid_request"],
    ["the same name twice", [CLOCK, CLOCK], "duplicate_tool"],
    [
      "parameters that are not an object",
      [{ type: "function", function: { name: "a", parameters: { type: "string" } } }],
      "invalid_tool_parameters",
    ],
    ["a type that reads data of the client", [{ type: "file_search" }], "unsupported_content"],
  ])("are rejected with %s", async (_, tools, code) => {
    const { ask, host } = await scene();
    const given = tools as ChatCompletionTool[];
    const error = await failureOf(ask([question], { tools: given }));
    expect(error).toMatchObject({ status: 400, code });
    expect(error.param).toMatch(/^tools/);
    expect(host.asked()).toEqual([]);
  });

  it("are rejected when the choice names no tool of the request", async () => {
    const { ask } = await scene(withServerTool);
    const choice = { type: "function" as const, function: { name: "lookup" } };
    expect(await failureOf(ask([question], { tool_choice: choice }))).toMatchObject({
      status: 400,
      param: "tool_choice",
    });
  });
});

describe("pending approval", () => {
  const asking: Options = {
    register: (api) =>
      api.registerTool({
        name: "deploy",
        description: "Deploys.",
        parameters: { type: "object", properties: {} },
        approval: "always",
        execute: () => "deployed",
      }),
    script: [{ toolCalls: [{ toolName: "deploy" }] }, { text: "It is deployed." }],
  };
  const once = [{ toolCalls: [{ toolName: "deploy" }] }, { text: "I could not." }];
  const askingTwice: Options = { ...asking, script: [...once, ...once, { text: "Hello." }] };

  it("[GW-036] is denied at once when no one can answer it", async () => {
    const { ask, host } = await scene(asking);
    expect(textOf(await ask([question]))).toBe("It is deployed.");
    expect(host.asked()[1]).toContain("no approver reachable");
  });

  const unapproved = { status: "not_approved", tools: ["deploy"] };

  it("[GW-460] that no one could answer is named in openclaw_outcome of a completion and of its stream", async () => {
    const { ask, client } = await scene(askingTwice);
    const first = await ask([question], { tools: [] });
    expect(reasonOf(first)).toBe("stop");
    expect(first).toMatchObject({ openclaw_outcome: unapproved });
    const stream = await client.chat.completions.create({
      ...{ model: "openclaw", messages: [question], stream: true },
      stream_options: { include_usage: true },
    });
    const told: unknown[] = [];
    for await (const chunk of stream) {
      const outcome: unknown = Reflect.get(chunk, "openclaw_outcome");
      if (outcome !== undefined) told.push([chunk.choices[0]?.finish_reason, outcome]);
    }
    expect(told).toEqual([["stop", unapproved]]);
    expect(await ask([question], { tools: [] })).not.toHaveProperty("openclaw_outcome");
  });

  it("[GW-460] that no one could answer is named in openclaw_outcome of a response, also when it is read later", async () => {
    const { client } = await scene(askingTwice);
    const response = await client.responses.create({ model: "openclaw", input: "deploy it" });
    expect(response).toMatchObject({ status: "completed", openclaw_outcome: unapproved });
    expect(await client.responses.retrieve(response.id)).toMatchObject({
      openclaw_outcome: unapproved,
    });
    const stream = await client.responses.create({
      ...{ model: "openclaw", input: "deploy it", stream: true },
    });
    const ends: unknown[] = [];
    for await (const event of stream) {
      if (event.type === "response.completed") ends.push(event.response);
    }
    expect(ends).toMatchObject([{ openclaw_outcome: unapproved }]);
  });

  it("[GW-460] that no one could answer is named in openclaw_outcome of a message of the Messages API", async () => {
    const { client } = await scene(askingTwice);
    const body = { model: "openclaw", max_tokens: 100, messages: [question] };
    expect(await client.post("/messages", { body })).toMatchObject({
      ...{ type: "message", stop_reason: "end_turn", openclaw_outcome: unapproved },
    });
    const streamed = await client
      .post("/messages", { body: { ...body, stream: true } })
      .asResponse();
    const text = await streamed.text();
    expect(text.split("\n").filter((line) => line.includes("openclaw_outcome"))).toEqual([
      expect.stringContaining('"type":"message_delta"'),
    ]);
  });

  it("[GW-036] is kept visible by comment frames in a stream", async () => {
    const clock = createManualClock();
    const host = await createTestHost(asking);
    const server = await serve(host, { timers: clock });
    let decide = () => {};
    const decision = new Promise<void>((resolve) => {
      decide = resolve;
    });
    host.presence.attend({
      channel: "test",
      async show(approval) {
        if (approval.state !== "pending") return;
        await decision;
        await answering(host, "allow-once").show(approval);
      },
    });
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      headers: server.headers,
      body: JSON.stringify({ model: "openclaw", messages: [question], stream: true }),
    });
    const frames: string[] = [];
    const decoder = new TextDecoder();
    const comments = () => frames.join("").match(/: waiting for approval \S+ \(deploy\)/g) ?? [];
    const read = (async () => {
      if (response.body === null) throw new Error("the response has no body");
      for await (const chunk of response.body) frames.push(decoder.decode(chunk));
    })();
    await expect.poll(() => comments().length).toBe(1);
    clock.advance(15_000);
    await expect.poll(() => comments().length).toBe(2);
    decide();
    await read;
    expect(frames.join("")).toContain("deployed.");
    expect(frames.join("")).toContain("[DONE]");
  });

  it("[GW-036] is named in the answer of a request that has waited 60,000 ms, and the turn stays resumable", async () => {
    const clock = createManualClock();
    const { ask, host } = await scene(asking, { timers: clock });
    const pending: string[] = [];
    const codes: string[] = [];
    host.presence.attend({
      channel: "test",
      show({ id, code, state }) {
        if (state !== "pending") return;
        pending.push(id);
        codes.push(code);
      },
    });
    const asked = ask([question], { tools: [] });
    const state = async () => {
      const [turn] = await host.store.turns.unfinished();
      return turn?.state;
    };
    await expect.poll(state).toBe("awaiting_approval");
    clock.advance(59_999);
    expect(pending).toHaveLength(1);
    clock.advance(1);
    const completion = await asked;
    expect(reasonOf(completion)).toBe("stop");
    expect(completion).toMatchObject({ openclaw_outcome: { status: "waiting_for_approval" } });
    expect(textOf(completion)).toContain(codes[0]);
    expect(textOf(completion)).toContain(`/approve ${codes[0]}`);

    const owner = { channel: "test", senderId: "owner", isOwner: true };
    await host.approvals.decide(pending[0] ?? "", { decision: "allow-once", via: "test" }, owner);
    await host.live.idle();
    expect(await host.store.turns.unfinished()).toEqual([]);
    const [session] = await host.store.sessions.list({ limit: 1 });
    const transcript = await host.store.messages.transcript.load(session?.sessionId ?? "");
    expect(JSON.stringify(transcript.at(-1))).toContain("It is deployed.");
    expect(textOf(completion)).toContain(session?.sessionKey);
  });
});
