import { systemClock } from "@openclaw/foundation";
import type { ReplySurface } from "@openclaw/messaging";
import { ReplyDelivery } from "@openclaw/messaging";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { ReplyPayload } from "@openclaw/plugin-sdk/hooks";
import type { OutboxRow } from "@openclaw/store";
import { describe, expect, it, vi } from "vitest";
import { createTestHost, message, SESSION, type TestHost } from "../../support/host.js";

const CONTEXT = { callDepth: 0 };

/** Assembled here, so that this file holds no secret for a scan to find. */
const SECRET = `AKIA${"IOSFODNN7EXAMPLE"}`;

const INBOUND = { channel: "terminal", senderId: "operator", body: "hello" };

type Send = (payload: ReplyPayload) => ReturnType<ReplySurface["send"]>;

function deliver(reply: OutboxRow, show: Send, host: TestHost, textLimit?: number) {
  const send: Send = (payload) => show(payload);
  const surface = textLimit === undefined ? { send } : { send, textLimit };
  return new ReplyDelivery({
    spoken: { speakerOf: () => undefined },
    events: { undelivered: () => undefined },
    ...host,
    safety: () => host.services.safety,
    timers: systemClock,
    signal: new AbortController().signal,
  }).deliver({
    reply,
    context: CONTEXT,
    inbound: INBOUND,
    caller: { surface },
  });
}

async function pendingReply(register?: (api: OpenClawPluginApi) => void) {
  const told: { hook: string; event: object }[] = [];
  const host = await createTestHost({
    register(api) {
      for (const hook of ["message_sent", "response_error"] as const) {
        api.on(hook, (event) => void told.push({ hook, event }));
      }
      register?.(api);
    },
  });
  const { row } = await host.store.messages.outbox.add({
    runId: "run",
    part: 0,
    sessionKey: SESSION,
    target: { channel: "terminal", to: "operator" },
    content: "Good day.",
  });
  const send = vi.fn(async () => ({ messageId: "77" }));
  return { host, row, send, told, stored: () => host.store.messages.outbox.get(row.id) };
}

