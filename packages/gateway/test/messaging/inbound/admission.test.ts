import { describe, expect, it, vi } from "vitest";
import { createTestHost, message } from "../../support/host.js";

/** Returns the reply of a message in the outbox. */
async function replyTo(host: Awaited<ReturnType<typeof createTestHost>>) {
  const added = vi.spyOn(host.store.messages.outbox, "delivered");
  return async () => {
    const [id] = added.mock.calls[0] ?? [];
    return id === undefined ? undefined : host.store.messages.outbox.get(id);
  };
}

describe("message that a plugin rewrites", () => {
  it("[TURN-005] continues with the text that each handler in turn rewrote, and stays unchanged in the inbox", async () => {
    const seen: string[] = [];
    const host = await createTestHost({
      register(api) {
        api.on("message_receiving", ({ content }) => ({ content: `${content} 1` }), {
          priority: 2,
        });
        api.on("message_receiving", ({ content }) => ({ content: `${content} 2` }), {
          priority: 1,
        });
        api.on("message_received", ({ content }) => void seen.push(`received ${content}`));
        api.on("inbound_claim", ({ content }) => void seen.push(`claim ${content}`));
      },
    });
    const { messageId } = await host.flow.receive(message("hello"), {});
    expect(seen).toEqual(["received hello 1 2", "claim hello 1 2"]);
    expect(host.asked()[0]).toContain("hello 1 2");
    expect(await host.store.messages.inbox.get(messageId)).toMatchObject({ content: "hello" });
  });
});

describe("message that a plugin cancels", () => {
  it("[TURN-005] runs no turn and no later hook, and its sender receives the plugin's text", async () => {
    const later: string[] = [];
    const host = await createTestHost({
      register(api) {
        api.on("message_receiving", () => ({
          cancel: true,
          cancelReason: "out of hours",
          reply: "Come back tomorrow.",
        }));
        for (const hook of ["message_received", "inbound_claim", "session_start"] as const) {
          api.on(hook, () => void later.push(hook));
        }
      },
    });
    const stored = await replyTo(host);
    const outcome = await host.flow.receive(message("hello"), {});
    expect(outcome).toEqual({
      status: "withheld",
      messageId: expect.any(String),
      text: "Come back tomorrow.",
      reason: "out of hours",
    });
    expect(later).toEqual([]);
    expect(host.asked()).toEqual([]);
    expect(await host.store.messages.inbox.get(outcome.messageId)).toMatchObject({
      state: "cancelled",
    });
    expect(await stored()).toMatchObject({
      state: "delivered",
      content: "Come back tomorrow.",
      inboxId: outcome.messageId,
      target: { channel: "terminal", to: "terminal" },
    });
  });

  it("gets no reply when the plugin gives no text", async () => {
    const { flow, store } = await createTestHost({
      register: (api) => api.on("message_receiving", () => ({ cancel: true })),
    });
    expect(await flow.receive(message("hello"), {})).toMatchObject({
      status: "withheld",
      text: "",
      reason: "a plugin cancelled the message",
    });
    expect(await store.messages.outbox.undelivered()).toEqual([]);
  });

  it.each([
    [{ cancel: false }],
    [{ block: true }],
    [{ handled: true, cancelReason: "no", reply: "no" }],
  ])("[TURN-005] is not cancelled by %j", async (answer: object) => {
    const { flow } = await createTestHost({
      register: (api) => api.on("message_receiving", () => answer),
    });
    expect(await flow.receive(message("hello"), {})).toMatchObject({ status: "replied" });
  });

  it("is stored together with the plugin's text, or not at all", async () => {
    const posts: object[] = [];
    const host = await createTestHost({
      register(api) {
        api.on("message_receiving", () => ({ cancel: true, reply: "no" }));
        api.on("request_post", (event) => void posts.push(event));
      },
    });
    const { transaction } = host.store;
    vi.spyOn(host.store, "transaction").mockImplementationOnce(
      (work) =>
        transaction.call(host.store, (unit) => {
          vi.spyOn(unit.messages.outbox, "add").mockRejectedValue(new Error("the disk is full"));
          return work(unit);
        }) as Promise<never>,
    );
    const outcome = await host.flow.receive(message("hello"), {});
    expect(outcome).toMatchObject({ status: "failed", error: { message: "the disk is full" } });
    expect(await host.store.messages.inbox.get(outcome.messageId)).toMatchObject({
      state: "failed",
    });
    expect(posts).toMatchObject([{ outcome: "failed" }]);
  });
});

