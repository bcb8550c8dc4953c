import { createManualClock } from "@openclaw/foundation";
import OpenAI, { APIError } from "openai";
import type {
  Response,
  ResponseInputItem,
  ResponseStreamEvent,
} from "openai/resources/responses/responses";
import { describe, expect, it } from "vitest";
import { createTestHost, gate, serve, type TestHost, TOKEN } from "../../support/host.js";

type Options = Parameters<typeof createTestHost>[0];

interface Scene {
  readonly host: TestHost;
  readonly client: OpenAI;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function scene(
  options: Options = {},
  parts: Parameters<typeof serve>[1] = {},
): Promise<Scene> {
  const host = await createTestHost(options);
  const { url, headers } = await serve(host, parts);
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: TOKEN, maxRetries: 0 });
  return { host, url, headers, client };
}

async function failureOf(work: Promise<unknown>): Promise<APIError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof APIError) return error;
  throw new Error(`expected an error of the API, got ${String(error)}`);
}

async function eventsOf(
  client: OpenAI,
  rest: object = {},
): Promise<readonly ResponseStreamEvent[]> {
  const events: ResponseStreamEvent[] = [];
  const stream = await client.responses.create({
    model: "openclaw",
    input: "hello",
    stream: true,
    ...rest,
  });
  for await (const event of stream) events.push(event);
  return events;
}

const WEATHER = {
  type: "function" as const,
  name: "get_weather",
  parameters: { type: "object", properties: { city: { type: "string" } } },
  strict: false,
};
const call = { toolName: "get_weather", params: { city: "Oslo" }, toolCallId: "provider-1" };

const functionCallOf = ({ output }: Response) => {
  const item = output.find((each) => each.type === "function_call");
  if (item === undefined) throw new Error("the response has no function call");
  return item;
};

describe("response", () => {
  it("[GW-037] has the text, the usage and the parameters of its request", async () => {
    const { client, host } = await scene({
      script: [{ text: "Good day.", usage: { input: 11, output: 7 } }],
    });
    const response = await client.responses.create({
      model: "openclaw",
      instructions: "Answer in Latin.",
      input: "hello",
      metadata: { purpose: "test" },
      max_output_tokens: 50,
    });
    expect(response.output_text).toBe("Good day.");
    expect(response).toMatchObject({
      id: expect.stringMatching(/^resp_[0-9a-f]{32}$/),
      object: "response",
      status: "completed",
      model: "openclaw",
      instructions: "Answer in Latin.",
      metadata: { purpose: "test" },
      max_output_tokens: 50,
      previous_response_id: null,
      store: true,
      error: null,
      usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18 },
    });
    expect(host.asked()[0]).toContain("Answer in Latin.");
  });

  it("[GW-037] accepts items: messages, calls and results, text and images", async () => {
    const { client, host } = await scene();
    await client.responses.create({
      model: "openclaw",
      input: [
        { role: "developer", content: "Be brief." },
        { role: "user", content: "look at this" },
        { type: "message", role: "assistant", content: "I look." },
        { type: "function_call", call_id: "c1", name: "look", arguments: '{"at":"it"}' },
        { type: "function_call_output", call_id: "c1", output: "a cat" },
        {
          type: "message",
          role: "user",
          content: [
            { type: "input_text", text: "and this" },
            {
              type: "input_image",
              image_url: "data:image/png;base64,iVBORw0KGgo=",
              detail: "auto",
            },
          ],
        },
      ],
    });
    const prompt = JSON.parse(host.asked()[0] ?? "[]") as { role: string; content: unknown }[];
    expect(prompt.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool", "user"]);
    expect(JSON.stringify(prompt[0])).toContain("Be brief.");
    expect(JSON.stringify(prompt[2])).toMatch(/I look\..*"look"/);
    expect(JSON.stringify(prompt[3])).toContain("a cat");
    expect(JSON.stringify(prompt[4])).toMatch(/and this.*image\/png/);
  });

  it.each([
    ["length", "max_output_tokens"],
    ["content-filter", "content_filter"],
  ] as const)("is incomplete when the model stops with %s", async (finish, reason) => {
    const { client } = await scene({ script: [{ text: "Good", finish }] });
    const response = await client.responses.create({ model: "openclaw", input: "hello" });
    expect(response).toMatchObject({ status: "incomplete", incomplete_details: { reason } });
    expect(response.output_text).toBe("Good");
  });

  it("fails with the status of the failure", async () => {
    const { client } = await scene({ script: () => ({ error: { status: 503, message: "down" } }) });
    const error = await failureOf(client.responses.create({ model: "openclaw", input: "x" }));
    expect(error).toMatchObject({ status: 502, type: "server_error" });
  });
});