describe("ReplyDelivery", () => {
  it("sends the text, records it, and reports once that it was sent", async () => {
    const { host, row, send, told, stored } = await pendingReply();
    expect(await deliver(row, send, host)).toEqual({
      status: "delivered",
      text: "Good day.",
    });
    expect(send.mock.calls).toEqual([[{ text: "Good day." }]]);
    expect(await stored()).toMatchObject({ state: "delivered", messageId: "77" });
    expect(told).toMatchObject([
      {
        hook: "message_sent",
        event: {
          to: "operator",
          channel: "terminal",
          content: "Good day.",
          success: true,
          messageId: "77",
          attempts: 1,
        },
      },
    ]);
  });

  it("[TURN-047] sends the text that message_sending returns, after one handler after another", async () => {
    const { host, row, send, told, stored } = await pendingReply((api) => {
      api.on("message_sending", ({ content }) => ({ content: `${content} One.` }), { priority: 1 });
      api.on("message_sending", ({ content }) => ({ content: `${content} Two.` }));
    });
    const delivery = await deliver(row, send, host);
    expect(delivery).toEqual({ status: "delivered", text: "Good day. One. Two." });
    expect(send.mock.calls).toEqual([[{ text: "Good day. One. Two." }]]);
    expect(told).toMatchObject([{ event: { content: "Good day. One. Two." } }]);
    expect(await stored()).toMatchObject({ content: "Good day." });
  });

  it("[CHAN-580] divides a text that message_sending makes longer than a message can be", async () => {
    const { host, row, send, stored } = await pendingReply((api) => {
      api.on("message_sending", ({ content }) => ({ content: `${content} Nice to see you.` }));
    });
    const text = "Good day. Nice to see you.";
    expect(await deliver(row, send, host, 16)).toEqual({ status: "delivered", text });
    expect(send.mock.calls).toEqual([[{ text: "Good day. Nice" }], [{ text: "to see you." }]]);
    expect(await stored()).toMatchObject({ state: "delivered", messageId: "77" });
  });

  it.each(["", " \n"])(
    "[CHAN-580] sends nothing when message_sending leaves %j",
    async (content) => {
      const { host, row, send, stored } = await pendingReply((api) => {
        api.on("message_sending", () => ({ content }));
      });
      const reason = "emptied_by_message_sending_hook";
      expect(await deliver(row, send, host)).toEqual({ status: "suppressed", reason });
      expect(send).not.toHaveBeenCalled();
      expect(await stored()).toMatchObject({ state: "suppressed" });
    },
  );

  it("[SAFE-057] redacts a secret that message_sending adds", async () => {
    const { host, row, send, told } = await pendingReply((api) => {
      api.on("message_sending", ({ content }) => ({ content: `${content} ${SECRET}` }));
    });
    const text = "Good day. [REDACTED]";
    expect(await deliver(row, send, host)).toEqual({ status: "delivered", text });
    expect(send.mock.calls).toEqual([[{ text }]]);
    expect(told).toMatchObject([{ event: { content: text } }]);
  });

  it("[SAFE-057] redacts a secret that before_dispatch adds, also at the end of a chunk", async () => {
    const { host, row, send } = await pendingReply((api) => {
      api.on("before_dispatch", () => ({ handled: true, text: `key ${SECRET}` }));
    });
    await deliver(row, send, host, 16);
    expect(send.mock.calls).toEqual([[{ text: "key [REDACTED]" }]]);
  });

  it("[SAFE-057] redacts a secret in the messages of reply_dispatch", async () => {
    const { host, row, send } = await pendingReply((api) => {
      api.on("reply_dispatch", async (_, { dispatcher }) => {
        await dispatcher?.sendFinal({ text: `key ${SECRET}` });
        return { handled: true };
      });
    });
    await deliver(row, send, host);
    expect(send.mock.calls).toEqual([[{ text: "key [REDACTED]" }]]);
  });

  it("[SAFE-057] redacts a secret in the reply of a plugin that claims a message", async () => {
    const host = await createTestHost({
      register: (api) =>
        api.on("inbound_claim", () => ({ handled: true, reply: { text: `key ${SECRET}` } })),
    });
    const send = vi.fn(async () => ({}));
    const outcome = await host.flow.receive(message("hello"), { surface: { send } });
    expect(outcome).toMatchObject({ status: "answered", text: "key [REDACTED]" });
    expect(send).toHaveBeenCalledWith({ text: "key [REDACTED]" }, expect.anything());
  });

  it.each([
    [{ cancel: true, cancelReason: "quiet hours" }, { cancelReason: "quiet hours" }],
    [{ cancel: true, metadata: { until: 7 } }, { metadata: { until: 7 } }],
    [{ cancel: true }, {}],
  ])("[TURN-047] sends nothing when message_sending returns %j", async (answer, cancellation) => {
    const reason = "cancelled_by_message_sending_hook";
    const { host, row, send, told, stored } = await pendingReply((api) => {
      api.on("message_sending", () => answer);
    });
    expect(await deliver(row, send, host)).toEqual({ status: "suppressed", reason });
    expect(send).not.toHaveBeenCalled();
    expect(told).toEqual([]);
    expect(await stored()).toMatchObject({ state: "suppressed", reason, cancellation });
  });

  it("sends when a fail-open message_sending throws, and does not when a fail-closed one does", async () => {
    const fail = () => {
      throw new Error("broken");
    };
    const open = await pendingReply((api) => api.on("message_sending", fail));
    expect(await deliver(open.row, open.send, open.host)).toMatchObject({
      status: "delivered",
    });
    const closed = await pendingReply((api) =>
      api.on("message_sending", fail, { mode: "fail-closed" }),
    );
    expect(await deliver(closed.row, closed.send, closed.host)).toMatchObject({
      status: "suppressed",
      reason: "cancelled_by_message_sending_hook",
    });
    expect(await closed.stored()).toMatchObject({
      cancellation: { cancelReason: expect.stringContaining('plugin "guard"') },
    });
    expect(closed.send).not.toHaveBeenCalled();
  });

  it("reports a failed surface: first the error, then the outcome", async () => {
    const { host, row, told, stored } = await pendingReply();
    const send = () => Promise.reject(new Error("no route"));
    expect(await deliver(row, send, host)).toEqual({
      status: "failed",
      code: "SEND_FAILED",
      error: "no route",
    });
    const error = { code: "SEND_FAILED", message: "no route" };
    expect(told).toMatchObject([
      { hook: "response_error", event: { error, attempts: 1, content: "Good day." } },
      { hook: "message_sent", event: { success: false, error: "no route" } },
    ]);
    expect(await stored()).toMatchObject({ state: "failed", error, attempts: 1 });
    expect(host.lines).toContain("warn: a reply could not be delivered to terminal: no route");
  });

  it("keeps its outcome when a fail-closed observer fails", async () => {
    const { host, row, told } = await pendingReply((api) => {
      for (const hook of ["message_sent", "response_error"] as const) {
        api.on(hook, () => Promise.reject(new Error("broken")), { mode: "fail-closed" });
      }
    });
    const delivery = await deliver(row, () => Promise.reject("no route"), host);
    expect(delivery).toEqual({ status: "failed", code: "SEND_FAILED", error: "no route" });
    expect(told).toHaveLength(2);
    await vi.waitFor(() =>
      expect(host.lines.filter((line) => line.startsWith("error:")).length).toBeGreaterThan(1),
    );
  });

  it("reports a reply as sent even when that could not be stored", async () => {
    const { host, row, send, told } = await pendingReply();
    vi.spyOn(host.store.messages.outbox, "delivered").mockRejectedValue(
      new Error("the disk is full"),
    );
    expect(await deliver(row, send, host)).toMatchObject({ status: "delivered" });
    expect(told).toMatchObject([{ hook: "message_sent", event: { success: true } }]);
    expect(host.lines).toContain(
      "error: the outcome of a delivery could not be stored: the disk is full",
    );
  });
});

