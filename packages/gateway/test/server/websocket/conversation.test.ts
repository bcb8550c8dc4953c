import { randomUUID } from "node:crypto";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { createScriptedModel } from "@openclaw/models";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Gateway } from "../../../src/running-gateway.js";
import { loadGatewayToken } from "../../../src/state/token.js";
import { type Gate, gate } from "../../support/gate.js";
import { startTestGateway } from "../../support/gateway.js";
import { scriptedProvider } from "../../support/scripted-provider.js";
import { WireClient } from "../../support/wire-client.js";
import { EventStreamReader } from "../../support/wire-events.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const SECRET = "the merger is on friday";
const REASON = "rule 17 of the insider list";

let folder: TemporaryFolder;
let gateway: Gateway;
let token: string;
/** Gate that the model waits at, by the marker in the message. */
const gates = new Map<string, { begun: Gate<void>; open: Gate<void> }>();

function gateOf(marker: string) {
  const found = gates.get(marker) ?? { begun: gate(), open: gate() };
  gates.set(marker, found);
  return found;
}

const model = createScriptedModel(({ prompt }) => {
  const asked = JSON.stringify(prompt);
  const [, marker] = /wait at ([0-9a-f-]+)/.exec(asked) ?? [];
  if (marker !== undefined) {
    gateOf(marker).begun.pass();
    return { text: "late reply", waitFor: gateOf(marker).open.passed };
  }
  if (asked.includes("break down")) {
    return { error: { status: 400, message: "the request is not valid" } };
  }
  const tool = /use (probe|forbidden|launch|change|sign_in)/.exec(asked)?.[1];
  if (tool === undefined || asked.includes('"tool-result"')) return { text: "all of it is done" };
  return { toolCalls: [{ toolName: tool, params: { depth: 7 } }] };
});

function register(api: OpenClawPluginApi) {
  api.registerProvider(scriptedProvider(model));
  const parameters = { type: "object", properties: { depth: { type: "number" } } } as const;
  api.registerTool({
    ...{ name: "probe", description: "probes", parameters },
    execute(_id, _params, _signal, onUpdate) {
      onUpdate("half way");
      return "deep";
    },
  });
  api.registerTool({ name: "forbidden", description: "is denied", parameters, execute: () => "" });
  api.registerTool({
    ...{ name: "launch", description: "launches", parameters, approval: "always" },
    execute: () => "launched",
  });
  api.registerTool({
    ...{ name: "change", description: "changes", parameters, approval: "unless-granted" },
    execute: () => "changed",
  });
  api.registerTool(({ sessionKey }) => ({
    ...{ name: "sign_in", description: "asks for a credential", parameters },
    async execute() {
      await api.runtime.messages?.requestCredential?.({ sessionKey, name: "API_KEY" });
      return "asked";
    },
  }));
  api.on("before_tool_call", ({ toolName }) =>
    toolName === "forbidden" ? { block: true, blockReason: "not today" } : undefined,
  );
  api.on("before_agent_run", ({ prompt }) =>
    prompt.includes(SECRET) ? { outcome: "block", reason: REASON, message: "No." } : undefined,
  );
}

beforeAll(async () => {
  folder = temporaryFolder();
  gateway = await startTestGateway(folder, {
    port: 0,
    model: "scripted/script",
    inlinePlugins: [{ id: "guard", register }],
  });
  token = loadGatewayToken(gateway.state.tokenFile);
});

afterAll(async () => {
  await gateway.stop("command");
  folder[Symbol.dispose]();
});

async function connected(options: Parameters<WireClient["connect"]>[1] = {}): Promise<WireClient> {
  const client = new WireClient(gateway.url ?? "");
  await client.connect(token, options);
  return client;
}

function stream(query: string, headers: Record<string, string> = {}): Promise<EventStreamReader> {
  return EventStreamReader.open(`${gateway.url}/api/v1/events${query}`, {
    authorization: `Bearer ${token}`,
    ...headers,
  });
}

