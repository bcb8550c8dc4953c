import { fromJsonSchema } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { gate } from "../../support/gate.js";
import { connectMcp } from "../../support/mcp-client.js";
import { type McpGateway, startMcpGateway } from "../../support/mcp-gateway.js";
import { createProbeTools } from "./support/probe-tools.js";

// Several requests follow each other on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const TASKS = "io.modelcontextprotocol/tasks";

const probe = createProbeTools();
/** Results of tools that the model received. */
const toolResults: string[] = [];
let site: McpGateway;
beforeAll(async () => {
  site = await startMcpGateway({
    plugins: [probe.plugin],
    script({ prompt }) {
      const said = JSON.stringify(prompt.at(-1));
      if (prompt.at(-1)?.role === "tool") toolResults.push(said);
      const [, toolName] = /use (probe_\w+)/.exec(said) ?? [];
      if (toolName !== undefined && prompt.at(-1)?.role === "user") {
        return { toolCalls: [{ toolName }] };
      }
      return { text: prompt.at(-1)?.role === "tool" ? "The tool ran." : "Good day to you." };
    },
  });
});
afterAll(() => site[Symbol.asyncDispose]());

interface Reply {
  readonly result?: Record<string, unknown> & {
    readonly taskId?: string;
    readonly status?: string;
  };
  readonly error?: { readonly code: number; readonly message: string };
}

let requests = 0;
/** Sends a request of the protocol of 2026, as each of them can be answered by any node. */
async function send(
  method: string,
  params: object,
  { token = site.token, elicits = true, tasks = true } = {},
): Promise<Reply> {
  requests += 1;
  const capabilities = {
    ...(elicits ? { elicitation: { form: {} } } : {}),
    ...(tasks ? { extensions: { [TASKS]: {} } } : {}),
  };
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  const { name, taskId } = { name: undefined, taskId: undefined, ...params };
  const response = await fetch(new URL("/mcp", site.url), {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(name === undefined && taskId === undefined ? {} : { "mcp-name": String(name ?? taskId) }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: requests, method, params: { ...params, _meta } }),
  });
  const text = await response.text();
  const json = text.startsWith("{") ? text : (/^data: (\{.*)$/m.exec(text)?.[1] ?? "{}");
  return JSON.parse(json);
}

const chat = (text: string, sessionKey: string) => ({
  ...{ name: "chat_send", arguments: { text, sessionKey } },
});

/** Asks for a task until it has a status. */
async function until(taskId: string | undefined, status: string) {
  return await vi.waitFor(async () => {
    const { result } = await send("tasks/get", { taskId });
    if (result?.status !== status) throw new Error(`the status is ${JSON.stringify(result)}`);
    return result;
  }, 30_000);
}

describe("a turn of a client with the extension for tasks", () => {
  it("[EXT-500] is a task, which has the result of the call when it has ended", async () => {
    const { result } = await send("tools/call", chat("hello", "agent:main:task"));
    expect(result).toMatchObject({ resultType: "task", status: "working", ttlMs: null });
    const ended = await until(result?.taskId, "completed");
    expect(ended).toMatchObject({
      result: {
        content: [{ type: "text", text: "Good day to you." }],
        structuredContent: { sessionKey: "agent:main:task", status: "replied" },
        isError: false,
      },
    });
    const other = await send("tools/call", chat("hello", "agent:main:none"), { tasks: false });
    expect(other.result).toMatchObject({ resultType: "complete" });
    expect((await send("tasks/get", { taskId: "bm90aGluZw" })).error).toMatchObject({
      ...{ code: -32602, message: expect.stringContaining("task not found") },
    });
  });

  it("[EXT-500] is cancelled with its task", async () => {
    probe.opened = gate();
    probe.started = gate();
    const { result } = await send("tools/call", chat("use probe_slow", "agent:main:stopped"));
    await probe.started.passed;
    const { taskId } = result ?? {};
    expect(await until(taskId, "working")).not.toHaveProperty("result");
    expect((await send("tasks/cancel", { taskId })).result).toMatchObject({
      resultType: "complete",
    });
    // The tool saw the interruption.
    await probe.opened.passed;
    await until(taskId, "cancelled");
  });

  it("[EXT-501] requires input while an approval is pending, and continues with the decision", async () => {
    const { result } = await send("tools/call", chat("use probe_guarded", "agent:main:guarded"));
    const { taskId } = result ?? {};
    const { inputRequests } = await until(taskId, "input_required");
    const [[id, request] = []] = Object.entries(Object(inputRequests));
    expect(request).toMatchObject({
      method: "elicitation/create",
      params: { message: expect.stringContaining("It is guarded.") },
    });
    const accept = (decision: string) => ({ action: "accept", content: { decision } });
    const update = (inputResponses: object, options = {}) =>
      send("tasks/update", { taskId, inputResponses }, options);
    expect(await update({ other: accept("allow-once") })).toHaveProperty("result");
    const blind = await update(
      { [String(id)]: accept("allow-once") },
      { token: site.tokens["operator.write"] },
    );
    expect(blind).toHaveProperty("result");
    expect((await update({ [String(id)]: accept("perhaps") })).error?.message).toContain(
      "the answer has no decision",
    );
    await until(taskId, "input_required");
    await update({ [String(id)]: accept("allow-once") });
    expect(await until(taskId, "completed")).toMatchObject({
      result: { content: [{ text: "The tool ran." }] },
    });
  });

  it("[EXT-501] requires input for a form of a tool, and shows a client that cannot ask that it works", async () => {
    const { result } = await send("tools/call", chat("use probe_form", "agent:main:form"));
    const { taskId } = result ?? {};
    const { inputRequests } = await until(taskId, "input_required");
    const [[id, request] = []] = Object.entries(Object(inputRequests));
    expect(request).toMatchObject({ params: { message: "Which city?" } });
    const silent = await send("tasks/get", { taskId }, { elicits: false });
    expect(silent.result?.status).toBe("working");
    const inputResponses = { [String(id)]: { action: "accept", content: { city: "Bern" } } };
    await send("tasks/update", { taskId, inputResponses });
    await until(taskId, "completed");
  });
});