describe("hooks of a reply", () => {
  it("[TURN-047] run in order: reply_dispatch, before_dispatch, message_sending per chunk", async () => {
    const seen: [name: string, event: object, context: object][] = [];
    const host = await createTestHost({
      script: [{ text: "one two three" }],
      register(api) {
        for (const name of ["reply_dispatch", "before_dispatch", "message_sending"] as const) {
          api.on(name, (event: object, context: object) => {
            seen.push([name, event, context]);
          });
        }
      },
    });
    const sent: unknown[] = [];
    const surface = {
      textLimit: 8,
      send: async (payload: object) => {
        sent.push(payload);
        return { messageId: `sent-${sent.length}` };
      },
    };
    const outcome = await host.flow.receive(message("hello", { threadId: "t-1" }), { surface });
    expect(outcome).toMatchObject({ status: "replied", text: "one two\nthree" });
    expect(sent).toEqual([{ text: "one two" }, { text: "three" }]);

    const runId = "runId" in outcome ? outcome.runId : "";
    expect(seen.map(([name]) => name)).toEqual([
      "reply_dispatch",
      "before_dispatch",
      "message_sending",
      "message_sending",
    ]);
    expect(seen.map(([, event]) => event)).toMatchObject([
      {
        ctx: { channel: "terminal", from: "operator", body: "hello", threadId: "t-1" },
        payloads: [{ text: "one two three" }],
        sendPolicy: "allow",
        originatingChannel: "terminal",
        originatingTo: "terminal",
        inboundAudio: false,
      },
      { content: "one two three", kind: "final", body: "hello", to: "terminal", threadId: "t-1" },
      { to: "terminal", channel: "terminal", content: "one two", threadId: "t-1" },
      { content: "three" },
    ]);
    for (const [, , context] of seen.slice(2)) {
      expect(context).toMatchObject({
        sessionKey: SESSION,
        runId,
        messageId: outcome.messageId,
        senderId: "operator",
        trace: { traceId: expect.stringMatching(/^[0-9a-f]{32}$/) },
        traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
        spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
        parentSpanId: expect.stringMatching(/^[0-9a-f]{16}$/),
        callDepth: 0,
      });
    }
  });

  it("[TURN-047] run for a row with run and chunk number that was stored with the turn's end", async () => {
    const host = await createTestHost({ script: [{ text: "one two three" }] });
    const add = vi.spyOn(host.store, "transaction");
    const pending: unknown[] = [];
    const surface = {
      textLimit: 8,
      send: async () => {
        const rows = await host.store.messages.outbox.undelivered();
        pending.push(rows.map(({ runId, part, content }) => ({ runId, part, content })));
        return {};
      },
    };
    const outcome = await host.flow.receive(message("hello"), { surface });
    expect(add).toHaveBeenCalled();
    const runId = "runId" in outcome ? outcome.runId : "";
    expect(pending).toEqual([
      [
        { runId, part: 0, content: "one two" },
        { runId, part: 1, content: "three" },
      ],
      [{ runId, part: 1, content: "three" }],
    ]);
    const again = { runId: runId ?? "", part: 0, sessionKey: SESSION, content: "other" };
    const target = { channel: "terminal", to: "terminal" };
    const repeated = await host.store.messages.outbox.add({ ...again, target });
    expect(repeated).toMatchObject({ duplicate: true, row: { content: "one two" } });
  });

  it("[TURN-047] let a plugin deliver the reply itself, which still passes message_sending", async () => {
    const beforeDispatch = vi.fn();
    let counts: unknown;
    const { host, row, send, stored } = await pendingReply((api) => {
      api.on("reply_dispatch", async ({ payloads }, { dispatcher }) => {
        await dispatcher?.sendTool({ text: "look:" });
        await dispatcher?.sendFinal({ text: payloads[0]?.text?.toUpperCase() ?? "" });
        counts = dispatcher?.counts;
        return { handled: true };
      });
      api.on("before_dispatch", beforeDispatch);
      api.on("message_sending", ({ content }) => ({ content: `${content}!` }));
    });
    expect(await deliver(row, send, host)).toEqual({
      status: "delivered",
      text: "look:!\nGOOD DAY.!",
    });
    expect(counts).toEqual({ final: 1, block: 0, tool: 1 });
    expect(beforeDispatch).not.toHaveBeenCalled();
    expect(send.mock.calls).toEqual([[{ text: "look:!" }], [{ text: "GOOD DAY.!" }]]);
    expect(await stored()).toMatchObject({
      state: "suppressed",
      reason: "delivered_by_reply_dispatch_hook",
    });
    expect(await host.store.messages.outbox.undelivered()).toEqual([]);
  });

  it("deliver nothing when a fail-closed reply_dispatch failed", async () => {
    const { host, row, send, stored } = await pendingReply((api) => {
      api.on("reply_dispatch", () => Promise.reject(new Error("broken")), { mode: "fail-closed" });
    });
    expect(await deliver(row, send, host)).toMatchObject({ status: "suppressed" });
    expect(send).not.toHaveBeenCalled();
    expect(await stored()).toMatchObject({ state: "suppressed", reason: "reply_dispatch_failed" });
  });

  it.each([
    [{ content: "Good night." }, "Good night."],
    [{ payload: { text: "Good night." } }, "Good night."],
    [{ handled: true, text: "Ask my plugin." }, "Ask my plugin."],
  ])(
    "[TURN-047] can rewrite or replace the reply: before_dispatch returns %j",
    async (answer, text) => {
      const { host, row, send } = await pendingReply((api) => {
        api.on("before_dispatch", () => answer);
      });
      expect(await deliver(row, send, host)).toEqual({ status: "delivered", text });
      expect(send.mock.calls).toEqual([[{ text }]]);
    },
  );

  it.each([
    [{ cancel: true, cancelReason: "quiet hours" }, "cancelled_by_before_dispatch_hook"],
    [{ handled: true }, "answered_by_before_dispatch_hook"],
  ])("[TURN-047] can cancel the reply: before_dispatch returns %j", async (answer, reason) => {
    const sending = vi.fn();
    const { host, row, send, stored } = await pendingReply((api) => {
      api.on("before_dispatch", () => answer);
      api.on("message_sending", sending);
    });
    expect(await deliver(row, send, host)).toEqual({ status: "suppressed", reason });
    expect(sending).not.toHaveBeenCalled();
    expect(send).not.toHaveBeenCalled();
    expect(await stored()).toMatchObject({ state: "suppressed", reason });
  });

  it("attach files to the last chunk", async () => {
    const file = { mimeType: "image/png", bytes: 3, name: "a.png" };
    const { host, row, send } = await pendingReply((api) => {
      api.on("before_dispatch", () => ({ payload: { text: "one two", attachments: [file] } }));
    });
    await deliver(row, send, host, 4);
    expect(send.mock.calls).toEqual([[{ text: "one" }], [{ text: "two", attachments: [file] }]]);
  });

  it("do not run for the chunks after a failed one", async () => {
    const { host, row } = await pendingReply();
    const send = vi.fn(() => Promise.reject(new Error("no route")));
    expect(await deliver(row, send, host, 5)).toEqual({
      status: "failed",
      code: "SEND_FAILED",
      error: "no route",
    });
    expect(send).toHaveBeenCalledTimes(1);
    expect(await host.store.messages.outbox.undelivered()).toEqual([]);
  });
});
