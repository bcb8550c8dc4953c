import { tracingChannel } from "node:diagnostics_channel";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startTestServer } from "@openclaw/platform-fakes";
import { createTestHost } from "@openclaw/plugin-testkit";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import manifest from "../openclaw.plugin.json" with { type: "json" };
import plugin from "../src/index.js";
import { SPAN_DEFINITIONS } from "../src/span-kinds.js";
import { startExport } from "../src/start-export.js";
import { startCollector } from "./collector.js";

const CLIENT_TRACE = "0af7651916cd43dd8448eb211c80319c";
const CLIENT_SPAN = "b7ad6b7169203331";

function recording(url: string) {
  const stop = startExport({
    url: `${url}/v1/traces`,
    headers: {},
    serviceName: "test",
    sampleRatio: 1,
    definitions: SPAN_DEFINITIONS,
    flushMs: 2000,
    onFailure: () => {},
  });
  onTestFinished(stop);
  return stop;
}

/** Runs work as the host runs a traced turn or model call. */
function traced<Result>(name: string, message: object, work: () => Promise<Result>) {
  const channels = tracingChannel<unknown, object>(name);
  return channels.start.runStores(message, async () => {
    const result = await work();
    channels.asyncEnd.publish(message);
    return result;
  });
}

describe("otel", () => {
  it("[GW-049] sends spans of turn, model calls, tool, hook, approval and message with parents and GenAI names", async () => {
    const collector = await startCollector();
    const host = await createTestHost({
      plugin,
      manifest,
      pluginConfig: {
        endpoint: `${collector.endpoint}/`,
        headers: { "x-key": "a key" },
        serviceName: "mine",
      },
      neighbours: [
        {
          id: "launcher",
          register(api) {
            api.on("before_tool_call", () => undefined);
            api.registerTool({
              name: "launch",
              description: "launches",
              parameters: { type: "object", properties: {} },
              approval: "always",
              execute: () => "secret-result",
            });
          },
        },
      ],
      model: [{ toolCalls: [{ toolName: "launch" }] }, { text: "secret-reply" }],
      answer: () => "allow-once",
    });
    await host.turn("secret-question");
    await host.dispose();

    const spans = collector.spans();
    const find = (name: string) => {
      const found = spans.find((span) => span.name === name);
      if (found === undefined)
        throw new Error(`no span ${name} in ${spans.map((each) => each.name)}`);
      return found;
    };
    const inbound = find("inbound terminal");
    // The turn ends while it waits for approval, and resumes as the same run.
    const turns = spans.filter(({ name }) => name === "invoke_agent main");
    const agent = { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.id": "main" };
    expect(turns.map(({ attributes }) => attributes)).toMatchObject([
      { ...agent, "openclaw.outcome": "paused" },
      { ...agent, "openclaw.outcome": "completed" },
    ]);
    const [asking, resumed] = turns;
    const chat = find("chat model");
    expect(chat.attributes).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "scripted",
    });
    const tool = find("execute_tool launch");
    expect(tool.attributes).toMatchObject({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "launch",
      "openclaw.plugin.id": "launcher",
      "openclaw.outcome": "ok",
    });
    expect(find("approval").attributes).toMatchObject({ "openclaw.outcome": "allowed-once" });
    expect(find("hook before_tool_call").attributes).toMatchObject({
      "openclaw.hook.name": "before_tool_call",
    });
    expect(turns.map(({ parentSpanId }) => parentSpanId)).toEqual([inbound.spanId, inbound.spanId]);
    expect(chat.parentSpanId).toBe(asking?.spanId);
    expect(find("hook before_tool_call").parentSpanId).toBe(asking?.spanId);
    expect(tool.parentSpanId).toBe(resumed?.spanId);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(new Set(collector.services())).toEqual(new Set(["mine"]));
    expect(collector.requests[0]).toMatchObject({
      path: "/v1/traces",
      headers: { "x-key": "a key" },
    });
    expect(JSON.stringify(collector.requests)).not.toContain("secret-");
  });

  it("[EXT-021] records a complete tree of spans, with content only if it was switched on, without secrets", async () => {
    const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    const tree = async (content: boolean | undefined) => {
      const collector = await startCollector();
      const host = await createTestHost({
        plugin,
        manifest,
        pluginConfig: { endpoint: collector.endpoint, ...(content !== undefined && { content }) },
        neighbours: [
          {
            id: "launcher",
            register(api) {
              api.on("before_tool_call", () => undefined);
              api.registerTool({
                name: "launch",
                description: "launches",
                parameters: { type: "object", properties: { password: { type: "string" } } },
                approval: "always",
                execute: () => `launched with ${token}`,
              });
            },
          },
        ],
        model: [
          { toolCalls: [{ toolName: "launch", params: { password: "open sesame" } }] },
          { text: `done, ${token}` },
        ],
        answer: () => "allow-once",
        surface: { send: async () => ({}) },
      });
      await host.turn(`launch with ${token}`);
      await host.dispose();
      return collector;
    };
    const off = await tree(undefined);
    const spans = off.spans();
    const ids = new Set(spans.map(({ spanId }) => spanId));
    const parents = Object.fromEntries(
      spans.map(({ name, parentSpanId }) => [
        name,
        spans.find(({ spanId }) => spanId === parentSpanId)?.name,
      ]),
    );
    expect(parents).toMatchObject({
      "inbound terminal": undefined,
      "invoke_agent main": "inbound terminal",
      "chat model": "invoke_agent main",
      "execute_tool launch": "invoke_agent main",
      "hook before_tool_call": "invoke_agent main",
      approval: "invoke_agent main",
      "outbound terminal": "inbound terminal",
    });
    for (const { parentSpanId } of spans) {
      if (parentSpanId) expect(ids).toContain(parentSpanId);
    }
    expect(JSON.stringify(off.requests)).not.toMatch(/launch with|sesame|done,|launched/);

    const on = await tree(true);
    const contentOf = (name: string) =>
      on.spans().flatMap(({ name: own, attributes }) => (own === name ? [attributes] : []));
    const [asking, answering] = contentOf("chat model");
    const read = (value: unknown): unknown => JSON.parse(String(value));
    expect(read(asking?.["gen_ai.input.messages"])).toEqual([
      {
        role: "user",
        parts: [{ type: "text", content: "launch with [REDACTED_GITHUB_TOKEN]" }],
      },
    ]);
    expect(read(asking?.["gen_ai.system_instructions"])).toMatchObject([{ type: "text" }]);
    expect(read(asking?.["gen_ai.output.messages"])).toMatchObject([
      { parts: [{ type: "tool_call", name: "launch", arguments: { password: "[REDACTED]" } }] },
    ]);
    expect(read(answering?.["gen_ai.output.messages"])).toMatchObject([
      { parts: [{ content: expect.stringMatching(/^done, /) }] },
    ]);
    const [tool] = contentOf("execute_tool launch");
    expect(read(tool?.["gen_ai.tool.call.arguments"])).toEqual({ password: "[REDACTED]" });
    expect(read(tool?.["gen_ai.tool.call.result"])).toMatchObject([
      { content: expect.stringMatching(/^launched with /) },
    ]);
    const sent = JSON.stringify(on.requests);
    expect(sent).not.toContain(token);
    expect(sent).not.toContain("sesame");
  });

  it("[EXT-021] ends its flush in time when the collector does not respond", async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      silent.closeAllConnections();
      silent.close();
    });
    const { port } = silent.address() as AddressInfo;
    const stop = startExport({
      url: `http://127.0.0.1:${port}/v1/traces`,
      headers: {},
      serviceName: "test",
      sampleRatio: 1,
      definitions: SPAN_DEFINITIONS,
      flushMs: 50,
      onFailure: () => {},
    });
    const reached = new Promise((resolve) => silent.once("request", resolve));
    await traced("openclaw:tool", { runId: "r1", toolName: "work" }, async () => {});
    await Promise.all([stop(), reached]);
  });

  it("[GW-049] continues the trace of a request, and passes it on to the model's server", async () => {
    const collector = await startCollector();
    const model = await startTestServer({ body: "{}" });
    onTestFinished(() => model.close());
    const stop = recording(collector.endpoint);
    const gateway = createServer(async (_request, response) => {
      await traced("openclaw:turn", { runId: "r1", agentId: "main" }, () =>
        traced("openclaw:llm", { runId: "r1", provider: "p", model: "m" }, async () => {
          await (await fetch(model.origin)).arrayBuffer();
        }),
      );
      await (await fetch(model.origin)).arrayBuffer();
      response.end();
    });
    await new Promise<void>((resolve) => gateway.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void gateway.close());
    const { port } = gateway.address() as AddressInfo;
    const ask = (headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${port}`, { headers }).then((response) => response.arrayBuffer());
    await ask({ traceparent: `00-${CLIENT_TRACE}-${CLIENT_SPAN}-01` });
    await ask({ traceparent: "00-nonsense" });
    await stop();

    const spans = collector.spans();
    const [turn, other] = spans.filter(({ name }) => name === "invoke_agent main");
    expect(turn).toMatchObject({ traceId: CLIENT_TRACE, parentSpanId: CLIENT_SPAN });
    expect(other?.traceId).not.toBe(CLIENT_TRACE);
    expect(other?.parentSpanId ?? "").toBe("");
    const chat = spans.find(({ name }) => name === "chat m");
    const passed = model.requests.map(({ headers }) => headers.traceparent);
    expect(passed.slice(0, 2)).toEqual([`00-${CLIENT_TRACE}-${chat?.spanId}-01`, undefined]);
  });

  it("[LLM-400] names a configured header that HTTP cannot carry", async () => {
    const pluginConfig = { headers: { "x-key": "abc…def" } };
    const started = createTestHost({ plugin, manifest, pluginConfig });
    await expect(started).rejects.toThrow(
      "plugins.entries.otel.config.headers.x-key: its character 4, U+2026, cannot be sent",
    );
  });

  it("reports failures with their code", async () => {
    const collector = await startCollector();
    const stop = recording(collector.endpoint);
    const message = { runId: "r1", toolName: "work", toolCallId: "c1" };
    await traced("openclaw:tool", message, async () => {
      Object.assign(message, { errorCode: "TOOL_THREW" });
    });
    await stop();
    expect(collector.spans()).toMatchObject([
      {
        name: "execute_tool work",
        status: { code: 2 },
        attributes: { "error.type": "TOOL_THREW" },
      },
    ]);
  });

  it("[EXT-022] drops spans when the collector does not answer, counts them, and stops in its time", async () => {
    const failures: { problem: string; dropped: number }[] = [];
    const stop = startExport({
      url: "http://127.0.0.1:9/v1/traces",
      headers: {},
      serviceName: "test",
      sampleRatio: 1,
      definitions: SPAN_DEFINITIONS,
      flushMs: 500,
      onFailure: (problem, { dropped }) => void failures.push({ problem, dropped }),
    });
    for (let index = 0; index < 3000; index += 1) {
      await traced("openclaw:tool", { runId: `r${index}`, toolName: "work" }, async () => {});
    }
    await stop();
    expect(failures[0]?.dropped).toBeGreaterThan(0);
  });

  it("records nothing after it was stopped", async () => {
    const collector = await startCollector();
    const stop = recording(collector.endpoint);
    await stop();
    await traced("openclaw:tool", { runId: "r1", toolName: "work" }, async () => {});
    expect(tracingChannel("openclaw:tool").hasSubscribers).toBe(false);
    expect(collector.spans()).toEqual([]);
  });

  it("warns about a collector that is down once a minute", async () => {
    const host = await createTestHost({
      plugin,
      manifest,
      pluginConfig: { endpoint: "http://127.0.0.1:9", hooks: false },
    });
    await host.turn("hello");
    await host.dispose();
    await vi.waitFor(() => {
      const warned = host.logs.filter(({ level }) => level === "warn");
      expect(warned.map(({ message }) => message)).toEqual([
        expect.stringMatching(/^spans could not be sent to http:\/\/127\.0\.0\.1:9: /),
      ]);
    });
  });
});