describe("a turn of a client of the protocol of 2025", () => {
  const created = fromJsonSchema<{ task: { taskId: string; status: string } }>({});
  const task = fromJsonSchema<Record<string, unknown>>({});

  async function client() {
    const connected = await connectMcp({
      ...{ url: site.url, token: site.token, era: "legacy" },
      capabilities: { elicitation: { form: {} } },
    });
    const asked: string[] = [];
    connected.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params.message);
      return { action: "accept", content: { decision: "allow-once" } };
    });
    onTestFinished(() => connected.close());
    const begin = async (text: string, sessionKey: string) => {
      const params = { ...chat(text, sessionKey), task: { ttl: 60_000 } };
      return (await connected.request({ method: "tools/call", params }, created)).task;
    };
    const ask = (method: string, taskId: string) =>
      connected.request({ method, params: { taskId } }, task);
    return { begin, ask, asked, connected };
  }

  it("[EXT-500] is a task when the call asks for one, whose result is awaited", async () => {
    const { begin, ask, connected } = await client();
    const { taskId, status } = await begin("hello", "agent:main:old-task");
    expect(status).toBe("working");
    const result = await ask("tasks/result", taskId);
    expect(result).toMatchObject({ content: [{ text: "Good day to you." }] });
    expect(await ask("tasks/get", taskId)).toMatchObject({ status: "completed", ttl: null });
    const { tools } = await connected.listTools();
    expect(tools.find(({ name }) => name === "chat_send")?.execution).toEqual({
      taskSupport: "optional",
    });
  });

  it("[EXT-501] asks the person at the client while the result is awaited", async () => {
    const { begin, ask, asked } = await client();
    const { taskId } = await begin("use probe_guarded", "agent:main:old-guarded");
    const result = await ask("tasks/result", taskId);
    expect(result).toMatchObject({ content: [{ text: "The tool ran." }] });
    expect(asked).toEqual([expect.stringContaining("It is guarded.")]);
  });

  it("[EXT-500] is cancelled with its task", async () => {
    probe.opened = gate();
    probe.started = gate();
    const { begin, ask } = await client();
    const { taskId } = await begin("use probe_slow", "agent:main:old-stopped");
    await probe.started.passed;
    expect(await ask("tasks/cancel", taskId)).toMatchObject({ status: "cancelled" });
    await probe.opened.passed;
  });
});

describe("a restart of the gateway", () => {
  it("[EXT-500] [EXT-501] keeps a task that waits for a form, and continues it with the answer", async () => {
    const { result } = await send("tools/call", chat("use probe_form", "agent:main:kept"));
    const { taskId } = result ?? {};
    await until(taskId, "input_required");
    await site.restart();
    const { inputRequests } = await until(taskId, "input_required");
    const [id] = Object.keys(Object(inputRequests));
    const inputResponses = { [String(id)]: { action: "accept", content: { city: "Bern" } } };
    await send("tasks/update", { taskId, inputResponses });
    expect(await until(taskId, "completed")).toMatchObject({
      result: { content: [{ text: "The tool ran." }] },
    });
  });

  it("[EXT-500] [EXT-508] continues a task whose tool ran, and tells its model that the outcome is unknown", async () => {
    probe.started = gate();
    probe.opened = gate();
    const { result } = await send("tools/call", chat("use probe_slow", "agent:main:running"));
    const { taskId } = result ?? {};
    await probe.started.passed;
    let runs = 1;
    probe.started = {
      ...gate(),
      pass() {
        runs += 1;
      },
    };
    await site.restart();
    expect(await until(taskId, "completed")).toMatchObject({
      result: { content: [{ text: "The tool ran." }] },
    });
    // A tool that may have had its effect is not run again.
    expect(runs).toBe(1);
    expect(toolResults.at(-1)).toContain("outcome unknown");
  });
});
