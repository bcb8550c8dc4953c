import { describe, expect, it } from "vitest";
import type { ChatEvent, ChatMessage } from "../../src/index.js";
import { connectTestClient } from "../support/connected-client.js";
import {
  type FakeSocketGateway,
  NO_ANSWER,
  type ReceivedCall,
  Rejection,
  startFakeSocketGateway,
} from "../support/fake-socket-gateway.js";

const SESSION = "agent:main:main";
const TURN = { sessionKey: SESSION, runId: "run-1" };
const SENT = { messageId: "msg-1", runId: "run-1", sessionKey: SESSION };
const FINAL = {
  ...TURN,
  messageId: "msg-1",
  status: "replied",
  text: "It is noon.",
  stopReason: "stop",
};
const EMPTY = { sessionKey: SESSION, messages: [], runs: [], hasMore: false };

/** Answers the calls of a chat; `chat.send` and `chat.history` as a test says. */
function answers(of: Partial<Record<string, (call: ReceivedCall) => unknown>> = {}) {
  return (call: ReceivedCall): unknown => {
    const own = of[call.method];
    if (own !== undefined) return own(call);
    if (call.method === "sessions.subscribe") call.connection.sessions.add(SESSION);
    if (call.method === "chat.send") return SENT;
    if (call.method === "chat.history") return EMPTY;
    if (call.method === "chat.abort") return { aborted: true };
    return { sessionKey: SESSION };
  };
}

/** Sends a message and collects the events of its answer. */
function chat(gateway: FakeSocketGateway, message: Partial<ChatMessage> = {}) {
  const client = connectTestClient(gateway.url);
  const exchange = client.connection.chat({
    sessionKey: "main",
    text: "what time is it",
    ...message,
  });
  const events: ChatEvent[] = [];
  const ended = (async () => {
    for await (const event of exchange) {
      events.push(event);
      gateway.changed();
    }
    return events;
  })();
  // A test that expects a failure awaits it itself.
  ended.catch(() => undefined);
  const has = (type: ChatEvent["type"]) =>
    gateway.until(() => events.some((event) => event.type === type));
  return { ...client, exchange, events, ended, has };
}

const callsOf = ({ calls }: FakeSocketGateway, method: string) =>
  calls.filter((call) => call.method === method).map(({ params }) => params);

