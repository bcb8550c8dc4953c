import { TurnSuspendedError } from "@openclaw/agent";
import OpenAI, { APIError } from "openai";
import type { ChatCompletionChunk, ChatCompletionCreateParams } from "openai/resources";
import { describe, expect, it } from "vitest";
import {
  createTestHost,
  gate,
  openTestStore,
  type ServedHost,
  serve,
  type TestHost,
  TOKEN,
} from "../../support/host.js";

type Options = Parameters<typeof createTestHost>[0];
type Messages = ChatCompletionCreateParams["messages"];

interface Scene {
  readonly host: TestHost;
  readonly server: ServedHost;
  readonly client: OpenAI;
}

async function scene(
  options: Options = {},
  parts: Parameters<typeof serve>[1] = {},
): Promise<Scene> {
  const host = await createTestHost(options);
  const server = await serve(host, parts);
  return { host, server, client: new OpenAI({ baseURL: `${server.url}/v1`, apiKey: TOKEN }) };
}

const hello: Messages = [{ role: "user", content: "hello" }];

async function chunksOf(client: OpenAI, rest: object = {}): Promise<ChatCompletionChunk[]> {
  const chunks: ChatCompletionChunk[] = [];
  const stream = await client.chat.completions.create({
    model: "openclaw",
    messages: hello,
    stream: true,
    ...rest,
  });
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

const textOf = (chunks: readonly ChatCompletionChunk[]) =>
  chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("");

async function failureOf(work: Promise<unknown>): Promise<APIError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof APIError) return error;
  throw new Error(`expected an error of the API, got ${String(error)}`);
}

const never = new Promise<never>(() => {});

describe("completion", () => {
  it("is readable by the official client", async () => {
    const { client } = await scene({
      script: [{ text: "Good day.", usage: { input: 11, output: 7 } }],
    });
    const completion = await client.chat.completions.create({ model: "openclaw", messages: hello });
    expect(completion).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      object: "chat.completion",
      model: "openclaw",
      choices: [
        { index: 0, finish_reason: "stop", message: { role: "assistant", content: "Good day." } },
      ],
      usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
    });
    expect(completion.created).toBeCloseTo(Date.now() / 1000, -2);
  });

  it.each(["openclaw", "openclaw/main", "agent:main"])(
    "accepts the agent %s as model",
    async (model) => {
      const { client } = await scene();
      const completion = await client.chat.completions.create({ model, messages: hello });
      expect(completion.model).toBe(model);
    },
  );

  it.each(["gpt-4o", "openclaw/helper", "agent:", "constructor", "openclaw/__proto__"])(
    "rejects %s as model",
    async (model) => {
      const { client, host } = await scene();
      const error = await failureOf(client.chat.completions.create({ model, messages: hello }));
      expect(error).toMatchObject({
        status: 404,
        code: "model_not_found",
        type: "not_found_error",
      });
      expect(error.message).toContain("openclaw/main");
      expect(host.asked()).toEqual([]);
    },
  );

  it.each([
    ["length", { text: "Good", finish: "length" }, "length"],
    ["content-filter", { text: "G", finish: "content-filter" }, "content_filter"],
    ["other", { text: "G", finish: "other" }, "stop"],
  ] as const)("reports the finish reason %s", async (_, step, reason) => {
    const { client } = await scene({ script: [step] });
    const completion = await client.chat.completions.create({ model: "openclaw", messages: hello });
    expect(completion.choices[0]?.finish_reason).toBe(reason);
  });

  it("is empty with content_filter when a plugin cancels the reply", async () => {
    const { client } = await scene({
      register: (api) => api.on("message_sending", () => ({ cancel: true })),
    });
    const completion = await client.chat.completions.create({ model: "openclaw", messages: hello });
    expect(completion.choices).toMatchObject([
      { finish_reason: "content_filter", message: { content: "" } },
    ]);
  });

  it("contains the text of a plugin that answers", async () => {
    const { client } = await scene({
      register: (api) =>
        api.on("inbound_claim", () => ({ handled: true, reply: { text: "Mine." } })),
    });
    const completion = await client.chat.completions.create({ model: "openclaw", messages: hello });
    expect(completion.choices).toMatchObject([
      { finish_reason: "stop", message: { content: "Mine." } },
    ]);
    expect(textOf(await chunksOf(client))).toBe("Mine.");
  });
});

