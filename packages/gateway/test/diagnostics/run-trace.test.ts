import { chainSettings, ModelChain, ModelHealth } from "@openclaw/models";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { RunTrace } from "@openclaw/protocol";
import { describe, expect, it } from "vitest";
import { createRunMethods } from "../../src/methods/runs.js";
import {
  createTestHost,
  gate,
  message,
  openTestStore,
  SESSION,
  type TestHost,
} from "../support/host.js";

const parameters = { type: "object", properties: {} } as const;

async function traceOf(host: TestHost, runId?: string, sessionKey?: string): Promise<RunTrace> {
  return await createRunMethods({ ...host, now: Date.now }).call("run.trace", {
    ...(runId === undefined ? {} : { runId }),
    ...(sessionKey === undefined ? {} : { sessionKey }),
  });
}

async function traced(host: TestHost, text = "hello"): Promise<RunTrace> {
  let runId = "";
  await host.flow.receive(message(text), {
    onEvent(event) {
      if (event.type === "started") runId = event.runId;
    },
  });
  return traceOf(host, runId);
}

/** Returns each span after its parents. Steps are timed in milliseconds, so their order is approximate. */
function places({ spans }: RunTrace): string[] {
  const names = new Map<string, string>();
  return spans.map(({ spanId, parentSpanId, kind, name }) => {
    const around = parentSpanId === undefined ? undefined : names.get(parentSpanId);
    const place = around === undefined ? `${kind} ${name}` : `${around} > ${kind} ${name}`;
    names.set(spanId, place);
    return place;
  });
}

function everything(api: OpenClawPluginApi): void {
  for (const name of ["work", "banned"]) {
    api.registerTool({ name, description: name, parameters, execute: () => `${name} ran` });
  }
  api.on("message_receiving", ({ content }) => ({ content: `${content}!` }));
  api.on("before_tool_call", ({ toolName }) =>
    toolName === "banned"
      ? { block: true, blockReason: "not here" }
      : { params: { key: "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ" } },
  );
  api.on("before_message_write", () => undefined);
  api.on("message_sending", ({ content }) => ({ content: `${content}.` }));
}