describe("streamed response", () => {
  it("[GW-037] has typed events in the order of the API", async () => {
    const { client } = await scene({
      script: [{ text: "Good day.", usage: { input: 3, output: 2 } }],
    });
    const events = await eventsOf(client);
    expect(events.map(({ type }) => type)).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ]);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual([...events.keys()]);
    const text = events.flatMap((each) =>
      each.type === "response.output_text.delta" ? [each.delta] : [],
    );
    expect(text.join("")).toBe("Good day.");
    const last = events.at(-1);
    expect(last).toMatchObject({
      response: {
        status: "completed",
        output: [{ type: "message", content: [{ type: "output_text", text: "Good day." }] }],
        usage: { total_tokens: 5 },
      },
    });
  });

  it("[GW-037] has one reasoning item, with a part for each model call", async () => {
    const { client } = await scene({
      script: [
        { thinking: "Look.", text: "Wait.", toolCalls: [{ toolName: "look", rawParams: "{" }] },
        { thinking: "Found.", text: "Done." },
      ],
    });
    const events = await eventsOf(client);
    const last = events.at(-1);
    if (last?.type !== "response.completed") throw new Error(`it ended with ${last?.type}`);
    expect(last.response.output).toMatchObject([
      { type: "reasoning", summary: [{ text: "Look." }, { text: "Found." }] },
      { type: "message", content: [{ text: "Wait." }] },
      { type: "message", content: [{ text: "Done." }] },
    ]);
    const opened: string[] = [];
    const places = new Set<string>();
    for (const event of events) {
      if (event.type === "response.output_item.added") {
        expect(event.output_index).toBe(opened.length);
        opened.push(event.item.type);
      }
      if (event.type === "response.reasoning_summary_text.delta") {
        places.add(`${opened[event.output_index]} ${event.summary_index}`);
      }
    }
    expect(opened).toEqual(["reasoning", "message", "message"]);
    expect([...places]).toEqual(["reasoning 0", "reasoning 1"]);
  });

  it("[TURN-400] has a message for each text, closed before the next one opens", async () => {
    const look = { toolCalls: [{ toolName: "look", rawParams: "{" }] };
    const { client } = await scene({
      script: [{ text: "Wait.", ...look }, { text: " \n", ...look }, { text: "Done." }],
    });
    const events = await eventsOf(client);
    const last = events.at(-1);
    if (last?.type !== "response.completed") throw new Error(`it ended with ${last?.type}`);
    const messages = last.response.output.flatMap((item) => (item.type === "message" ? item : []));
    expect(messages.map(({ content }) => content)).toMatchObject([
      [{ text: "Wait." }],
      [{ text: "Done." }],
    ]);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(2);
    const steps = events.flatMap((event) => {
      if (event.type === "response.output_item.added") return `open ${event.item.id}`;
      if (event.type === "response.output_item.done") return `close ${event.item.id}`;
      return event.type === "response.output_text.done" ? `${event.item_id}: ${event.text}` : [];
    });
    const [first, second] = messages.map(({ id }) => id);
    expect(steps).toEqual([
      ...[`open ${first}`, `${first}: Wait.`, `close ${first}`],
      ...[`open ${second}`, `${second}: Done.`, `close ${second}`],
    ]);
    const stored = await client.responses.retrieve(last.response.id);
    expect(stored.output).toEqual(last.response.output);
  });

  it("[TURN-400] completes the text before a tool call before the tool runs", async () => {
    const running = gate();
    const { client } = await scene({
      register: (api) =>
        api.registerTool({
          name: "wait",
          description: "Waits.",
          parameters: { type: "object", properties: {} },
          execute: async () => {
            await running.passed;
            return "waited";
          },
        }),
      script: [{ text: "Wait.", toolCalls: [{ toolName: "wait" }] }, { text: "Done." }],
    });
    const done: string[] = [];
    const stream = await client.responses.create({ model: "openclaw", input: "x", stream: true });
    for await (const event of stream) {
      if (event.type !== "response.output_text.done") continue;
      done.push(event.text);
      running.pass();
    }
    expect(done).toEqual(["Wait.", "Done."]);
  });

  it("[TURN-400] has the parts that a plugin rewrote as messages", async () => {
    const { client } = await scene({
      script: [
        { text: "one", toolCalls: [{ toolName: "look", rawParams: "{" }] },
        { text: "two" },
        { text: "one", toolCalls: [{ toolName: "look", rawParams: "{" }] },
        { text: "two" },
      ],
      register: (api) =>
        api.on("transform_response", ({ content }) => ({ content: `It says: ${content}` })),
    });
    const texts = (output: Response["output"]) =>
      output.flatMap((item) =>
        item.type === "message"
          ? item.content.map((part) => (part.type === "output_text" ? part.text : part.refusal))
          : [],
      );
    const plain = await client.responses.create({ model: "openclaw", input: "x" });
    expect(texts(plain.output)).toEqual(["It says: one", "two"]);
    const last = (await eventsOf(client)).at(-1);
    if (last?.type !== "response.completed") throw new Error(`it ended with ${last?.type}`);
    expect(texts(last.response.output)).toEqual(["It says: one", "two"]);
  });

  it("[GW-037] has the events of function calls", async () => {
    const { client } = await scene({ script: [{ text: "Wait.", toolCalls: [call] }] });
    const stream = client.responses.stream({ model: "openclaw", input: "hello", tools: [WEATHER] });
    const types: string[] = [];
    for await (const { type } of stream) types.push(type);
    expect(types.slice(-6)).toEqual([
      "response.output_item.done",
      "response.output_item.added",
      "response.function_call_arguments.delta",
      "response.function_call_arguments.done",
      "response.output_item.done",
      "response.completed",
    ]);
    const final = await stream.finalResponse();
    expect(functionCallOf(final)).toMatchObject({
      name: "get_weather",
      arguments: '{"city":"Oslo"}',
    });
    expect(final.output_text).toBe("Wait.");
  });

  it("[GW-037] ends with response.failed when the turn fails", async () => {
    const { client } = await scene({
      script: [
        { text: "Good day to you.", breakAfter: 2, error: { status: 503, message: "down" } },
      ],
    });
    const events = await eventsOf(client);
    expect(events.at(-1)).toMatchObject({
      type: "response.failed",
      response: { status: "failed", error: { message: expect.stringContaining("down") } },
    });
  });

  it("ends with response.incomplete at a limit", async () => {
    const { client } = await scene({ script: [{ text: "Good", finish: "length" }] });
    expect((await eventsOf(client)).at(-1)).toMatchObject({ type: "response.incomplete" });
  });

  it("contains the text of a plugin that answers", async () => {
    const { client } = await scene({
      register: (api) =>
        api.on("inbound_claim", () => ({ handled: true, reply: { text: "Mine." } })),
    });
    const events = await eventsOf(client);
    expect(events.at(-1)).toMatchObject({
      type: "response.completed",
      response: { output: [{ content: [{ text: "Mine." }] }] },
    });
  });
});