describe("streamed completion", () => {
  it("arrives in chunks with one ID, a role first and a finish reason last", async () => {
    const { client } = await scene({ script: [{ text: "Good day to you." }] });
    const chunks = await chunksOf(client);
    expect(textOf(chunks)).toBe("Good day to you.");
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect(chunks[0]?.choices[0]?.delta).toEqual({ role: "assistant", content: "" });
    expect(chunks.at(-1)?.choices[0]).toMatchObject({ delta: {}, finish_reason: "stop" });
    expect(chunks.every(({ usage }) => usage === undefined)).toBe(true);
  });

  it("ends with its usage if requested, and [DONE]", async () => {
    const { server } = await scene({ script: [{ text: "Hi.", usage: { input: 3, output: 2 } }] });
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      headers: server.headers,
      body: JSON.stringify({
        model: "openclaw",
        messages: hello,
        stream: true,
        stream_options: { include_usage: true },
      }),
    });
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const events = (await response.text()).split("\n\n");
    expect(events.slice(-2)).toEqual(["data: [DONE]", ""]);
    expect(JSON.parse(events.at(-3)?.replace("data: ", "") ?? "")).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
    });
  });

  it("sends each chunk while the model still generates", async () => {
    const rest = gate();
    const { client } = await scene({
      script: [
        { toolCalls: [{ toolName: "none" }], text: "Wait. " },
        { text: "Done.", waitFor: rest.passed },
      ],
    });
    const stream = await client.chat.completions.create({
      model: "openclaw",
      messages: hello,
      stream: true,
    });
    let shown = "";
    for await (const chunk of stream) {
      shown += chunk.choices[0]?.delta.content ?? "";
      if (shown === "Wait. ") rest.pass();
    }
    expect(shown).toBe("Wait. \n\nDone.");
  });

  it("separates the text before and after tool calls", async () => {
    const { client } = await scene({
      script: [
        { text: "First.", toolCalls: [{ toolName: "look" }] },
        { toolCalls: [{ toolName: "look", rawParams: "{" }] },
        { text: "Second.", toolCalls: [{ toolName: "look", rawParams: "{" }] },
        { text: "Third thing." },
      ],
    });
    expect(textOf(await chunksOf(client))).toBe("First.\n\nSecond.\n\nThird thing.");
  });

  it("[GW-035] contains the reasoning of each model call, without secrets", async () => {
    const key = `sk-ant-api03-${"a1B2".repeat(23)}-AA`;
    const { client } = await scene({
      script: [
        { thinking: "Look.", text: "Wait.", toolCalls: [{ toolName: "look", rawParams: "{" }] },
        { thinking: `The key is ${key}.`, text: "Done." },
      ],
    });
    const chunks = await chunksOf(client);
    const deltas = chunks.map(({ choices }) => JSON.stringify(choices[0]?.delta)).join("");
    expect(textOf(chunks)).toBe("Wait.\n\nDone.");
    const reasoning = chunks.map(({ choices }) => {
      const delta: { content?: string | null; reasoning_content?: string } =
        choices[0]?.delta ?? {};
      return delta.reasoning_content ?? "";
    });
    expect(reasoning.join("")).toBe("Look.\n\nThe key is [REDACTED].");
    expect(deltas).not.toContain(key);
  });

  it("contains no reasoning while a plugin rewrites replies", async () => {
    const { client } = await scene({
      script: () => ({ thinking: "The secret is 7.", text: "Good day." }),
      register: (api) => api.on("message_sending", ({ content }) => ({ content: `${content}!` })),
    });
    const whole = await client.chat.completions.create({ model: "openclaw", messages: hello });
    expect(JSON.stringify([whole, await chunksOf(client)])).not.toMatch(/secret|reasoning_content/);
  });

  it("sends a final text that was not streamed", async () => {
    const { client } = await scene({
      script: [{ text: "Good day." }],
      register: (api) => api.on("message_sending", ({ content }) => ({ content: `${content}!` })),
    });
    const chunks = await chunksOf(client);
    expect(textOf(chunks)).toBe("Good day.!");
    expect(chunks).toHaveLength(3);
  });

  it("appends a final text that differs from the streamed one", async () => {
    const host = await createTestHost({ script: [{ text: "Good day." }] });
    const server = await serve(host, {
      async receive(message, caller) {
        const outcome = await host.flow.receive(message, caller);
        return outcome.status === "replied" ? { ...outcome, text: "Good night." } : outcome;
      },
    });
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: TOKEN });
    expect(textOf(await chunksOf(client))).toBe("Good day.\n\nGood night.");
  });

  it("adds nothing to a streamed text that was cancelled afterwards", async () => {
    const host = await createTestHost({ script: [{ text: "Good day." }] });
    const server = await serve(host, {
      async receive(message, caller) {
        const { messageId } = await host.flow.receive(message, caller);
        return { status: "withheld", messageId, text: "", reason: "late" };
      },
    });
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: TOKEN });
    const chunks = await chunksOf(client);
    expect(textOf(chunks)).toBe("Good day.");
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe("content_filter");
  });

  it("appends the notice of a turn that reached a limit", async () => {
    const { client } = await scene({
      script: () => ({ text: "Again.", toolCalls: [{ toolName: "look" }] }),
    });
    const chunks = await chunksOf(client);
    expect(textOf(chunks)).toMatch(/^(Again\.\n\n){5}I stopped after 5 model calls[^\n]*$/);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe("length");
  });
});