describe("readRunTrace", () => {
  it("[UI-531] has a span for each attempt of a model call, with its failure", async () => {
    const replies = [{ error: { status: 503, message: "overloaded" } }, { text: "done" }];
    const host = await createTestHost({
      script: replies,
      servicesNow: (services) => ({
        ...services,
        modelChain: new ModelChain({
          health: new ModelHealth(),
          settings: chainSettings({ retry: { retries: 1, baseMs: 1 } }),
        }),
      }),
    });
    const { spans } = await traced(host);
    const attempts = spans.filter(({ kind }) => kind === "model");
    expect(attempts).toMatchObject([
      {
        name: "scripted/script",
        status: "error",
        summary: expect.stringContaining("overloaded"),
        attributes: { errorCode: "MODEL_REQUEST_FAILED" },
      },
      { name: "scripted/script", status: "ok", summary: "1 message → 4 characters (stop)" },
    ]);
    expect(new Set(attempts.map(({ spanId }) => spanId)).size).toBe(2);
  });

  it("contains the steps from the message to the delivered reply, each in its parent", async () => {
    const host = await createTestHost({
      register: everything,
      script: [{ toolCalls: [{ toolName: "work" }, { toolName: "banned" }] }, { text: "done" }],
    });
    const trace = await traced(host);
    const inRun = ["message terminal", "run main"].join(" > ");
    const write = `${inRun} > hook before_message_write`;
    expect(places(trace).sort()).toEqual(
      [
        "message terminal",
        "message terminal > hook message_receiving",
        inRun,
        `${inRun} > step turn-prepared`,
        write,
        `${inRun} > model scripted/script`,
        write,
        `${inRun} > tool work`,
        `${inRun} > tool work > hook before_tool_call`,
        `${inRun} > tool banned`,
        `${inRun} > tool banned > hook before_tool_call`,
        write,
        write,
        `${inRun} > model scripted/script`,
        write,
        "message terminal > step reply part 0",
        "message terminal > hook message_sending",
      ].sort(),
    );
    expect(trace.spans.map(({ kind }) => kind).slice(0, 3)).toEqual(["message", "hook", "run"]);
    const find = (kind: string, name: string) =>
      trace.spans.find((span) => span.kind === kind && span.name === name);
    expect(find("run", "main")).toMatchObject({ status: "ok", summary: "completed (stop)" });
    expect(find("model", "scripted/script")).toMatchObject({
      status: "ok",
      summary: "1 message → calls work, banned",
      attributes: { messageCount: 1, requestDigest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(find("tool", "work")).toMatchObject({
      status: "ok",
      summary: "work ran",
      attributes: { ran: true, policyDecisions: expect.stringMatching(/^pd_/) },
    });
    expect(find("tool", "banned")).toMatchObject({
      status: "refused",
      summary: "plugin:guard: Tool blocked: not here",
      attributes: { ran: false, decider: "plugin:guard" },
    });
    expect(find("step", "reply part 0")).toMatchObject({ summary: "delivered" });
    expect(trace.spans.every(({ durationMs }) => durationMs === undefined || durationMs >= 0)).toBe(
      true,
    );
  });

  it("is in the order of the steps, even where all of them share one millisecond", async () => {
    // Hooks are timed by another clock, which is far ahead of this one.
    const now = () => 1_700_000_000_000;
    const host = await createTestHost({
      now,
      store: await openTestStore(now),
      register: everything,
      script: [{ toolCalls: [{ toolName: "work" }, { toolName: "banned" }] }, { text: "done" }],
    });
    const { spans } = await traced(host);
    const run = spans.find(({ kind }) => kind === "run");
    const order = (parent: string | undefined, hooks: boolean) =>
      spans
        .filter(({ parentSpanId, kind }) => parentSpanId === parent && (hooks || kind !== "hook"))
        .map(({ kind, name }) => `${kind} ${name}`);
    expect(order(run?.parentSpanId, true)).toEqual([
      "hook message_receiving",
      "run main",
      "step reply part 0",
      "hook message_sending",
    ]);
    expect(order(run?.spanId, false)).toEqual([
      "step turn-prepared",
      "model scripted/script",
      "tool work",
      "tool banned",
      "model scripted/script",
    ]);
  });

  it("contains the results and changes of handlers, shortened and without secrets", async () => {
    const host = await createTestHost({
      register: everything,
      script: [{ toolCalls: [{ toolName: "work" }, { toolName: "banned" }] }, { text: "done" }],
    });
    const { spans } = await traced(host);
    const handlers = spans.flatMap(({ name, handlers: own = [] }) =>
      own.map((handler) => ({ hook: name, ...handler })),
    );
    const [receiving] = handlers.filter(({ hook }) => hook === "message_receiving");
    expect(receiving).toMatchObject({
      pluginId: "guard",
      outcome: "ok",
      patch: [{ op: "replace", path: "/content", value: "hello!" }],
    });
    const [allowed, blocked] = handlers.filter(({ hook }) => hook === "before_tool_call");
    expect(allowed?.patch).toEqual([
      { op: "add", path: "/params/key", value: expect.not.stringContaining("abcdefghij") },
    ]);
    expect(blocked).toMatchObject({
      outcome: "terminal",
      result: { block: "true", blockReason: "not here" },
    });
    expect(handlers.find(({ hook }) => hook === "before_message_write")).toMatchObject({
      outcome: "no-result",
    });
  });

  it("[TURN-024] keeps the handlers of a blocked message, but none of its content", async () => {
    const host = await createTestHost({
      register(api) {
        api.on("message_receiving", ({ content }) => ({ content: `${content} twice` }));
        api.on("before_agent_run", () => ({
          outcome: "block",
          reason: "hidden reason",
          message: "Not today.",
        }));
      },
    });
    const trace = await traced(host, "user's own words");
    const hooks = trace.spans.filter(({ kind }) => kind === "hook");
    expect(hooks.map(({ name }) => name)).toEqual(["message_receiving", "before_agent_run"]);
    const stored = JSON.stringify(await host.store.turns.traces.of(trace.runId));
    for (const text of [JSON.stringify(trace), stored]) {
      expect(text).not.toContain("user's own words");
      expect(text).not.toContain("hidden reason");
    }
  });

  it("shows what an unfinished run waits for", async () => {
    const reached = gate();
    const opened = gate();
    const host = await createTestHost({
      register(api) {
        api.on("before_prompt_build", () => ({ appendContext: "more" }));
        api.registerTool({
          name: "slow",
          description: "slow",
          parameters,
          async execute() {
            reached.pass();
            await opened.passed;
            return "done";
          },
        });
      },
      script: [{ toolCalls: [{ toolName: "slow" }] }, { text: "done" }],
    });
    const running = host.flow.receive(message("go"), {});
    await reached.passed;
    const [turn] = await host.store.turns.unfinished();
    const trace = await traceOf(host, turn?.runId);
    const open = trace.spans.filter(({ status }) => status === "open");
    expect(open.map(({ kind, name }) => `${kind} ${name}`)).toEqual(["run main", "tool slow"]);
    expect(places(trace)).toContain("message terminal > run main > hook before_prompt_build");
    opened.pass();
    await running;
  });

  it("includes observers that end after the run, and has one trace per message", async () => {
    const ended = gate();
    const host = await createTestHost({
      register(api) {
        api.on("agent_end", () => ended.passed);
      },
    });
    const trace = await traced(host);
    const end = "message terminal > run main > hook agent_end";
    expect(places(trace)).not.toContain(end);
    ended.pass();
    await ended.passed;
    const late = await traceOf(host, trace.runId);
    expect(places(late)).toContain(end);
    expect(late.traceId).toBe(trace.traceId);
  });

  it("rejects an unknown run with an error that says where run IDs are found", async () => {
    const host = await createTestHost();
    await expect(traceOf(host, "nothing")).rejects.toMatchObject({
      code: "RUN_NOT_FOUND",
      runId: "nothing",
    });
    await expect(traceOf(host)).rejects.toThrow('run "newest of any session" not found');
    const { runId } = await traced(host);
    expect(await traceOf(host)).toMatchObject({ runId });
    expect(await traceOf(host, undefined, SESSION)).toMatchObject({ runId });
  });

  it("stores nothing for messages without a run and for hooks without handlers", async () => {
    const host = await createTestHost({
      register: (api) => void api.on("message_receiving", () => ({ cancel: true })),
    });
    await host.flow.receive(message("no"), {});
    const plain = await createTestHost();
    const trace = await traced(plain);
    expect(trace).toMatchObject({ hasHooks: false, state: "completed" });
    expect(await plain.store.turns.traces.of(trace.runId)).toEqual([]);
  });
});