describe("chat", () => {
  it("sends the message with a key, and yields the events of its answer only", async () => {
    const gateway = await startFakeSocketGateway();
    gateway.answer = answers({
      // The first events may come before the response.
      "chat.send": () => {
        gateway.publish("chat.started", { ...TURN, messageId: "msg-1", model: "demo/echo" });
        return SENT;
      },
    });
    const { ended, has } = chat(gateway, { model: "demo/echo" });
    await has("started");
    const other = { sessionKey: SESSION, runId: "run-2" };
    gateway.publish("chat.started", { ...other, messageId: "msg-2", model: "demo/echo" });
    gateway.publish("chat.delta", { ...other, delta: "not mine" });
    gateway.publish("chat.delta", { ...TURN, delta: "It is " });
    const call = { ...TURN, toolCallId: "t1", toolName: "clock" };
    gateway.publish("tool.started", { ...call, params: {} });
    gateway.publish("tool.update", { ...TURN, toolCallId: "t1", text: "12" });
    gateway.publish("tool.blocked", { ...call, decider: "plugin:guard" });
    gateway.publish("tool.result", { ...call, outcome: "ok", preview: "12:00", durationMs: 3 });
    gateway.publish("chat.paused", { ...TURN, approvalId: "apr_1" });
    gateway.publish("chat.final", { ...FINAL, messageId: "msg-0", text: "of another message" });
    gateway.publish("chat.final", FINAL);
    expect((await ended).map(({ type }) => type)).toEqual([
      "sent",
      "started",
      "text",
      "tool-started",
      "tool-update",
      "tool-blocked",
      "tool-result",
      "paused",
      "final",
    ]);
    expect((await ended).at(-1)).toMatchObject({ status: "replied", text: "It is noon." });
    expect(callsOf(gateway, "chat.send")).toEqual([
      {
        sessionKey: "main",
        text: "what time is it",
        model: "demo/echo",
        idempotencyKey: expect.any(String),
      },
    ]);
    await gateway.until(() => callsOf(gateway, "sessions.unsubscribe").length === 1);
  });

  it("ends with the error of the turn, and with an answer that needed no turn", async () => {
    const gateway = await startFakeSocketGateway();
    gateway.answer = answers();
    const failed = chat(gateway);
    await failed.has("sent");
    const error = {
      code: "UNAVAILABLE",
      reason: "MODEL_DOWN",
      kind: "unavailable",
      message: "down",
      retryable: true,
    };
    gateway.publish("chat.error", { ...TURN, messageId: "msg-1", error });
    expect((await failed.ended).at(-1)).toMatchObject({
      type: "error",
      error: { reason: "MODEL_DOWN" },
    });

    gateway.answer = answers({ "chat.send": () => ({ messageId: "msg-9", sessionKey: SESSION }) });
    const command = chat(gateway, { text: "/status" });
    await command.has("sent");
    gateway.publish("chat.final", {
      sessionKey: SESSION,
      messageId: "msg-9",
      status: "answered",
      text: "fine",
    });
    expect((await command.ended).at(-1)).toMatchObject({ status: "answered", text: "fine" });
  });

  it("throws when the message is not accepted, and when the connection is closed", async () => {
    const gateway = await startFakeSocketGateway();
    gateway.answer = answers({
      "chat.send": () => {
        throw new Rejection({ reason: "MESSAGE_REFUSED", kind: "invalid" });
      },
    });
    await expect(chat(gateway).ended).rejects.toMatchObject({ code: "MESSAGE_REFUSED" });
    gateway.answer = answers();
    const open = chat(gateway);
    await open.has("sent");
    open.connection.close();
    await expect(open.ended).rejects.toMatchObject({ code: "GATEWAY_CONNECTION_CLOSED" });
    await expect(async () => {
      for await (const _ of open.exchange) break;
    }).rejects.toThrow(TypeError);
  });

  it("[SDK-039] continues after a lost connection, with the same message and no event twice", async () => {
    const gateway = await startFakeSocketGateway();
    gateway.answer = answers({ "chat.send": () => NO_ANSWER });
    const { ended, has, events } = chat(gateway);
    await gateway.until(() => callsOf(gateway, "chat.send").length === 1);
    gateway.answer = answers();
    gateway.connection.breakFrame();
    await has("sent");
    const [first, second] = callsOf(gateway, "chat.send");
    expect(second).toEqual(first);
    expect(gateway.connects.at(-1)?.subscribe).toEqual(["main"]);
    gateway.connection.sessions.add(SESSION);

    gateway.publish("chat.delta", { ...TURN, delta: "It is " });
    await has("text");
    const { socket } = gateway.connection;
    socket.terminate();
    await gateway.until(() => gateway.connections.length === 0);
    gateway.publish("chat.delta", { ...TURN, delta: "noon" });
    // The session of the fake gateway is the short key; the gateway itself subscribes the full one.
    gateway.admit = (_, connection) => void connection.sessions.add(SESSION);
    gateway.publish("chat.final", FINAL);
    await ended;
    expect(events.map(({ type }) => type)).toEqual(["sent", "text", "text-lost", "final"]);
  });

  it("reads the answer from the history after a restart of the gateway", async () => {
    const message = (seq: number, runId: string, text: string) => ({
      id: `e${seq}`,
      seq,
      at: 0,
      role: "assistant",
      content: [{ type: "text", text }],
      runId,
    });
    const pages = [
      { ...EMPTY, messages: [message(9, "run-5", "later")], runs: [], hasMore: true },
      {
        ...EMPTY,
        messages: [message(3, "run-1", "Let me look."), message(4, "run-1", "It is noon.")],
        runs: [{ runId: "run-1", messageId: "msg-1", state: "completed" }],
      },
    ];
    const gateway = await startFakeSocketGateway();
    gateway.answer = answers({ "chat.history": () => pages.shift() });
    const { ended, has } = chat(gateway);
    await has("sent");
    gateway.restart();
    expect((await ended).at(-1)).toEqual({
      type: "final",
      runId: "run-1",
      status: "replied",
      text: "It is noon.",
    });
    expect(callsOf(gateway, "chat.history")).toEqual([
      { sessionKey: SESSION, limit: 200 },
      { sessionKey: SESSION, limit: 200, before: 9 },
    ]);
  });

  it.each([
    ["interrupted", {}, { type: "final", status: "interrupted" }],
    ["blocked", {}, { type: "final", status: "withheld" }],
    [
      "failed",
      { error: { code: "MODEL_DOWN", message: "down" } },
      { type: "error", error: { reason: "MODEL_DOWN", message: "down" } },
    ],
    ["failed", {}, { type: "error", error: { reason: "RUN_FAILED" } }],
  ])("reads from the history that the turn is %s", async (state, more, expected) => {
    const gateway = await startFakeSocketGateway();
    const run = { runId: "run-1", messageId: "msg-1", state, ...more };
    gateway.answer = answers({ "chat.history": () => ({ ...EMPTY, runs: [run] }) });
    const { ended, has } = chat(gateway);
    await has("sent");
    gateway.restart();
    expect((await ended).at(-1)).toMatchObject(expected);
  });

  it("waits for the events of a turn that resumes after the restart", async () => {
    const gateway = await startFakeSocketGateway();
    const run = { runId: "run-1", messageId: "msg-1", state: "running" };
    gateway.answer = answers({
      "chat.send": () => ({ messageId: "msg-1", sessionKey: SESSION }),
      "chat.history": () => ({ ...EMPTY, runs: [run] }),
    });
    gateway.admit = (_, connection) => void connection.sessions.add(SESSION);
    const { ended, has, events } = chat(gateway);
    await has("sent");
    gateway.restart();
    await gateway.until(() => callsOf(gateway, "chat.history").length === 1);
    gateway.publish("chat.delta", { ...TURN, delta: "It is noon." });
    gateway.publish("chat.final", FINAL);
    await ended;
    expect(events.map(({ type }) => type)).toEqual(["sent", "text-lost", "found", "text", "final"]);
  });

  it("looks a message without a turn up again, and reports that its answer is unknown", async () => {
    const gateway = await startFakeSocketGateway();
    gateway.answer = answers({ "chat.send": () => ({ messageId: "msg-1", sessionKey: SESSION }) });
    const { ended, has, clock } = chat(gateway);
    await has("sent");
    gateway.restart();
    for (const [count, delay] of [1000, 4000, 10_000].entries()) {
      await gateway.until(() => callsOf(gateway, "chat.history").length === count + 1);
      await new Promise((resolve) => setImmediate(resolve));
      await clock.advanceAndSettle(delay);
    }
    expect((await ended).at(-1)).toMatchObject({
      type: "error",
      error: { reason: "ANSWER_UNKNOWN" },
    });
  });

  it("is interrupted by its turn, also before the message is sent", async () => {
    const gateway = await startFakeSocketGateway();
    gateway.answer = answers();
    const { ended, has, exchange } = chat(gateway);
    await has("sent");
    await exchange.abort();
    expect(callsOf(gateway, "chat.abort")).toEqual([
      { runId: "run-1", idempotencyKey: expect.any(String) },
    ]);
    gateway.publish("chat.final", { ...FINAL, status: "interrupted", text: "" });
    expect((await ended).at(-1)).toMatchObject({ status: "interrupted" });

    const early = chat(gateway);
    await early.exchange.abort();
    expect(await early.ended).toEqual([{ type: "final", status: "interrupted", text: "" }]);
    expect(callsOf(gateway, "chat.send")).toHaveLength(1);
  });

  it("yields the approval requests of its session, and tells of previews that were left out", async () => {
    const gateway = await startFakeSocketGateway();
    gateway.answer = answers();
    const { ended, has, events } = chat(gateway);
    await has("sent");
    const approval = { id: "apr_1", state: "pending", sessionKey: SESSION };
    gateway.publish("approval.requested", approval);
    gateway.publish("approval.requested", { ...approval, sessionKey: "agent:other:main" });
    gateway.publish("approval.resolved", { ...approval, state: "denied" });
    gateway.connection.sendEvent("chat.delta", { ...TURN, delta: "noon" }, { dropped: 3 });
    gateway.publish("chat.final", FINAL);
    await ended;
    expect(events.slice(1)).toMatchObject([
      { type: "approval", approval: { state: "pending" } },
      { type: "approval", approval: { state: "denied" } },
      { type: "text-lost" },
      { type: "text", delta: "noon" },
      { type: "final" },
    ]);
  });
});