describe("failed turn", () => {
  const down = { error: { status: 503, message: "the model is down" } };

  it("returns an error with a status, which the client does not retry", async () => {
    const { client, host } = await scene({ script: () => down });
    const error = await failureOf(
      client.chat.completions.create({ model: "openclaw", messages: hello }),
    );
    expect(error).toMatchObject({
      status: 502,
      type: "server_error",
      code: expect.stringMatching(/^model_/),
    });
    expect(error.message).toContain("the model is down");
    expect(error.headers?.get("x-should-retry")).toBe("false");
    expect(host.asked()).toHaveLength(1);
  });

  it("returns an error in the stream, before and after the first text", async () => {
    const { client, host } = await scene({
      script: [down, { text: "Good day to you.", breakAfter: 2, error: down.error }],
    });
    const early = await failureOf(chunksOf(client));
    expect(early).toMatchObject({ code: expect.stringMatching(/^model_/) });
    const shown: string[] = [];
    const stream = await client.chat.completions.create({
      model: "openclaw",
      messages: hello,
      stream: true,
    });
    const late = await failureOf(
      (async () => {
        for await (const { choices } of stream) shown.push(choices[0]?.delta.content ?? "");
      })(),
    );
    expect(shown.join("")).toBe("Good day ");
    expect(late.message).toContain("the model is down");
    expect(host.asked()).toHaveLength(2);
  });

  it("returns only a log ID in a started stream for an internal error", async () => {
    const { client, host } = await scene(
      {},
      {
        receive: async (_message, { onStored }) => {
          onStored?.("message-1");
          await Promise.resolve();
          throw new Error("no luck");
        },
      },
    );
    const error = await failureOf(chunksOf(client));
    expect(error).toMatchObject({ code: "internal_error" });
    expect(error.message).not.toContain("no luck");
    expect(host.lines).toContain("error: a request failed");
  });

  it("returns 404 for an unknown model", async () => {
    const { client } = await scene();
    const error = await failureOf(
      client.chat.completions.create(
        { model: "openclaw", messages: hello },
        { headers: { "x-openclaw-model": "nobody/none" } },
      ),
    );
    expect(error).toMatchObject({ status: 404, code: "model_not_found" });
  });

  it("returns 503 when the host stops", async () => {
    const asked = gate();
    const { client, host } = await scene({
      script: () => {
        asked.pass();
        return { waitFor: never };
      },
    });
    const failing = failureOf(
      client.chat.completions.create({ model: "openclaw", messages: hello }),
    );
    await asked.passed;
    host.ending.abort(new Error("stop"));
    expect(await failing).toMatchObject({ status: 503, code: "interrupted" });
  });

  it("returns 500 with the name of a failing plugin, instead of closing the connection", async () => {
    const { client } = await scene({
      register: (api) =>
        api.on(
          "inbound_claim",
          () => {
            throw new Error("broken");
          },
          { mode: "fail-closed" },
        ),
    });
    const whole = await failureOf(
      client.chat.completions.create({ model: "openclaw", messages: hello }),
    );
    expect(whole).toMatchObject({ status: 500, code: "hook_threw" });
    expect(whole.message).toContain("guard");
    expect(await failureOf(chunksOf(client))).toMatchObject({ code: "hook_threw" });
  });
});

