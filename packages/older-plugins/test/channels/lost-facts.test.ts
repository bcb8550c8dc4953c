import { describe, expect, it } from "vitest";
import { lostFacts } from "../../src/channels/lost-facts.js";

describe("the message in a failed call", () => {
  it("[CHAN-521] is read from nested objects in the names of older plugins, but not from configuration", () => {
    const cfg = { channels: { lines: { text: "hidden", senderId: "hidden" } } };
    expect(
      lostFacts([
        {
          ...{ cfg, account: { token: "private" }, accountId: "work", channel: "lines" },
          message: { rawBody: "hi", messageId: 17, sender: { id: "ann" }, senderName: "Ann" },
        },
      ]),
    ).toEqual({
      channel: "lines",
      accountId: "work",
      text: "hi",
      senderId: "ann",
      senderName: "Ann",
      conversationId: "ann",
      externalId: "17",
    });
  });

  it("[CHAN-521] is one of a group when the call marks it, and then its sender is not the group", () => {
    expect(lostFacts([{ isGroup: true, peer: { id: "ops" }, body: "hi all" }])).toEqual({
      text: "hi all",
      conversationId: "ops",
      room: { kind: "group", id: "ops" },
    });
    expect(lostFacts([{ peer: { kind: "direct", id: "ann" }, body: "hi" }])).toEqual({
      text: "hi",
      senderId: "ann",
      conversationId: "ann",
    });
  });

  it("[CHAN-521] runs no getter, follows no circle, and is absent from a call without it", () => {
    const circle: Record<string, unknown> = { text: "hi" };
    circle.self = circle;
    Object.defineProperty(circle, "senderId", { get: () => expect.unreachable() });
    expect(lostFacts([circle])).toEqual({ text: "hi" });
    expect(lostFacts([{ cfg: {}, intervalMs: 5 }, 7, undefined])).toEqual({});
    expect(lostFacts(["plain text", { from: "ann" }])).toMatchObject({ text: "plain text" });
  });
});