describe("previous_response_id", () => {
  it("[GW-037] continues a response, also after a restart, without its instructions", async () => {
    const before = await scene({ script: [{ text: "Hello Alice." }] });
    const first = await before.client.responses.create({
      model: "openclaw",
      instructions: "Answer in Latin.",
      input: "I am Alice",
    });
    const after = await scene({ store: before.host.store });
    const second = await after.client.responses.create({
      model: "openclaw",
      previous_response_id: first.id,
      input: "who am I",
    });
    expect(second.previous_response_id).toBe(first.id);
    const asked = after.host.asked()[0] ?? "";
    expect(asked).toMatch(/I am Alice.*Hello Alice\..*who am I/);
    expect(asked).not.toContain("Latin");
    expect(await after.host.store.sessions.list({ limit: 5 })).toHaveLength(1);
  });

  it("[GW-037] continues each branch of a conversation on its own", async () => {
    const { client, host } = await scene({ script: () => ({ text: "ok" }) });
    const say = (input: string, previous?: string) =>
      client.responses.create({
        model: "openclaw",
        input,
        ...(previous === undefined ? {} : { previous_response_id: previous }),
      });
    const root = await say("root");
    const left = await say("left", root.id);
    await say("right", root.id);
    await say("leaf", left.id);
    expect(host.asked().at(-1)).toMatch(/root.*left.*leaf/);
    expect(host.asked().at(-1)).not.toContain("right");
  });

  it("[GW-037] continues with the results of function calls", async () => {
    const { client, host } = await scene({
      script: [{ toolCalls: [call] }, { text: "It rains." }, { text: "Bye." }],
    });
    const first = await client.responses.create({
      model: "openclaw",
      input: "weather?",
      tools: [WEATHER],
    });
    const { call_id } = functionCallOf(first);
    const second = await client.responses.create({
      model: "openclaw",
      previous_response_id: first.id,
      input: [{ type: "function_call_output", call_id, output: "rain" }],
      tools: [WEATHER],
    });
    expect(second.output_text).toBe("It rains.");
    expect(host.asked()[1]).toMatch(/weather\?.*provider-1.*rain/);
    const third = await client.responses.create({
      model: "openclaw",
      previous_response_id: second.id,
      input: "thanks",
    });
    expect(third.status).toBe("completed");
  });

  it("[GW-037] also works with items and references to items instead", async () => {
    const { client, host } = await scene({
      script: () => ({ text: "Wait.", toolCalls: [call] }),
    });
    const first = await client.responses.create({
      model: "openclaw",
      input: "weather?",
      tools: [WEATHER],
    });
    const called = functionCallOf(first);
    const output = {
      type: "function_call_output",
      call_id: called.call_id,
      output: "rain",
    } as const;
    const continued = (input: ResponseInputItem[]) =>
      client.responses.create({ model: "openclaw", input, tools: [WEATHER] });
    const items = first.output.filter(
      (item) => item.type === "message" || item.type === "function_call",
    );
    await continued([{ role: "user", content: "weather?" }, ...items, output]);
    const references = first.output.map(({ id = "" }) => ({ type: "item_reference", id }) as const);
    await continued([{ role: "user", content: "weather?" }, ...references, output]);
    const [, withItems, withReferences] = host.asked();
    expect(withReferences).toBe(withItems);
    expect(withItems).toContain("provider-1");
    const error = await failureOf(continued([{ type: "item_reference", id: "msg_unknown" }]));
    expect(error).toMatchObject({ status: 404, code: "item_not_found", param: "input[0]" });
  });

  it("[GW-037] is not found when it is unknown, of another user, deleted, or was not stored", async () => {
    const { client, host } = await scene({ script: () => ({ text: "ok" }) });
    const own = await client.responses.create({ model: "openclaw", input: "x" });
    const unstored = await client.responses.create({ model: "openclaw", input: "x", store: false });
    const deleted = await client.responses.create({ model: "openclaw", input: "x" });
    await client.responses.delete(deleted.id);
    const asked = host.asked().length;
    for (const [id, user] of [
      ["resp_unknown", undefined],
      [own.id, "mallory"],
      [unstored.id, undefined],
      [deleted.id, undefined],
    ] as const) {
      const error = await failureOf(
        client.responses.create({
          model: "openclaw",
          input: "y",
          previous_response_id: id,
          ...(user === undefined ? {} : { user }),
        }),
      );
      expect(error).toMatchObject({ status: 404, param: "previous_response_id" });
    }
    expect(host.asked()).toHaveLength(asked);
  });
});