describe("disconnected client", () => {
  it.each([false, true])("interrupts its turn, streaming: %s", async (stream) => {
    const asked = gate();
    const runs: string[] = [];
    const { client, host } = await scene({
      script: () => {
        asked.pass();
        return { text: "never", waitFor: never };
      },
      register: (api) => api.on("request_post", ({ runId = "" }) => void runs.push(runId)),
    });
    const connection = new AbortController();
    const request = client.chat.completions.create(
      { model: "openclaw", messages: hello, stream },
      { signal: connection.signal, maxRetries: 0 },
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
    const [runId = ""] = runs;
    expect(await host.store.turns.get(runId)).toMatchObject({ state: "interrupted" });
    expect(host.lines.filter((line) => line.startsWith("error"))).toEqual([]);
  });

  it("prevents its queued turn from running", async () => {
    const model = gate();
    const callers: AbortSignal[] = [];
    const runs: string[] = [];
    const host = await createTestHost({
      script: [{ text: "one", waitFor: model.passed }, { text: "two" }],
      register: (api) => api.on("request_post", ({ runId = "" }) => void runs.push(runId)),
    });
    const server = await serve(host, {
      receive(message, caller) {
        if (caller.signal !== undefined) callers.push(caller.signal);
        return host.flow.receive(message, caller);
      },
    });
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: TOKEN });
    const connection = new AbortController();
    const say = (options = {}) =>
      client.chat.completions.create(
        { model: "openclaw", messages: hello, user: "alice" },
        options,
      );
    const first = say();
    await expect.poll(() => runs).toHaveLength(1);
    const second = say({ signal: connection.signal }).catch(() => "gone");
    await expect.poll(() => runs).toHaveLength(2);
    const third = say();
    await expect.poll(() => runs).toHaveLength(3);
    connection.abort();
    await expect.poll(() => callers[1]?.aborted).toBe(true);
    model.pass();
    expect(await second).toBe("gone");
    await Promise.all([first, third]);
    expect(host.asked()).toHaveLength(2);
    expect(await host.store.turns.get(runs[1] ?? "")).toMatchObject({
      state: "interrupted",
      stopReason: "caller-gone",
    });
  });
});

describe("session of a request", () => {
  it("is one per `user`, and a new one without `user`", async () => {
    const { client, host } = await scene();
    const say = (content: string, user?: string) =>
      client.chat.completions.create({
        model: "openclaw",
        messages: [{ role: "user", content }],
        ...(user === undefined ? {} : { user }),
      });
    await say("I am Alice", "alice");
    await say("I am Bob", "bob");
    await say("nobody", "");
    await say("nobody else", "");
    await say("neither");
    await say("who am I", "alice");
    expect(host.asked().at(-1)).toContain("I am Alice");
    expect(host.asked().at(-1)).not.toContain("Bob");
    await say("another", "ALICE");
    expect(host.asked().at(-1)).not.toContain("I am Alice");
    expect(host.asked()[3]).not.toContain('"nobody"');
    expect(host.asked()[4]).not.toMatch(/nobody|Alice/);
    const sessions = await host.store.sessions.list({ limit: 10 });
    expect(sessions.map(({ sessionKey }) => sessionKey)).toContain("agent:main:api:direct:alice");
    expect(sessions.map(({ sessionKey }) => sessionKey)).toContain("agent:main:api:direct:ALICE");
    expect(sessions).toHaveLength(6);
  });

  it("[APPR-028] has the rights of its user, who is not an owner, and of the owner without a user", async () => {
    const told: unknown[] = [];
    const host = await createTestHost({
      script: [{ text: "one" }, { text: "two" }, { text: "three" }],
      register: (api) =>
        api.registerTool(
          (session) => {
            const { requesterSenderId, senderIsOwner, agentAccountId } = session;
            told.push({ requesterSenderId, senderIsOwner, agentAccountId });
            return null;
          },
          { names: [] },
        ),
    });
    const server = await serve(host);
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: TOKEN });
    for (const user of ["alice", undefined, "api"]) {
      await client.chat.completions.create({
        model: "openclaw",
        messages: hello,
        ...(user === undefined ? {} : { user }),
      });
    }
    expect(told).toEqual([
      { requesterSenderId: "alice", senderIsOwner: false, agentAccountId: "user" },
      { requesterSenderId: "api", senderIsOwner: true, agentAccountId: "default" },
      { requesterSenderId: "api", senderIsOwner: false, agentAccountId: "user" },
    ]);
  });

  it("[GW-480] is the one in the header, also of another surface, and main is the main session", async () => {
    const { client, host } = await scene();
    const headers = { "x-openclaw-session-key": "main" };
    await client.chat.completions.create(
      { model: "openclaw", messages: hello, user: "x" },
      { headers },
    );
    expect(await host.store.sessions.get("agent:main:main")).toMatchObject({ messageCount: 2 });
  });

  it.each(["cron:daily", "hook:1", "agent:main:subagent:1", "agent:helper:main"])(
    "cannot be %s",
    async (key) => {
      const { client, host } = await scene();
      const error = await failureOf(
        client.chat.completions.create(
          { model: "openclaw", messages: hello },
          { headers: { "x-openclaw-session-key": key } },
        ),
      );
      expect(error).toMatchObject({ status: 400, code: "session_key_refused" });
      expect(error.message).toContain("agent:main:");
      expect(await host.store.sessions.list({ limit: 1 })).toEqual([]);
    },
  );
});