const newSession = () => `agent:main:test:${randomUUID()}`;
const send = (client: WireClient, sessionKey: string, text: string) =>
  client.call("chat.send", { sessionKey, text, idempotencyKey: randomUUID() });

describe("events of a conversation", () => {
  it("[GW-024] [TURN-039] [GW-034] show the turn and its tool calls to every subscriber, over WebSocket and as server-sent events", async () => {
    const sessionKey = newSession();
    const [sender, watcher] = [await connected(), await connected()];
    await watcher.call("sessions.subscribe", { sessionKey });
    const sse = await stream(`?session=${sessionKey}`);
    expect(sse.response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    await sse.says(": connected");
    const { runId, messageId } = await send(sender, sessionKey, "use probe");
    await Promise.all([
      sender.event("chat.final"),
      watcher.event("chat.final"),
      sse.event("chat.final"),
    ]);
    const turn = { sessionKey, runId };
    const call = { ...turn, toolCallId: expect.any(String) };
    const size = { usedTokens: expect.any(Number), windowTokens: 100_000 };
    const context = ["chat.context", { ...turn, model: "scripted/script", ...size }];
    const expected = [
      ["chat.started", { ...turn, messageId, model: "scripted/script" }],
      context,
      ["tool.started", { ...call, toolName: "probe", params: { depth: 7 } }],
      ["tool.update", { ...call, text: "half way" }],
      [
        "tool.result",
        {
          ...call,
          toolName: "probe",
          outcome: "ok",
          preview: "deep",
          durationMs: expect.any(Number),
        },
      ],
      context,
      [
        "chat.final",
        {
          ...turn,
          messageId,
          status: "replied",
          text: "all of it is done",
          stopReason: "stop",
          usage: expect.any(Object),
        },
      ],
    ];
    const shown = (events: readonly { event: string; payload: unknown }[]) =>
      events
        .filter(({ event }) => /^(chat|tool)\./.test(event) && event !== "chat.delta")
        .map(({ event, payload }) => [event, payload]);
    for (const events of [sender.events, watcher.events, sse.events])
      expect(shown(events)).toEqual(expected);
    const cursors = watcher.events.flatMap(({ event, cursor }) =>
      event.startsWith("tool.") ? [cursor] : [],
    );
    expect(sse.events.flatMap(({ event, id }) => (event.startsWith("tool.") ? [id] : []))).toEqual(
      cursors,
    );

    await watcher.call("sessions.unsubscribe", { sessionKey });
    const before = shown(watcher.events).length;
    await send(sender, sessionKey, "again");
    await sender.until(() => sender.events.filter(({ event }) => event === "chat.final")[1]);
    await watcher.call("chat.history", { sessionKey });
    expect(shown(watcher.events)).toHaveLength(before);
    await Promise.all([sender.close(), watcher.close(), sse.cancel()]);
  });

  it("[TURN-028] [CHAN-015] preview the text of a reply with chat.delta before chat.final has all of it", async () => {
    const client = await connected();
    await send(client, newSession(), "hello");
    const { payload } = await client.event("chat.final");
    const previews = client.events.filter(({ event }) => event === "chat.delta");
    expect(previews.length).toBeGreaterThan(0);
    expect(previews.map((preview) => preview.payload.delta).join("")).toBe(payload.text);
    await client.close();
  });

  it("[CHAN-015] preview the text, and show tools and approval requests, as server-sent events too", async () => {
    const sessionKey = newSession();
    const client = await connected({ approver: true });
    const sse = await stream(`?session=${sessionKey}`);
    await sse.says(": connected");
    await send(client, sessionKey, "use launch");
    const { payload } = await sse.event("approval.requested");
    expect(payload).toMatchObject({ sessionKey, tool: "launch", params: { depth: 7 } });
    const { id, digest } = payload;
    const decision = { id, digest, decision: "allow-once", idempotencyKey: randomUUID() };
    await client.call("approvals.resolve", decision);
    const final = await sse.event("chat.final");
    const names = sse.events.map(({ event }) => event);
    for (const name of ["tool.started", "approval.resolved", "tool.result", "chat.delta"]) {
      expect(names).toContain(name);
    }
    const previews = sse.events.filter(({ event }) => event === "chat.delta");
    expect(previews.map((preview) => preview.payload.delta).join("")).toBe(final.payload.text);
    await Promise.all([client.close(), sse.cancel()]);
  });

  it("[CHAN-035] has an event for the start, text, tools, approvals, credentials, end and error of an answer", async () => {
    const client = await connected({ approver: true });
    const streamOf = async (sessionKey: string) => {
      const sse = await stream(`?session=${sessionKey}`);
      await sse.says(": connected");
      return sse;
    };
    const [tools, credential, broken] = [newSession(), newSession(), newSession()];
    const streams = await Promise.all([tools, credential, broken].map(streamOf));
    const [ofTools, ofCredential, ofBroken] = streams;

    await send(client, tools, "use launch");
    const { payload } = (await ofTools?.event("approval.requested")) ?? {};
    const { id, digest } = payload ?? {};
    const decision = { id, digest, decision: "allow-once", idempotencyKey: randomUUID() };
    await client.call("approvals.resolve", decision);
    for (const name of ["chat.started", "tool.started", "approval.resolved", "tool.result"]) {
      await ofTools?.event(name);
    }
    for (const name of ["chat.delta", "chat.final"]) await ofTools?.event(name);

    await send(client, credential, "use sign_in");
    await ofCredential?.event("credential.required");
    await send(client, credential, "a horse of another colour");
    await ofCredential?.event("credential.completed");

    await send(client, broken, "break down");
    await ofBroken?.event("chat.error");
    await Promise.all([client.close(), ...streams.map((sse) => sse.cancel())]);
  });

  it("[TURN-034] contain tool.blocked for a call that a plugin denies", async () => {
    const client = await connected();
    const { runId } = await send(client, newSession(), "use forbidden");
    expect((await client.event("tool.blocked")).payload).toMatchObject({
      ...{ runId, toolName: "forbidden", decider: "plugin:guard" },
    });
    expect((await client.event("chat.final")).payload).toMatchObject({ status: "replied" });
    await client.close();
  });

  it("[TURN-024] contain neither the text that the gate blocked nor the reason, over WebSocket, as server-sent events and after a resume", async () => {
    const sessionKey = newSession();
    const client = await connected({ subscribe: ["*"] });
    const { snapshot } = await (async () => {
      const other = new WireClient(gateway.url ?? "");
      const result = await other.connect(token);
      await other.close();
      return result;
    })();
    const sse = await stream("");
    await send(client, sessionKey, SECRET);
    const final = await client.event("chat.final");
    expect(final.payload).toMatchObject({ status: "withheld", text: "No." });
    await sse.event("chat.final");
    const resumed = await connected({
      subscribe: [sessionKey],
      resume: { cursor: snapshot.cursor },
    });
    await resumed.event("chat.final");
    const history = await client.call("chat.history", { sessionKey });
    for (const sink of [client.frames, resumed.frames, sse.text, history]) {
      expect(JSON.stringify(sink)).not.toContain(SECRET);
      expect(JSON.stringify(sink)).not.toContain(REASON);
    }
    await Promise.all([client.close(), resumed.close(), sse.cancel()]);
  });

  it("[GW-034] [CHAN-036] resume after Last-Event-ID, filter by type, and reject an unknown type", async () => {
    const sessionKey = newSession();
    const client = await connected({ subscribe: [sessionKey] });
    await send(client, sessionKey, "first");
    const { cursor = "" } = await client.event("chat.started");
    await client.event("chat.final");
    const sse = await stream(`?session=${sessionKey}&types=chat.final,chat.started`, {
      "last-event-id": cursor,
    });
    await sse.event("chat.final");
    expect(sse.events.map(({ event }) => event)).toEqual(["chat.final"]);
    const restarted = await stream("", { "last-event-id": "0123456789ab-1" });
    expect((await restarted.event("resync")).payload).toEqual({ reason: "restarted" });
    const unknown = await stream("?types=chat.ended");
    expect(unknown.response.status).toBe(400);
    await unknown.end();
    expect(unknown.text).toContain("chat.ended");
    const anonymous = await fetch(`${gateway.url}/api/v1/events`);
    expect(anonymous.status).toBe(401);
    await Promise.all([client.close(), sse.cancel(), restarted.cancel()]);
  });
});

describe("client of a WebSocket", () => {
  it("[CHAN-037] sends messages, and approves a call once, denies it, or approves it always", async () => {
    const client = await connected({ approver: true });
    for (const [decision, state] of [
      ["allow-once", "allowed-once"],
      ["deny", "denied"],
      ["allow-always", "allowed-always"],
    ] as const) {
      const { runId } = await send(client, newSession(), "use change");
      const ofTurn = ({ payload }: { payload: Record<string, unknown> }) => payload.runId === runId;
      const { payload } = await client.event("approval.requested", ofTurn);
      const { id, digest } = payload;
      const idempotencyKey = randomUUID();
      await client.call("approvals.resolve", { id, decision, digest, idempotencyKey });
      const resolved = await client.event("approval.resolved", (event) => event.payload.id === id);
      expect(resolved.payload).toMatchObject({ state });
      await client.event("chat.final", ofTurn);
    }
    await client.close();
  });

  it("[CHAN-037] hands over a credential, or cancels its request, and no event has its text", async () => {
    const client = await connected();
    const ends = [
      ["correct horse battery staple", true],
      ["auth-cancel", false],
    ] as const;
    for (const [text, success] of ends) {
      const sessionKey = newSession();
      await send(client, sessionKey, "use sign_in");
      await client.event("credential.required", ({ payload }) => payload.sessionKey === sessionKey);
      await send(client, sessionKey, text);
      const end = await client.event(
        "credential.completed",
        ({ payload }) => payload.sessionKey === sessionKey,
      );
      expect(end.payload).toMatchObject({ name: "API_KEY", success });
    }
    expect(JSON.stringify(client.frames)).not.toContain("correct horse");
    await client.close();
  });

  it("[CHAN-037] [GW-019] gets an error frame for malformed JSON and is closed with 1002, and with 1009 above the limit of a frame", async () => {
    const [malformed, large] = [await connected(), await connected()];
    malformed.sendText("{");
    expect(await malformed.closed()).toMatchObject({ code: 1002 });
    expect(malformed.frames.at(-1)).toMatchObject({
      type: "error",
      error: { reason: "INVALID_FRAME" },
    });
    large.sendText("x".repeat(1_048_577));
    expect(await large.closed()).toMatchObject({ code: 1009 });
  });
});

describe("turn of a message from a WebSocket", () => {
  it("[GW-024] continues when its client disconnects, and chat.history has the reply", async () => {
    const [sessionKey, marker] = [newSession(), randomUUID()];
    const client = await connected();
    const { runId } = await send(client, sessionKey, `wait at ${marker}`);
    await gateOf(marker).begun.passed;
    await client.close();
    const other = await connected({ subscribe: [sessionKey] });
    expect(await other.call("chat.history", { sessionKey })).toMatchObject({
      runs: [{ runId, state: "running" }],
    });
    gateOf(marker).open.pass();
    expect((await other.event("chat.final")).payload).toMatchObject({ runId, text: "late reply" });
    const { messages, runs } = await other.call("chat.history", { sessionKey });
    expect(runs).toMatchObject([{ runId, state: "completed" }]);
    expect(messages.at(-1)).toMatchObject({ runId, content: [{ text: "late reply" }] });
    await other.close();
  });

  it("[GW-024] is interrupted with its run ID alone, also while it waits for its session", async () => {
    const [sessionKey, marker] = [newSession(), randomUUID()];
    const client = await connected();
    const running = await send(client, sessionKey, `wait at ${marker}`);
    await gateOf(marker).begun.passed;
    const waiting = await send(client, sessionKey, "and then");
    const abort = (target: object) =>
      client.call("chat.abort", { ...target, idempotencyKey: randomUUID() });
    const { runs } = await client.call("chat.history", { sessionKey });
    const queued = runs.find(({ runId }: { runId: string }) => runId !== running.runId);
    expect(queued).toMatchObject({ state: "queued", messageId: waiting.messageId });
    expect(await abort({ runId: "unknown" })).toEqual({ aborted: false });
    expect(await abort({ runId: running.runId, sessionKey: newSession() })).toEqual({
      aborted: false,
    });
    expect(await abort({ runId: queued.runId })).toEqual({ aborted: true });
    expect(await abort({ runId: running.runId })).toEqual({ aborted: true });
    gateOf(marker).open.pass();
    for (const { runId } of [running, queued]) {
      const final = await client.event("chat.final", ({ payload }) => payload.runId === runId);
      expect(final.payload.status).toBe("interrupted");
    }
    expect(await client.request("chat.abort", { idempotencyKey: randomUUID() })).toMatchObject({
      error: { code: "INVALID_REQUEST" },
    });
    await client.close();
  });

  it.each(["cron:daily", "hook:mail", "agent:main:subagent:1", "agent:nobody:main"])(
    "[GW-024] is rejected in the session %s",
    async (sessionKey) => {
      const client = await connected();
      const idempotencyKey = randomUUID();
      expect(
        await client.request("chat.send", { sessionKey, text: "hi", idempotencyKey }),
      ).toMatchObject({
        ok: false,
        error: { code: "INVALID_REQUEST", reason: "SESSION_KEY_REFUSED" },
      });
      await client.close();
    },
  );

  it("[GW-024] has pages of at most 200 messages before a position", async () => {
    const sessionKey = newSession();
    const client = await connected();
    for (const text of ["one", "two"]) {
      const { runId } = await send(client, sessionKey, text);
      await client.event("chat.final", ({ payload }) => payload.runId === runId);
    }
    const newest = await client.call("chat.history", { sessionKey, limit: 3 });
    expect(newest.messages.map(({ seq }: { seq: number }) => seq)).toEqual([2, 3, 4]);
    expect(newest.hasMore).toBe(true);
    const older = await client.call("chat.history", { sessionKey, before: 2, limit: 3 });
    expect(older).toMatchObject({
      hasMore: false,
      messages: [{ seq: 1, content: [{ text: "one" }] }],
    });
    expect(await client.request("chat.history", { sessionKey, limit: 201 })).toMatchObject({
      error: { code: "INVALID_REQUEST" },
    });
    expect(await client.call("chat.history", { sessionKey: newSession() })).toMatchObject({
      messages: [],
      runs: [],
    });
    await client.close();
  });
});

describe("approver at a WebSocket", () => {
  it("[APPR-031] is waited for, sees each request once, those before it at once, and their decisions", async () => {
    const sessionKey = newSession();
    const first = await connected({ approver: true, subscribe: [sessionKey] });
    const { runId } = await send(first, sessionKey, "use launch");
    const requested = await first.event("approval.requested");
    expect(requested.payload).toMatchObject({
      sessionKey,
      runId,
      tool: "launch",
      state: "pending",
    });
    await first.event("chat.paused");
    const second = await connected({ approver: true });
    expect((await second.event("approval.requested")).payload.id).toBe(requested.payload.id);
    const { id, digest } = requested.payload;
    await second.call("approvals.resolve", {
      ...{ id, decision: "allow-once", digest, idempotencyKey: randomUUID() },
    });
    expect((await first.event("approval.resolved")).payload).toMatchObject({
      id,
      state: "allowed-once",
    });
    expect((await first.event("chat.final")).payload).toMatchObject({
      runId,
      text: "all of it is done",
    });
    for (const client of [first, second]) {
      expect(client.events.filter(({ event }) => event === "approval.requested")).toHaveLength(1);
      await client.close();
    }
  });
});