describe("stored response", () => {
  it("can be read again and deleted", async () => {
    const { client } = await scene({ script: [{ text: "Good day." }] });
    const response = await client.responses.create({ model: "openclaw", input: "hello" });
    const read = await client.responses.retrieve(response.id);
    expect(read).toEqual(response);
    await client.responses.delete(response.id);
    expect(await failureOf(client.responses.retrieve(response.id))).toMatchObject({
      status: 404,
      code: "response_not_found",
    });
  });

  it.each([false, true])(
    "[GW-038] continues when its client disconnects, streaming: %s",
    async (stream) => {
      const asked = gate();
      const model = gate();
      const ids: string[] = [];
      const { client, host } = await scene({
        script: () => {
          asked.pass();
          return { text: "Good day.", waitFor: model.passed };
        },
        register: (api) => api.on("request_post", ({ messageId }) => void ids.push(messageId)),
      });
      const connection = new AbortController();
      const request = client.responses.create(
        { model: "openclaw", input: "hello", stream },
        { signal: connection.signal },
      );
      const ended = Promise.resolve(request).then(
        async (answer) => {
          if (Symbol.asyncIterator in answer) for await (const _ of answer);
        },
        (error: unknown) => error,
      );
      await asked.passed;
      const [messageId = ""] = ids;
      const id = `resp_${messageId.replaceAll("-", "")}`;
      expect((await client.responses.retrieve(id)).status).toBe("in_progress");
      connection.abort();
      await ended;
      model.pass();
      await host.live.idle();
      const status = async () => (await client.responses.retrieve(id)).status;
      await expect.poll(status).toBe("completed");
      expect((await client.responses.retrieve(id)).output).toMatchObject([
        { content: [{ text: "Good day." }] },
      ]);
    },
  );

  it.each([false, true])(
    "[GW-038] that is not to be stored is aborted when its client disconnects, streaming: %s",
    async (stream) => {
      const asked = gate();
      const runs: string[] = [];
      const { client, host } = await scene({
        script: () => {
          asked.pass();
          return { text: "never", waitFor: new Promise(() => {}) };
        },
        register: (api) => api.on("request_post", ({ runId = "" }) => void runs.push(runId)),
      });
      const connection = new AbortController();
      const request = client.responses.create(
        { model: "openclaw", input: "hello", stream, store: false },
        { signal: connection.signal },
      );
      const ended = Promise.resolve(request).then(
        async (answer) => {
          if (Symbol.asyncIterator in answer) for await (const _ of answer);
        },
        (error: unknown) => error,
      );
      await asked.passed;
      connection.abort();
      await ended;
      await host.live.idle();
      expect(await host.store.turns.get(runs[0] ?? "")).toMatchObject({ state: "interrupted" });
    },
  );

  it("[GW-242] is complete after a restart that interrupted its turn, encrypted reasoning included", async () => {
    const asked = gate();
    const ids: string[] = [];
    const stopped = await scene({
      script: () => {
        asked.pass();
        return { text: "never", waitFor: new Promise(() => {}) };
      },
      register: (api) => api.on("request_post", ({ messageId }) => void ids.push(messageId)),
    });
    const { TurnSuspendedError } = await import("@openclaw/agent");
    const failing = failureOf(
      stopped.client.responses.create({
        ...{ model: "openclaw", input: "x", include: ["reasoning.encrypted_content"] },
      }),
    );
    await asked.passed;
    stopped.host.ending.abort(new TurnSuspendedError());
    await failing;
    const id = `resp_${ids[0]?.replaceAll("-", "")}`;
    const { client, host } = await scene({
      store: stopped.host.store,
      script: [{ thinking: "Hm.", text: "After the restart." }],
      register: (api) =>
        api.on("before_message_write", ({ message }) => {
          if (message.role !== "assistant") return;
          // The scripted model has no encrypted reasoning.
          const content = message.content.map((part) =>
            part.type === "thinking"
              ? { ...part, providerData: { openai: { reasoningEncryptedContent: "opaque" } } }
              : part,
          );
          return { message: { ...message, content } };
        }),
    });
    await host.flow.recover();
    const text = async () => (await client.responses.retrieve(id)).output_text;
    await expect.poll(text).toBe("After the restart.");
    expect((await client.responses.retrieve(id)).output).toMatchObject([
      { type: "reasoning", summary: [{ text: "Hm." }], encrypted_content: "opaque" },
      { type: "message" },
    ]);
  });

  it("[GW-036] answers in progress with the code of an approval after 60,000 ms, and completes later", async () => {
    const clock = createManualClock();
    const { client, host } = await scene(
      {
        register: (api) =>
          api.registerTool({
            name: "deploy",
            description: "Deploys.",
            parameters: { type: "object", properties: {} },
            approval: "always",
            execute: () => "deployed",
          }),
        script: [{ toolCalls: [{ toolName: "deploy" }] }, { text: "It is deployed." }],
      },
      { timers: clock },
    );
    const pending: { id: string; code: string }[] = [];
    host.presence.attend({
      channel: "test",
      show: (approval) => void (approval.state === "pending" && pending.push(approval)),
    });
    const asked = client.responses.create({ model: "openclaw", input: "deploy" });
    const state = async () => (await host.store.turns.unfinished())[0]?.state;
    await expect.poll(state).toBe("awaiting_approval");
    clock.advance(60_000);
    const response = await asked;
    expect(response.status).toBe("in_progress");
    expect(response.output_text).toContain(pending[0]?.code);
    const decision = { decision: "allow-once", via: "test" } as const;
    const owner = { channel: "test", senderId: "owner", isOwner: true };
    await host.approvals.decide(pending[0]?.id ?? "", decision, owner);
    const text = async () => (await client.responses.retrieve(response.id)).output_text;
    await expect.poll(text).toBe("It is deployed.");
  });
});

