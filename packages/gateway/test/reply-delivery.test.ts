import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { OutboxRow } from "@openclaw/store";
import { describe, expect, it, vi } from "vitest";
import type { ReplySurface } from "../src/inbound-message.js";
import { deliverReply } from "../src/reply-delivery.js";
import { createTestHost, SESSION, type TestHost } from "./test-host.js";

const CONTEXT = { callDepth: 0 };

const INBOUND = { channel: "terminal", senderId: "operator", body: "hello" };

function deliver(reply: OutboxRow, send: ReplySurface["send"], host: TestHost, textLimit?: number) {
  const surface = textLimit === undefined ? { send } : { send, textLimit };
  return deliverReply({ reply, context: CONTEXT, inbound: INBOUND, caller: { surface } }, host);
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
  const { row } = await host.store.outbox.add({
    runId: "run",
    part: 0,
    sessionKey: SESSION,
    target: { channel: "terminal", to: "operator" },
    content: "Good day.",
  });
  const send = vi.fn(async () => ({ messageId: "77" }));
  return { host, row, send, told, stored: () => host.store.outbox.get(row.id) };
}

describe("the delivery of a reply", () => {
  it("hands the text over, records it, and tells once that it was sent", async () => {
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

  it("sends what message_sending makes of it, each handler behind the other", async () => {
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

  it.each([
    [{ cancel: true, cancelReason: "quiet hours" }, { cancelReason: "quiet hours" }],
    [{ cancel: true, metadata: { until: 7 } }, { metadata: { until: 7 } }],
    [{ cancel: true }, {}],
  ])("sends nothing when message_sending answers %j", async (answer, cancellation) => {
    const reason = "cancelled_by_message_sending_hook";
    const { host, row, send, told, stored } = await pendingReply((api) => {
      api.on("message_sending", () => answer);
    });
    expect(await deliver(row, send, host)).toEqual({ status: "suppressed", reason });
    expect(send).not.toHaveBeenCalled();
    expect(told).toEqual([]);
    expect(await stored()).toMatchObject({ state: "suppressed", reason, cancellation });
  });

  it("sends when an open message_sending throws, and does not when a closed one does", async () => {
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

  it("tells of a surface that failed: first the error, then the outcome", async () => {
    const { host, row, told, stored } = await pendingReply();
    const send = () => Promise.reject(new Error("no route"));
    expect(await deliver(row, send, host)).toEqual({
      status: "failed",
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

  it("keeps its outcome when an observer of it fails closed", async () => {
    const { host, row, told } = await pendingReply((api) => {
      for (const hook of ["message_sent", "response_error"] as const) {
        api.on(hook, () => Promise.reject(new Error("broken")), { mode: "fail-closed" });
      }
    });
    const delivery = await deliver(row, () => Promise.reject("no route"), host);
    expect(delivery).toEqual({ status: "failed", error: "no route" });
    expect(told).toHaveLength(2);
    await vi.waitFor(() =>
      expect(host.lines.filter((line) => line.startsWith("error:")).length).toBeGreaterThan(1),
    );
  });

  it("was sent, even where that could not be stored", async () => {
    const { host, row, send, told } = await pendingReply();
    vi.spyOn(host.store.outbox, "delivered").mockRejectedValue(new Error("the disk is full"));
    expect(await deliver(row, send, host)).toMatchObject({ status: "delivered" });
    expect(told).toMatchObject([{ hook: "message_sent", event: { success: true } }]);
    expect(host.lines).toContain(
      "error: where a reply ended could not be stored: the disk is full",
    );
  });
});
