import type { AssistantMessage } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it } from "vitest";
import { createWorkerApp, type WorkerAppDependencies } from "../../src/workers/api/app.js";
import { WorkerConversation } from "../../src/workers/api/conversation.js";
import { TOKEN_SECONDS, WorkerTokens } from "../../src/workers/api/tokens.js";
import type { WorkerModelCall } from "../../src/workers/model-port.js";
import { WorkerSession } from "../../src/workers/session.js";
import { testJob } from "./support/test-job.js";

const JOB = "job-1";

/** The API with one open run, and what it told the host. */
function openApi(overrides: Partial<WorkerAppDependencies> = {}) {
  let time = 1_000_000;
  const published: unknown[] = [];
  const calls: WorkerModelCall[] = [];
  let prompts: readonly string[] = [];
  let progress = 0;
  const tokens = new WorkerTokens(() => time);
  const guard = (_tool: string, text: string) => text.replaceAll("secret", "[redacted]");
  const session = new WorkerSession(
    {
      ...{ job: testJob(JOB), sessionId: "session", model: "scripted/script" },
      signal: new AbortController().signal,
    },
    {
      events: { publish: (name, payload) => void published.push({ name, payload }) },
      elapsed: () => time,
      guard,
      progressed: () => {
        progress += 1;
      },
    },
  );
  const conversation = new WorkerConversation(guard, () => time);
  const open = new Map([[JOB, { session, conversation }]]);
  const message: AssistantMessage = {
    ...{ role: "assistant", provider: "scripted", model: "scripted/script", timestamp: 0 },
    stopReason: "tool-calls",
    content: [
      { type: "thinking", text: "", providerData: { signature: "s" } },
      { type: "toolCall", toolCallId: "c1", toolName: "exec", params: { command: "ls" } },
    ],
  };
  const app = createWorkerApp({
    tokens,
    host: {
      async callModel(call) {
        calls.push(call);
        return { message, usage: { input: 3, output: 2, cost: { usd: "0.5", estimated: false } } };
      },
    },
    messages: () => Promise.reject(new Error("not asked")),
    find: (jobId) => open.get(jobId),
    async takePrompts() {
      const taken = prompts;
      prompts = [];
      return taken;
    },
    use: async () => undefined,
    ...overrides,
  });
  const send = async (path: string, token: string | undefined, body?: unknown) => {
    const response = await app.request(path, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        "content-type": "application/json",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  };
  return {
    ...{ send, tokens, session, published, calls, message },
    prompt: (...texts: string[]) => {
      prompts = texts;
    },
    later: (ms: number) => {
      time += ms;
    },
    progress: () => progress,
  };
}

describe("the API of workers", () => {
  it("[JOB-040] answers 401 without a token, with an expired, a revoked, a forged one, and one of another job", async () => {
    const { send, tokens, later } = openApi();
    expect(await send("/health", undefined)).toEqual({ status: 200, body: { status: "ok" } });
    const path = `/worker/${JOB}/job`;
    const { token } = await tokens.issue(JOB);
    const other = await tokens.issue("job-2");
    const [head = "", body = "", signature = ""] = token.split(".");
    const unsigned = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
    const forged = `${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`;
    const foreign = await new WorkerTokens(() => 1_000_000).issue(JOB);
    for (const wrong of [
      ...[undefined, "", "x", other.token, foreign.token],
      ...[`${head}.${body}.${forged}`, `${unsigned}.${body}.`, `${head}.${body}.`],
    ]) {
      expect((await send(path, wrong)).status, wrong).toBe(401);
    }
    expect(await send(path, token)).toMatchObject({ status: 200 });
    later(TOKEN_SECONDS * 1000 - 1000);
    expect((await send(path, token)).status).toBe(200);
    later(1000);
    expect((await send(path, token)).status).toBe(401);
    const second = await tokens.issue(JOB);
    expect((await send(path, second.token)).status).toBe(200);
    tokens.revoke(JOB);
    expect((await send(path, second.token)).status).toBe(401);
  });

  it("[JOB-039] answers job, status, event, events, prompt and complete", async () => {
    const { send, tokens, session, published, prompt, progress } = openApi();
    const { token } = await tokens.issue(JOB);
    const at = (name: string) => `/worker/${JOB}/${name}`;
    expect((await send(at("job"), token)).body).toEqual({
      ...{ title: "work", description: "do it", project_dir: "/workspace" },
    });
    expect((await send(at("prompt"), token)).status).toBe(204);
    prompt("one", "two");
    expect(await send(at("prompt"), token)).toEqual({
      status: 200,
      body: { content: "one\n\ntwo", done: false },
    });
    const status = { state: "running", message: "begun", iteration: 2 };
    expect((await send(at("status"), token, status)).status).toBe(200);
    expect(session.iteration).toBe(2);
    const event = { event_type: "message", data: { text: "hello" } };
    expect((await send(at("event"), token, event)).status).toBe(200);
    const several = [
      { event_type: "tool_use", data: { tool: "exec", text: "ls" } },
      { event_type: "tool_result", data: { tool: "exec", text: "a secret" } },
    ];
    expect((await send(at("events"), token, several)).status).toBe(200);
    expect(published).toEqual([
      { name: "job.worker_event", payload: { jobId: JOB, type: "status", text: "running: begun" } },
      { name: "job.worker_event", payload: { jobId: JOB, type: "message", text: "hello" } },
      {
        name: "job.worker_event",
        payload: { jobId: JOB, type: "tool_use", tool: "exec", text: "ls" },
      },
      {
        name: "job.worker_event",
        payload: { jobId: JOB, type: "tool_result", tool: "exec", text: "a [redacted]" },
      },
    ]);
    // Each request and each event is progress.
    expect(progress()).toBeGreaterThanOrEqual(8);
    const end = { success: true, message: "done", iterations: 3 };
    expect((await send(at("complete"), token, end)).status).toBe(200);
    expect(await session.completed).toEqual(end);
    for (const wrong of [{ state: 1, iteration: 0 }, { state: "running", iteration: -1 }, []]) {
      expect((await send(at("status"), token, wrong)).status).toBe(400);
    }
    expect((await send(at("event"), token, { event_type: "x", data: {} })).status).toBe(400);
    expect((await send(at("nothing"), token)).status).toBe(404);
  });

  it("[JOB-521] sends at most 20 events of a job in a second, and tells how many it left out", async () => {
    const { session, published, later } = openApi();
    for (let index = 0; index < 100; index += 1) {
      session.report({ event_type: "message", data: { text: `${index}` } });
    }
    expect(published).toHaveLength(20);
    later(1000);
    session.report({ event_type: "message", data: { text: "last" } });
    expect(published.at(-1)).toMatchObject({ payload: { text: "last", skipped: 80 } });
  });

  it("[JOB-041] [JOB-042] calls models through the host, with guarded results and the reply as the provider knows it", async () => {
    const used: unknown[] = [];
    const { send, tokens, calls, message } = openApi({
      async use({ jobId }, amount) {
        used.push({ jobId, ...amount });
      },
    });
    const { token } = await tokens.issue(JOB);
    const path = `/worker/${JOB}/llm/complete_with_tools`;
    const tools = [{ name: "exec", description: "runs", parameters: { type: "object" } }];
    const first = await send(path, token, {
      messages: [
        { role: "system", content: "be brief" },
        { role: "user", content: "go" },
      ],
      tools,
    });
    expect(first).toEqual({
      status: 200,
      body: {
        ...{ content: "", finish_reason: "tool-calls", input_tokens: 3, output_tokens: 2 },
        tool_calls: [{ id: "c1", name: "exec", arguments: { command: "ls" } }],
      },
    });
    expect(used).toEqual([{ jobId: JOB, tokens: 5, cost: 500_000 }]);
    await send(path, token, {
      messages: [
        { role: "user", content: "go" },
        { role: "assistant", content: "", tool_calls: first.body.tool_calls },
        { role: "tool", content: "the secret", tool_call_id: "c1", name: "exec" },
      ],
      tools,
    });
    expect(calls[0]).toMatchObject({ system: "be brief", model: "scripted/script" });
    expect(calls[1]?.messages[1]).toEqual(message);
    expect(calls[1]?.messages[2]).toMatchObject({
      content: [{ type: "text", text: "the [redacted]" }],
    });
    const plain = { messages: [{ role: "user", content: "go" }] };
    expect((await send(`/worker/${JOB}/llm/complete`, token, plain)).status).toBe(200);
    expect(calls[2]?.tools).toEqual([]);
  });

  it("[JOB-041] answers 502 with the class of a failure of the model", async () => {
    const { send, tokens } = openApi({
      host: {
        callModel: () => Promise.reject(Object.assign(new Error("it is down"), { code: "X" })),
      },
    });
    const { token } = await tokens.issue(JOB);
    const plain = { messages: [{ role: "user", content: "go" }] };
    expect(await send(`/worker/${JOB}/llm/complete`, token, plain)).toEqual({
      status: 502,
      body: { error: { code: "MODEL_FAILED", message: "it is down" } },
    });
  });
});