describe("messages of a request", () => {
  it("replace the stored history for this turn only", async () => {
    const { client, host } = await scene();
    const say = (...messages: Messages) =>
      client.chat.completions.create({ model: "openclaw", user: "alice", messages });
    await say({ role: "user", content: "stored before" });
    await say(
      { role: "system", content: "Answer in Latin." },
      { role: "user", content: "brought along" },
      { role: "assistant", content: "an old answer" },
      { role: "user", content: "the new question" },
    );
    await say({ role: "user", content: "and now" });
    const [, second, third] = host.asked();
    for (const part of ["Answer in Latin.", "brought along", "an old answer", "the new question"]) {
      expect(second).toContain(part);
    }
    expect(second).not.toContain("stored before");
    for (const part of ["stored before", "the new question", "and now"]) {
      expect(third).toContain(part);
    }
    expect(third).not.toMatch(/Latin|brought along|an old answer/);
  });

  it.each([
    ["a mark that turns text around", "ali\u202eec"],
    ["an isolate of another direction", "ali\u2067ce"],
    ["a mark of direction", "ali\u200fce"],
    ["tags, which nobody sees", `alice\u{e0041}\u{e007f}`],
    ["a separator of lines", "ali\u2028ce"],
    ["a NUL", "ali\0ce"],
  ])("[CHAN-940] are rejected with a `user` or a session key that holds %s", async (_, user) => {
    const { server, host } = await scene();
    const send = (body: object, headers: object = {}) =>
      fetch(`${server.url}/v1/chat/completions`, {
        method: "POST",
        headers: { ...server.headers, ...headers },
        body: JSON.stringify({ model: "openclaw", messages: hello, ...body }),
      });
    const named = await send({ user });
    expect([named.status, await named.text()]).toEqual([400, expect.stringContaining("user")]);
    const key = `UTF-8''${encodeURIComponent(`agent:main:api:direct:${user}`)}`;
    const keyed = await send({}, { "x-openclaw-session-key": key });
    expect([keyed.status, await keyed.text()]).toEqual([400, expect.stringMatching(/key/i)]);
    expect(await host.store.sessions.list({ limit: 10 })).toEqual([]);
  });

  it.each([
    ["no messages", { messages: [] }, "/messages"],
    ["messages that are no list", { messages: "hello" }, "/messages"],
    ["an unknown role", { messages: [{ role: "robot", content: "x" }] }, "/messages/0"],
    ["a message without content", { messages: [{ role: "user" }] }, "/messages/0"],
    ["no model", { model: undefined }, "model"],
    ["a model that is no text", { model: 3 }, "/model"],
    ["a stream that is no flag", { stream: "yes" }, "/stream"],
    ["a user that is no text", { user: { id: 1 } }, "/user"],
  ])("are rejected with %s", async (_, difference, place) => {
    const { server } = await scene();
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      headers: server.headers,
      body: JSON.stringify({ model: "openclaw", messages: hello, ...difference }),
    });
    const { error } = (await response.json()) as { error: Record<string, unknown> };
    expect(response.status).toBe(400);
    expect(error).toMatchObject({ type: "invalid_request_error", code: "invalid_request" });
    expect(error.message).toContain(place);
  });

  it.each([
    ["the last is not a user's", [{ role: "assistant", content: "x" }], "invalid_messages"],
    ["the last has no text", [{ role: "user", content: " " }], "empty_message"],
    [
      "the last shows an image of the network of the gateway",
      [
        {
          role: "user",
          content: [{ type: "image_url", image_url: { url: "https://127.0.0.1/cat.png" } }],
        },
      ],
      "url_not_fetched",
    ],
  ] as [string, Messages, string][])("are rejected when %s", async (_, messages, code) => {
    const { client, host } = await scene();
    const error = await failureOf(client.chat.completions.create({ model: "openclaw", messages }));
    expect(error).toMatchObject({ status: 400, code });
    expect(host.asked()).toEqual([]);
  });

  it("may contain unknown fields of newer clients in messages", async () => {
    const { client } = await scene();
    const completion = await client.chat.completions.create({
      model: "openclaw",
      messages: [{ role: "user", content: "hello", name: "alice" }],
      temperature: 0.3,
      response_format: { type: "text" },
      metadata: { purpose: "test" },
    });
    expect(completion.choices).toHaveLength(1);
  });
});

