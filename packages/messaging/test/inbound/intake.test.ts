import { openStore } from "@openclaw/store";
import { expect, it } from "vitest";
import { MessageIntake } from "../../src/inbound/intake.js";

it("[CHAN-600] a message of any surface is rejected when an ID holds a control character or half of a character", async () => {
  const store = await openStore({ file: ":memory:" });
  const counters = { increase: () => undefined };
  const ignore = () => undefined;
  const logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const intake = new MessageIntake({ store, counters, logger, now: () => 0 });
  const message = {
    channel: "demo",
    conversationId: "42",
    senderId: "7",
    senderIsOwner: false,
    text: "hi",
  };
  for (const id of ["a\0b", "a\nb", "a\r\nb", "a\u2028b", "a\u0085b", "a\ud83d"]) {
    for (const name of ["threadId", "conversationId", "accountId", "senderId", "sessionKey"]) {
      expect(() => intake.prepare({ ...message, [name]: id })).toThrow(
        new RegExp(`${name} holds a line break, NUL or another control character`),
      );
    }
  }
  for (const threadId of [undefined, "12:34", "\u674e\u96f7", "a b"]) {
    expect(intake.prepare({ ...message, threadId }).message).toBeDefined();
  }
  await store.close();
});