describe("message that a plugin claims", () => {
  it("[TURN-006] is answered with the plugin's reply", async () => {
    const asked: string[] = [];
    const host = await createTestHost({
      register(api) {
        api.on("inbound_claim", () => Promise.reject(new Error("broken")), { priority: 4 });
        api.on("inbound_claim", () => ({ handled: false }), { priority: 3 });
        api.on("inbound_claim", () => undefined, { priority: 3 });
        api.on("inbound_claim", () => ({ handled: true, reply: { text: "Mine." } }), {
          priority: 2,
        });
        api.on("inbound_claim", () => void asked.push("later"), { priority: 1 });
      },
    });
    const stored = await replyTo(host);
    const outcome = await host.flow.receive(message("hello"), {});
    expect(outcome).toEqual({
      status: "answered",
      messageId: expect.any(String),
      text: "Mine.",
    });
    expect(asked).toEqual([]);
    expect(host.asked()).toEqual([]);
    expect(await host.store.messages.inbox.get(outcome.messageId)).toMatchObject({
      state: "claimed",
    });
    expect(await stored()).toMatchObject({ state: "delivered", content: "Mine." });
  });

  it("gets no reply when the plugin gives none", async () => {
    const { flow, store } = await createTestHost({
      register: (api) => api.on("inbound_claim", () => ({ handled: true })),
    });
    expect(await flow.receive(message("hello"), {})).toMatchObject({
      status: "answered",
      text: "",
    });
    expect(await store.messages.outbox.undelivered()).toEqual([]);
  });

  it("[TURN-006] sends the plugin's reply through the outbound hooks", async () => {
    const { flow } = await createTestHost({
      register(api) {
        api.on("inbound_claim", () => ({ handled: true, reply: { text: "Mine." } }));
        api.on("message_sending", ({ content }) =>
          content === "Mine." ? { content: "Ours." } : undefined,
        );
      },
    });
    expect(await flow.receive(message("hello"), {})).toMatchObject({ text: "Ours." });
  });

  it("sends no reply when the outbound hooks cancel it", async () => {
    const { flow } = await createTestHost({
      register(api) {
        api.on("inbound_claim", () => ({ handled: true, reply: { text: "Mine." } }));
        api.on("message_sending", () => ({ cancel: true }));
      },
    });
    expect(await flow.receive(message("hello"), {})).toMatchObject({
      status: "answered",
      text: "",
    });
  });
});

describe("observer of incoming messages", () => {
  it("[TURN-004] delays nothing, however slow it is", async () => {
    const { flow } = await createTestHost({
      register: (api) => api.on("message_received", () => new Promise(() => {})),
    });
    expect(await flow.receive(message("hello"), {})).toMatchObject({ status: "replied" });
  });

  it("[TURN-004] sees the rewritten message with all its fields, and changes nothing", async () => {
    const seen: object[] = [];
    const host = await createTestHost({
      now: () => 1_700_000_000_000,
      register(api) {
        api.on("message_receiving", () => ({ content: "rewritten", metadata: { checked: true } }));
        api.on("message_received", (event) => {
          const { from, content, timestamp, threadId, messageId, senderId, media } = event;
          const { metadata } = event;
          seen.push(
            structuredClone({
              from,
              content,
              timestamp,
              threadId,
              messageId,
              senderId,
              media,
              metadata,
            }),
          );
          Object.assign(metadata ?? {}, { altered: true });
          Object.assign(event, { content: "altered" });
        });
        api.on("inbound_claim", ({ content, metadata }) => void seen.push({ content, metadata }));
      },
    });
    const { messageId, status } = await host.flow.receive(
      message("hello", {
        threadId: "topic-2",
        attachments: [{ mimeType: "image/png", bytes: 3 }],
        metadata: { source: "phone" },
      }),
      {},
    );
    const metadata = { source: "phone", checked: true };
    expect(seen).toEqual([
      {
        from: "operator",
        content: "rewritten",
        timestamp: 1_700_000_000_000,
        threadId: "topic-2",
        messageId,
        senderId: "operator",
        media: [{ mimeType: "image/png", bytes: 3 }],
        metadata,
      },
      { content: "rewritten", metadata },
    ]);
    expect(status).toBe("replied");
    expect(host.asked()[0]).toContain("rewritten");
    expect(host.asked()[0]).not.toContain("altered");
  });

  it("is awaited when it is fail-closed", async () => {
    const order: string[] = [];
    const { flow } = await createTestHost({
      register(api) {
        api.on(
          "message_received",
          async () => {
            await new Promise((resolve) => setImmediate(resolve));
            order.push("received");
          },
          { mode: "fail-closed" },
        );
        api.on("inbound_claim", () => void order.push("claim"));
      },
    });
    await flow.receive(message("hello"), {});
    expect(order).toEqual(["received", "claim"]);
  });
});