describe("repeat with the same idempotency key", () => {
  const once = { headers: { "idempotency-key": "once" } };

  it.each([false, true])(
    "[TURN-002] returns the stored reply and runs nothing, streaming: %s",
    async (stream) => {
      const { client, host } = await scene({ script: [{ text: "Good day." }] });
      const send = async () => {
        const answer = await client.chat.completions.create(
          { model: "openclaw", messages: hello, stream },
          once,
        );
        if (!(Symbol.asyncIterator in answer)) return answer.choices[0]?.message.content;
        const chunks: ChatCompletionChunk[] = [];
        for await (const chunk of answer) chunks.push(chunk);
        return textOf(chunks);
      };
      expect(await send()).toBe("Good day.");
      expect(await send()).toBe("Good day.");
      expect(host.asked()).toHaveLength(1);
    },
  );

  it("[TURN-002] waits for a first request that is in progress", async () => {
    const asked = gate();
    const model = gate();
    const { client, host } = await scene({
      script: () => {
        asked.pass();
        return { text: "Good day.", waitFor: model.passed };
      },
    });
    const send = () => client.chat.completions.create({ model: "openclaw", messages: hello }, once);
    const first = send();
    await asked.passed;
    const second = send();
    const duplicates = () => host.services.counters.values().inbound_duplicates_total;
    await expect.poll(duplicates).toBe(1);
    model.pass();
    const [one, two] = await Promise.all([first, second]);
    expect(two).toMatchObject({ id: one.id, choices: one.choices });
    expect(host.asked()).toHaveLength(1);
  });

  it("[TURN-002] returns the reply of a turn that a restart interrupted", async () => {
    const store = await openTestStore();
    const asked = gate();
    const stopped = await scene({
      store,
      script: () => {
        asked.pass();
        return { text: "never", waitFor: never };
      },
    });
    const send = ({ client }: Scene) =>
      client.chat.completions.create({ model: "openclaw", messages: hello }, once);
    const failing = failureOf(send(stopped));
    await asked.passed;
    stopped.host.ending.abort(new TurnSuspendedError());
    expect(await failing).toMatchObject({ status: 503, code: "interrupted" });

    const restarted = await scene({ store, script: [{ text: "After the restart." }] });
    expect(await restarted.host.flow.recover()).toBe(1);
    const repeated = await send(restarted);
    expect(repeated.choices[0]?.message.content).toBe("After the restart.");
    expect(restarted.host.asked()).toHaveLength(1);
  });

  it("rejects the key for another body", async () => {
    const { client, host } = await scene();
    const say = (content: string) =>
      client.chat.completions.create(
        { model: "openclaw", messages: [{ role: "user", content }] },
        once,
      );
    await say("one");
    const error = await failureOf(say("two"));
    expect(error).toMatchObject({ status: 409, code: "idempotency_mismatch" });
    expect(host.asked()).toHaveLength(1);
  });

  it("[TURN-002] belongs to one user", async () => {
    const { client, host } = await scene();
    for (const user of ["alice", "bob"]) {
      await client.chat.completions.create({ model: "openclaw", messages: hello, user }, once);
    }
    expect(host.asked()).toHaveLength(2);
  });
});

describe("acknowledgement", () => {
  it("of a stream is sent once the message is stored, and not before", async () => {
    const hook = gate();
    const { server, host } = await scene({
      register: (api) => api.on("message_receiving", () => hook.passed),
    });
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      headers: server.headers,
      body: JSON.stringify({ model: "openclaw", messages: hello, stream: true }),
    });
    expect(response.status).toBe(200);
    expect(await host.store.messages.inbox.inState("received")).toMatchObject([
      { content: "hello" },
    ]);
    hook.pass();
    expect(await response.text()).toContain("[DONE]");
  });
});