describe("request of a response", () => {
  it("[TURN-002] returns the stored response to a repeat", async () => {
    const { client, host } = await scene({ script: [{ text: "Good day." }] });
    const once = { headers: { "idempotency-key": "once" } };
    const first = await client.responses.create({ model: "openclaw", input: "hello" }, once);
    const second = await client.responses.create({ model: "openclaw", input: "hello" }, once);
    expect(second).toMatchObject({ id: first.id, output: first.output });
    expect(host.asked()).toHaveLength(1);
  });

  it("[GW-241] accepts and names what does not change the meaning of its answer", async () => {
    const { url, headers, host } = await scene();
    const response = await fetch(`${url}/v1/responses`, {
      method: "POST",
      headers,
      body: JSON.stringify({
        ...{ model: "openclaw", input: "hello", truncation: "auto", client_metadata: { a: "b" } },
        ...{ reasoning: { effort: "high", summary: "detailed" }, text: { verbosity: "low" } },
        include: ["reasoning.encrypted_content", "web_search_call.action.sources"],
        tools: [WEATHER, { type: "namespace", name: "n", tools: [] }, { type: "web_search" }],
      }),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("openclaw-ignored")).toBe(
      "client_metadata, truncation, reasoning.summary, text.verbosity, include.web_search_call.action.sources, tools.namespace, tools.web_search",
    );
    expect(await response.json()).toMatchObject({
      tools: [WEATHER],
      reasoning: { effort: "high" },
    });
    expect(host.asked()).toHaveLength(1);
  });

  it.each([
    ["input", { input: [] }, 400],
    ["input[0]", { input: [{ type: "computer_call", id: "x" }] }, 400],
    ["input[0].content[0]", { input: [{ role: "user", content: [{ type: "input_file" }] }] }, 400],
    ["input", { input: [{ role: "assistant", content: "x" }] }, 400],
    ["tools[0]", { tools: [{ type: "code_interpreter" }] }, 400],
    ["tool_choice", { tools: [{ type: "web_search" }], tool_choice: { type: "web_search" } }, 400],
    ["background", { background: true }, 400],
    ["reasoning", { reasoning: { effort: "high", tomorrow: "auto" } }, 400],
    [
      "include[1]",
      { include: ["reasoning.encrypted_content", "message.output_text.logprobs"] },
      400,
    ],
    ["max_tool_calls", { max_tool_calls: 1 }, 400],
    ["conversation", { conversation: "conv_1" }, 400],
    ["temperature", { temperature: 3 }, 400],
    ["model", { model: "gpt-4o" }, 404],
  ])("is rejected with the name of the parameter %s", async (param, difference, status) => {
    const { url, headers, host } = await scene();
    const response = await fetch(`${url}/v1/responses`, {
      method: "POST",
      headers,
      body: JSON.stringify({ model: "openclaw", input: "hello", ...difference }),
    });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { param } });
    expect(host.asked()).toEqual([]);
  });
});
